// Joints: swings beside elliptic integrals, orders of convergence, limits and dry friction at their exact values.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kGravity = 9.81;

// Seconds of one swing to and fro, from the first passage through zero to the tenth one in the same direction after it.
double measure_period(double amplitude, double h) {
  Simulation sim = testing::make_simulation(testing::make_hinged(1.3, 0.4, 0.02), {.step = h});
  State state = sim.state();
  state.q(0) = amplitude;
  sim.set_state(state);
  std::vector<double> passages;
  double before = amplitude;
  while (passages.size() < 11 && sim.time() < 60.0) {
    sim.step();
    const double now = sim.state().q(0);
    if (before < 0.0 && now >= 0.0) passages.push_back(sim.time() - h * now / (now - before));
    before = now;
  }
  return passages.size() == 11 ? (passages.back() - passages.front()) / 10.0 : 0.0;
}

// T = 4 √(I / m g l) K(sin(θ₀/2)), for small and for large swings. The error of the period falls with h².
TEST(Pendulum, PeriodIsTheEllipticIntegral) {
  const double inertia = 0.02 + 1.3 * 0.4 * 0.4;
  for (const double amplitude : {0.01, 1.0, 2.8}) {
    const double exact =
        4.0 * std::sqrt(inertia / (1.3 * kGravity * 0.4)) * std::comp_ellint_1(std::sin(amplitude / 2.0));
    const double coarse = std::abs(measure_period(amplitude, 4e-3) / exact - 1.0);
    const double fine = std::abs(measure_period(amplitude, 2e-3) / exact - 1.0);
    EXPECT_LT(fine, 2e-5) << amplitude;
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2) << amplitude;
  }
}

// A chain of differences |x(h) − x(h/2)|: its logarithm falls by the order of the method. Energy is kept at any step.
TEST(Pendulum, DoublePendulumConvergesWithOrderTwo) {
  std::vector<VectorXd> ends;
  for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
    Simulation sim = testing::make_scene("double_pendulum", {.step = h});
    const double energy = sim.calc_energy();
    ASSERT_TRUE(sim.run(0.6));
    ends.push_back(sim.state().q);
    EXPECT_NEAR(sim.calc_energy(), energy, 1e-10);
  }
  for (std::size_t i = 0; i + 2 < ends.size(); ++i) {
    const double order = std::log2((ends[i] - ends[i + 1]).norm() / (ends[i + 1] - ends[i + 2]).norm());
    EXPECT_NEAR(order, 2.0, 0.05);
  }
}

// The two swings of a double pendulum that keep their shape have the frequencies the scene's file derives.
TEST(Pendulum, SmallSwingsHaveTheirFrequencies) {
  const double root = std::sqrt(7.0);
  for (const double sign : {-1.0, 1.0}) {
    const double frequency = std::sqrt((3.0 + sign * 6.0 / root) * kGravity / 0.5);
    Simulation sim = testing::make_scene("double_pendulum", {.step = 2e-4});
    const auto eigenvector = [&] {
      // (K − ω² M) x = 0 with absolute angles: M = m L² [4/3 1/2; 1/2 1/3], K = m g L diag(3/2, 1/2).
      const double w = frequency * frequency * 0.5 / kGravity;
      return std::pair(1.0, (1.5 - 4.0 / 3.0 * w) / (0.5 * w));
    }();
    State state = sim.state();
    state.q(0) = 1e-4 * eigenvector.first;
    state.q(1) = 1e-4 * (eigenvector.second - eigenvector.first);
    sim.set_state(state);
    int passages = 0;
    double before = state.q(0), last = 0.0, first = 0.0;
    while (passages < 5 && sim.time() < 20.0) {
      sim.step();
      const double now = sim.state().q(0);
      if (before < 0.0 && now >= 0.0) {
        last = sim.time() - sim.h() * now / (now - before);
        if (passages == 0) first = last;
        ++passages;
      }
      before = now;
    }
    ASSERT_EQ(passages, 5);
    EXPECT_NEAR(4.0 * 2.0 * std::numbers::pi / (last - first) / frequency, 1.0, 1e-5);
  }
}

// A pendulum falls on its limit, stays there and is carried by it: the impulse of a step is h times the torque of gravity.
TEST(Pendulum, LimitHoldsWhatFallsOnIt) {
  ModelDescription d = testing::make_hinged(2.0, 0.3, 0.01);
  d.joints[0].limited = true;
  d.joints[0].lower = 0.5;
  d.joints[0].upper = 3.0;
  Simulation sim = testing::make_simulation(d, {.step = 1e-3});
  State state = sim.state();
  state.q(0) = 1.5;
  sim.set_state(state);
  double lowest = 10.0;
  for (int n = 0; n < 1000; ++n) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    lowest = std::min(lowest, sim.state().q(0));
  }
  EXPECT_GT(lowest, 0.5 - 1e-12);
  EXPECT_NEAR(sim.state().q(0), 0.5, 2e-8);
  EXPECT_NEAR(sim.state().v(0), 0.0, 1e-9);
  EXPECT_TRUE(sim.contacts().empty());
  ASSERT_EQ(sim.joint_rows().size(), 1U);
  const JointRowRecord& limit = sim.joint_rows()[0];
  EXPECT_EQ(limit.kind, JointRowKind::kLimit);
  EXPECT_EQ(limit.joint, 0);
  EXPECT_EQ(limit.place, -1);
  EXPECT_EQ(limit.state, ContactState::kStick);
  EXPECT_NEAR(limit.velocity, 0.0, 1e-9);
  EXPECT_NEAR(limit.impulse, 1e-3 * 2.0 * kGravity * 0.3 * std::sin(0.5), 1e-9);
}

