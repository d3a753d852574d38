// What physics keeps: momentum of what floats, energy of what nothing brakes.
#include "tribo/multibody/dynamics.hpp"

#include "random_model.hpp"
#include "runge_kutta.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::calc_total_energy;
using testing::runge_kutta_step;

struct Conserved {
  double energy;
  Momentum momentum;
};
Conserved calc_conserved(const Model& model, const State& state) {
  Data data(model);
  calc_dynamics(model, state, data);
  return {calc_total_energy(model, state), calc_momentum(model, data)};
}

class FloatingTree : public ::testing::TestWithParam<int> {
 protected:
  FloatingTree()
      : random_(static_cast<std::uint64_t>(3000 + GetParam())),
        model_(Model::make(testing::random_description(random_, {.bodies = 2 + GetParam() % 6, .floating = true}))
                   .value()),
        state_(testing::random_state(model_, random_)) {}

  State simulate(double h, double time) const {
    State state = state_;
    const int steps = static_cast<int>(std::lround(time / h));
    for (int k = 0; k < steps; ++k) runge_kutta_step(model_, h, state);
    return state;
  }

  Random random_;
  Model model_;
  State state_;
};

INSTANTIATE_TEST_SUITE_P(Seeds, FloatingTree, ::testing::Range(0, 8));

// Nothing outside acts on it: both momenta stay, to 1e-12 of their size, and the centre of mass moves straight on.
TEST_P(FloatingTree, KeepsItsMomentum) {
  constexpr double kTime = 0.05;
  const Conserved before = calc_conserved(model_, state_), after = calc_conserved(model_, simulate(1e-4, kTime));
  EXPECT_LT((after.momentum.linear - before.momentum.linear).norm(), 1e-12 * before.momentum.linear.norm());
  EXPECT_LT((after.momentum.angular - before.momentum.angular).norm(), 1e-12 * before.momentum.angular.norm());
  const Vector3d straight = before.momentum.com + kTime / before.momentum.mass * before.momentum.linear;
  EXPECT_LT((after.momentum.com - straight).norm(), 1e-12);
  EXPECT_LT(std::abs(after.energy - before.energy), 1e-11 * before.energy);
}

// The integrator is of order four: half the step leaves a sixteenth of the error in energy and momentum, or less. A wrong
// bias would leave an error that no step removes.
TEST_P(FloatingTree, LosesEnergyOnlyByTheIntegrator) {
  constexpr double kTime = 0.128;
  const Conserved before = calc_conserved(model_, state_);
  const auto error_at = [&](double h) {
    const Conserved after = calc_conserved(model_, simulate(h, kTime));
    return std::array<double, 2>{std::abs(after.energy - before.energy),
                                 (after.momentum.angular - before.momentum.angular).norm()};
  };
  // Slow trees need long steps before an error can be seen, fast ones short steps before the order shows.
  double h = kTime;
  std::array<double, 2> coarse = error_at(h);
  while (coarse[0] > 1e-7 * before.energy) coarse = error_at(h *= 0.5);
  const std::array<double, 2> fine = error_at(0.5 * h);
  const double floor = 1e-13 * before.energy;  // round-off
  EXPECT_GT(h, 1e-4);
  EXPECT_GT(coarse[0], 10.0 * floor) << "the steps are too small to tell";
  EXPECT_LT(fine[0], coarse[0] / 14.0 + floor);
  EXPECT_LT(fine[1], coarse[1] / 14.0 + floor);
}

ModelDescription double_pendulum() {
  ModelDescription d;
  for (Index b = 1; b <= 2; ++b) {
    Body body;
    body.parent = b - 1;
    body.pose.p = Vector3d(0.0, 0.0, b == 1 ? 0.0 : -1.0);
    body.inertia = {1.0, Vector3d(0.0, 0.0, -1.0), Matrix3d::Zero()};
    d.bodies.push_back(body);
    Joint joint;
    joint.body = b;
    joint.axis = Vector3d::UnitY();
    d.joints.push_back(joint);
  }
  return d;
}

// Two point masses on two strings: the textbook's equations, coordinate by coordinate.
TEST(DoublePendulum, MovesAsTheTextbookSays) {
  const Model model = Model::make(double_pendulum()).value();
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const State state = testing::random_state(model, random);
    Data data(model);
    calc_dynamics(model, state, data);
    // With absolute angles a = q1, b = q1 + q2, rates u, w; length and masses one:
    //     2 a¨ + cos(a − b) b¨ = −sin(a − b) w² − 2 g sin a,   cos(a − b) a¨ + b¨ = sin(a − b) u² − g sin b
    const double a = state.q(0), b = a + state.q(1), u = state.v(0), w = u + state.v(1);
    Eigen::Matrix2d M;
    M << 2.0, std::cos(a - b), std::cos(a - b), 1.0;
    const Eigen::Vector2d f(-std::sin(a - b) * w * w - 2.0 * 9.81 * std::sin(a),
                            std::sin(a - b) * u * u - 9.81 * std::sin(b));
    const Eigen::Vector2d absolute = M.inverse() * f;
    const VectorXd v_rate = solve_mass(model, data, -data.bias).value();
    EXPECT_NEAR(v_rate(0), absolute(0), 1e-10 * (1.0 + std::abs(absolute(0))));
    EXPECT_NEAR(v_rate(0) + v_rate(1), absolute(1), 1e-10 * (1.0 + std::abs(absolute(1))));
  }
}

TEST(DoublePendulum, KeepsItsEnergy) {
  const Model model = Model::make(double_pendulum()).value();
  const auto error_at = [&](double h) {
    State state = make_state(model);
    state.q << 2.0, 0.5;
    const double before = calc_total_energy(model, state);
    for (int k = 0; k < std::lround(2.0 / h); ++k) runge_kutta_step(model, h, state);
    return std::abs(calc_total_energy(model, state) - before);
  };
  const double coarse = error_at(4e-3), fine = error_at(2e-3);
  EXPECT_LT(fine, coarse / 14.0);
  EXPECT_LT(error_at(2.5e-4), 1e-9);
}

// Springs give back what they take.
TEST(SpringyTree, KeepsItsEnergy) {
  Random random(12);
  for (int trial = 0; trial < 4; ++trial) {
    ModelDescription d = testing::random_description(random, {.bodies = 4, .springs = true});
    for (Joint& joint : d.joints) joint.damping = 0.0;
    const Model model = Model::make(d).value();
    // Near the reference: a spring of a ball joint turns over at half a turn, and no order survives that.
    State start = testing::random_state(model, random);
    start.q = model.q0();
    integrate(model, testing::random_numbers(model.nv(), random), 0.3, start.q);
    const double before = calc_total_energy(model, start);
    const auto error_at = [&](double h) {
      State state = start;
      for (int k = 0; k < std::lround(0.08 / h); ++k) runge_kutta_step(model, h, state);
      return std::abs(calc_total_energy(model, state) - before);
    };
    EXPECT_LT(error_at(1e-3), error_at(2e-3) / 14.0 + 1e-13 * (1.0 + std::abs(before)));
  }
}

}  // namespace
}  // namespace tribo
