// Mass matrix, bias, energy and momentum of random mechanisms against sums over their bodies.
#include "tribo/multibody/dynamics.hpp"

#include "tribo/multibody/jacobian.hpp"

#include <ctime>

#include "plain_kinematics.hpp"
#include "random_model.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::moved;
using testing::random_numbers;
using testing::relative_error;

class RandomDynamics : public ::testing::TestWithParam<int> {
 protected:
  RandomDynamics()
      : random_(static_cast<std::uint64_t>(2000 + GetParam())),
        model_(Model::make(testing::random_description(random_, {.bodies = 1 + GetParam() % 12})).value()),
        state_(testing::random_state(model_, random_)),
        data_(model_) {
    calc_dynamics(model_, state_, data_);
  }
  // Inertia of a body about its centre of mass in world axes, from matrices.
  Matrix3d inertia(Index body) const {
    const Matrix3d R = testing::calc_plain_poses(model_, state_)[body].topLeftCorner<3, 3>();
    return R * model_.bodies()[body].inertia.inertia * R.transpose();
  }
  MatrixXd jacobian(Index body) const {
    MatrixXd J(6, model_.nv());
    calc_jacobian(model_, data_, body, data_.com[body], J);
    return J;
  }
  // ½ Σ m |v|² + ω·I ω over the bodies and ½ a v² over armatures.
  double kinetic(const VectorXd& v) const {
    double sum = 0.5 * model_.armature().dot(v.cwiseAbs2());
    for (Index b = 1; b < model_.nb(); ++b) {
      const VectorXd motion = jacobian(b) * v;
      const Vector3d w = motion.tail<3>();
      sum += 0.5 * model_.bodies()[b].inertia.mass * motion.head<3>().squaredNorm() + 0.5 * w.dot(inertia(b) * w);
    }
    return sum;
  }

  Random random_;
  Model model_;
  State state_;
  Data data_;
};

INSTANTIATE_TEST_SUITE_P(Seeds, RandomDynamics, ::testing::Range(0, 36));

// Composite bodies must give the definition: M = Σ m JᵀJ + Jᵀ I J, armature on the diagonal.
TEST_P(RandomDynamics, MassMatrixIsASumOverBodies) {
  MatrixXd M = MatrixXd(model_.armature().asDiagonal());
  for (Index b = 1; b < model_.nb(); ++b) {
    const MatrixXd J = jacobian(b);
    M += model_.bodies()[b].inertia.mass * J.topRows<3>().transpose() * J.topRows<3>();
    M += J.bottomRows<3>().transpose() * inertia(b) * J.bottomRows<3>();
  }
  EXPECT_LT(relative_error(make_dense_mass(model_, data_), M), 1e-12);
}

// Newton and Euler body by body: bias = Σ Jᵀ m (J̇v − g) + Jᵀ (I J̇v + ω × I ω).
TEST_P(RandomDynamics, BiasIsASumOverBodies) {
  VectorXd bias = VectorXd::Zero(model_.nv());
  for (Index b = 1; b < model_.nb(); ++b) {
    const MatrixXd J = jacobian(b);
    const PointMotion a = calc_bias_acceleration(data_, b, data_.com[b]);
    const Vector3d w = J.bottomRows<3>() * state_.v;
    const Matrix3d I = inertia(b);
    bias += J.topRows<3>().transpose() * (model_.bodies()[b].inertia.mass * (a.linear - model_.description().gravity));
    bias += J.bottomRows<3>().transpose() * (I * a.angular + w.cross(I * w));
  }
  EXPECT_LT(relative_error(data_.bias, bias), 1e-11);
}

// M v is the derivative of the kinetic energy by v. It is quadratic, so a central difference of any width is exact.
TEST_P(RandomDynamics, MomentumIsTheDerivativeOfKineticEnergy) {
  VectorXd expected(model_.nv());
  for (Index k = 0; k < model_.nv(); ++k) {
    const VectorXd unit = VectorXd::Unit(model_.nv(), k);
    expected(k) = 0.5 * (kinetic(state_.v + unit) - kinetic(state_.v - unit));
  }
  EXPECT_LT(relative_error(make_dense_mass(model_, data_) * state_.v, expected), 1e-11);
  EXPECT_NEAR(calc_energy(model_, state_, data_).kinetic, kinetic(state_.v), 1e-11 * kinetic(state_.v));
}

// Without passive forces M v̇ = −bias, and then the energy does not change.
TEST_P(RandomDynamics, FreeMotionKeepsTheEnergy) {
  const VectorXd a = solve_mass(model_, data_, -data_.bias).value();
  EXPECT_LT(relative_error(make_dense_mass(model_, data_) * a, -data_.bias), 1e-10);
  constexpr double kTime = 1e-5;
  const auto energy_at = [&](double t) {
    State at = moved(model_, state_, state_.v, t);
    at.v += t * a;
    Data data(model_);
    calc_dynamics(model_, at, data);
    const Energy energy = calc_energy(model_, at, data);
    return energy.kinetic + energy.potential;
  };
  const double change = (energy_at(kTime) - energy_at(-kTime)) / (2.0 * kTime);
  const double power = data_.bias.cwiseAbs().dot(state_.v.cwiseAbs());
  EXPECT_LT(std::abs(change), 1e-7 * std::max(1.0, power));
}