std::vector<SimulationOptions> options_of_all_models() {
  std::vector<SimulationOptions> all;
  for (const ContactModel& model :
       {ContactModel(CoulombCone{}), ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(Viscous{}),
        ContactModel(CoulombPyramid{}), ContactModel(FrictionBox{})})
    all.push_back({.model = model, .step = 1e-3});
  all.push_back({.step = 1e-3, .compliant = true});
  return all;
}

std::string name_of_case(const ::testing::TestParamInfo<SimulationOptions>& of) {
  std::string name = name_model(of.param);
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}

class DryFriction : public ::testing::TestWithParam<SimulationOptions> {};
INSTANTIATE_TEST_SUITE_P(AllModels, DryFriction, ::testing::ValuesIn(options_of_all_models()), name_of_case);

// Dry friction F of a joint is no matter of contacts: in every model it holds a torque below F without any creep, and slips above it
// with (torque − F)/I.
TEST_P(DryFriction, HoldsAndSlipsAtItsTorque) {
  ModelDescription d = testing::make_hinged(1.0, 0.0, 0.05);
  d.joints[0].friction_loss = 0.8;
  for (const double share : {0.999, 1.001, 1.5, -0.999, -1.001}) {
    Simulation sim = testing::make_simulation(d, GetParam());
    sim.applied()(0) = 0.8 * share;
    for (int n = 0; n < 1000; ++n) ASSERT_EQ(sim.step().status, Status::kSolved);
    const double excess = std::copysign(std::max(0.0, std::abs(share) - 1.0), share);
    EXPECT_NEAR(sim.state().v(0), 0.8 * excess / 0.05, 1e-9) << share;
    // Compliant contacts go with Euler.
    const double steps = sim.integrator() == Integrator::kEuler ? 1001.0 : 1000.0;
    EXPECT_NEAR(sim.state().q(0), 0.5 * 0.8 * excess / 0.05 * 1e-6 * 1000.0 * steps, 1e-9) << share;
    ASSERT_EQ(sim.joint_rows().size(), 1U);
    const JointRowRecord& row = sim.joint_rows()[0];
    EXPECT_EQ(row.kind, JointRowKind::kDryFriction);
    EXPECT_EQ(row.joint, 0);
    EXPECT_EQ(row.place, 0);
    EXPECT_EQ(row.state, excess == 0.0 ? ContactState::kStick : ContactState::kSlide);
    EXPECT_DOUBLE_EQ(row.bound, 0.8e-3);
    EXPECT_NEAR(row.impulse, -std::copysign(0.8e-3 * std::min(1.0, std::abs(share)), share), 1e-10);
    EXPECT_EQ(row.velocity, sim.state().v(0));
  }
}

// A joint that turns is braked evenly by F/I and then stays: friction never turns it back.
TEST_P(DryFriction, BrakesAndStops) {
  ModelDescription d = testing::make_hinged(1.0, 0.0, 0.05);
  d.joints[0].friction_loss = 0.8;
  Simulation sim = testing::make_simulation(d, GetParam());
  State state = sim.state();
  state.v(0) = 4.0;
  sim.set_state(state);
  for (int n = 1; n <= 249; ++n) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    ASSERT_NEAR(sim.state().v(0), 4.0 - 1e-3 * 0.8 / 0.05 * n, 1e-9);
  }
  sim.run(0.01);
  const double at = sim.state().q(0);
  EXPECT_NEAR(sim.state().v(0), 0.0, 1e-12);
  EXPECT_NEAR(at, 4.0 * 4.0 / (2.0 * 0.8 / 0.05), 4.0 * 1e-3);
  sim.run(0.5);
  EXPECT_NEAR(sim.state().q(0), at, 1e-12);
}

// A checkpoint holds what dry friction carries: the motion after it has the same bits, at rest nothing is solved.
TEST_P(DryFriction, GoesOnFromACheckpoint) {
  ModelDescription d = testing::make_hinged(1.0, 0.3, 0.05);
  d.joints[0].friction_loss = 0.8;
  for (const double start : {0.0, 5.0}) {
    Simulation sim = testing::make_simulation(d, GetParam());
    State state = sim.state();
    state.q(0) = 0.2;
    state.v(0) = start;
    sim.set_state(state);
    ASSERT_TRUE(sim.run(0.05));
    Simulation other = testing::make_simulation(d, GetParam());
    ASSERT_TRUE(other.load_checkpoint(sim.save_checkpoint()));
    EXPECT_EQ(other.calc_hash(), sim.calc_hash());
    for (int n = 0; n < 20; ++n) {
      sim.step();
      other.step();
      ASSERT_EQ(other.calc_hash(), sim.calc_hash()) << start;
      if (start == 0.0) {
        ASSERT_EQ(other.report().pivots + other.report().sweeps, 0);
      }
    }
    std::vector<std::uint8_t> cut = sim.save_checkpoint();
    cut.pop_back();
    EXPECT_FALSE(other.load_checkpoint(cut));
  }
}

}  // namespace
}  // namespace tribo