// Work against gravity: bias at rest is the gradient of the potential energy.
TEST_P(RandomDynamics, GravityIsTheGradientOfThePotential) {
  state_.v.setZero();
  calc_dynamics(model_, state_, data_);
  constexpr double kTime = 1e-5;
  VectorXd expected(model_.nv());
  for (Index k = 0; k < model_.nv(); ++k) {
    const auto potential_at = [&](double t) {
      const State at = moved(model_, state_, VectorXd::Unit(model_.nv(), k), t);
      Data data(model_);
      calc_dynamics(model_, at, data);
      return calc_energy(model_, at, data).potential;
    };
    expected(k) = (potential_at(kTime) - potential_at(-kTime)) / (2.0 * kTime);
  }
  EXPECT_LT(relative_error(data_.bias, expected), 1e-8);
}

// Momentum of a branch is that of its bodies, about their common centre of mass.
TEST_P(RandomDynamics, MomentumIsASumOverBodies) {
  for (Index root = 0; root < model_.nb(); ++root) {
    double mass = 0.0;
    Vector3d moment = Vector3d::Zero(), linear = Vector3d::Zero(), angular = Vector3d::Zero();
    for (Index b = root; b < model_.nb(); ++b) {
      Index at = b;
      while (at > root) at = model_.bodies()[at].parent;
      if (at != root) continue;
      const double m = model_.bodies()[b].inertia.mass;
      const VectorXd motion = jacobian(b) * state_.v;
      mass += m;
      moment += m * data_.com[b];
      linear += m * motion.head<3>();
      angular += inertia(b) * motion.tail<3>() + m * data_.com[b].cross(motion.head<3>());
    }
    const Momentum momentum = calc_momentum(model_, data_, root);
    EXPECT_NEAR(momentum.mass, mass, 1e-13);
    EXPECT_LT(relative_error(momentum.com, moment / mass), 1e-12);
    EXPECT_LT(relative_error(momentum.linear, linear), 1e-12);
    EXPECT_LT(relative_error(momentum.angular, angular - (moment / mass).cross(linear)), 1e-11);
  }
}

// The factors from the tips to the root solve what the dense matrix says, also where a tendon's armature couples branches.
TEST_P(RandomDynamics, SolvesWithTheMassMatrix) {
  const VectorXd b = random_numbers(model_.nv(), random_);
  EXPECT_LT(relative_error(make_dense_mass(model_, data_) * solve_mass(model_, data_, b).value(), b), 1e-10);

  ModelDescription d = model_.description();
  Tendon tendon;
  tendon.armature = 0.7;
  Index tree = -1;
  for (std::size_t j = 0; j < d.joints.size(); ++j) {
    if (calc_nv(d.joints[j].type) != 1) continue;
    if (tree < 0) tree = model_.tree(d.joints[j].body);
    if (tree == model_.tree(d.joints[j].body)) tendon.terms.push_back({static_cast<Index>(j), random_.normal()});
  }
  d.tendons.push_back(tendon);
  const Model coupled = Model::make(d).value();
  Data data(coupled);
  calc_dynamics(coupled, state_, data);
  calc_dynamics(coupled, state_, data);  // twice: armature must not add up
  VectorXd a = VectorXd::Zero(model_.nv());
  for (const Tendon::Term& term : tendon.terms) a(model_.v_start(term.joint)) += term.coefficient;
  const MatrixXd M = make_dense_mass(model_, data_) + 0.7 * a * a.transpose();
  EXPECT_LT(relative_error(make_dense_mass(coupled, data), M), 1e-12);
  EXPECT_LT(relative_error(M * solve_mass(coupled, data, b).value(), b), 1e-10);
}

// A chain of hinges, every link hanging on the one before.
Model make_chain(Index links) {
  ModelDescription d;
  for (Index b = 1; b <= links; ++b) {
    Body body;
    body.parent = b - 1;
    body.pose.p = Vector3d(0.0, 0.0, b == 1 ? 0.0 : -0.1);
    body.inertia = {1.0, Vector3d(0.0, 0.0, -0.05), 0.01 * Matrix3d::Identity()};
    d.bodies.push_back(body);
    Joint joint;
    joint.body = b;
    joint.axis = b % 2 == 0 ? Vector3d::UnitX() : Vector3d::UnitY();
    d.joints.push_back(joint);
  }
  return Model::make(d).value();
}

// Poses, velocities and bias visit every body once: ten times the links take ten times the time, not a hundred.
TEST(Chain, BiasCostsInProportionToItsLinks) {
  const auto time = [](Index links) {
    const Model model = make_chain(links);
    Data data(model);
    State state = make_state(model);
    state.v.setConstant(0.1);
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 15; ++round) {
      const std::clock_t start = std::clock();  // what this process took, whoever else there is
      for (int k = 0; k < 20; ++k) {
        calc_positions(model, state, data);
        calc_velocities(model, state, data);
        calc_bias(model, data);
      }
      best = std::min(best, static_cast<double>(std::clock() - start));
    }
    return best;
  };
  const double small = time(100), large = time(1000);
  EXPECT_LT(large / small, 25.0);  // 10 when linear, 100 when quadratic; caches and neighbours take the rest
}

}  // namespace
}  // namespace tribo
