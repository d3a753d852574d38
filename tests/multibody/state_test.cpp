// q ⊕ h v: positions on the manifold.
#include "tribo/multibody/dynamics.hpp"

#include "random_model.hpp"
#include "runge_kutta.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::random_numbers;
using testing::relative_error;

// A free body that carries a ball joint.
ModelDescription two_quaternions() {
  ModelDescription d;
  for (Index b = 1; b <= 2; ++b) {
    Body body;
    body.name = b == 1 ? "base" : "bob";
    body.parent = b - 1;
    body.pose.p = Vector3d(0.0, 0.0, 0.3);
    body.inertia = {1.0, Vector3d::Zero(), Vector3d(0.02, 0.03, 0.04).asDiagonal()};
    d.bodies.push_back(body);
    Joint joint;
    joint.body = b;
    joint.type = b == 1 ? JointType::kFree : JointType::kBall;
    joint.name = b == 1 ? "base" : "neck";
    d.joints.push_back(joint);
  }
  return d;
}

// Round-off must not add up: quaternions are unit after a million steps.
TEST(Integrate, KeepsQuaternionsUnitForAMillionSteps) {
  const Model model = Model::make(two_quaternions()).value();
  Random random(5);
  State state = testing::random_state(model, random);
  double worst = 0.0;
  for (int step = 0; step < 1000000; ++step) {
    if (step % 1000 == 0) state.v = 5.0 * random_numbers(model.nv(), random);
    integrate(model, state.v, 1e-3, state.q);
    worst = std::max(worst, std::abs(state.q.segment<4>(3).norm() - 1.0));
    worst = std::max(worst, std::abs(state.q.segment<4>(7).norm() - 1.0));
  }
  EXPECT_LT(worst, 1e-14);
}

// A constant angular velocity turns by its length times the time about itself, however finely the time is cut.
TEST(Integrate, TumblesAboutAConstantAxis) {
  const Model model = Model::make(two_quaternions()).value();
  const Vector3d omega(1.0, -2.0, 0.5);
  for (const int steps : {1, 10, 1000, 100000}) {
    State state = make_state(model);
    state.v << 0.1, 0.2, 0.3, omega, -omega;
    for (int k = 0; k < steps; ++k) integrate(model, state.v, 1.0 / steps, state.q);
    const Quaterniond expected(Eigen::AngleAxisd(omega.norm(), omega.normalized()));
    const Eigen::Vector4d numbers(expected.w(), expected.x(), expected.y(), expected.z());
    const Eigen::Vector4d inverse(expected.w(), -expected.x(), -expected.y(), -expected.z());
    EXPECT_LT((state.q.segment<4>(3) - numbers).norm(), 1e-12) << steps;
    EXPECT_LT((state.q.segment<4>(7) - inverse).norm(), 1e-12) << steps;
    EXPECT_LT((state.q.head<3>() - Vector3d(0.1, 0.2, 0.6)).norm(), 1e-11) << steps;
  }
}

// difference() undoes integrate() as long as no joint turns by more than half a turn, and also for very small motions.
TEST(Difference, IsTheInverseOfIntegrate) {
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const Model model = Model::make(testing::random_description(random, {.bodies = 1 + trial % 8})).value();
    const State state = testing::random_state(model, random);
    for (const double size : {1.0, 1e-4, 1e-9, 1e-13, 0.0}) {
      const VectorXd v = size * random_numbers(model.nv(), random).cwiseMax(-1.7).cwiseMin(1.7);
      VectorXd q = state.q, back;
      integrate(model, v, 1.0, q);
      difference(model, state.q, q, back);
      EXPECT_LT((back - v).cwiseAbs().maxCoeff(), 1e-14 * (1.0 + state.q.cwiseAbs().maxCoeff())) << size;
    }
    // From any position to any other.
    const State other = testing::random_state(model, random);
    VectorXd v, q = state.q, rest;
    difference(model, state.q, other.q, v);
    integrate(model, v, 1.0, q);
    difference(model, q, other.q, rest);
    EXPECT_LT(rest.cwiseAbs().maxCoeff(), 1e-13);
  }
}

// A quaternion and its negative are the same attitude.
TEST(Difference, KnowsThatQuaternionsCoverTwice) {
  const Model model = Model::make(two_quaternions()).value();
  const State state = make_state(model);
  VectorXd q = state.q, v;
  q.segment<4>(3) *= -1.0;
  difference(model, state.q, q, v);
  EXPECT_EQ(v.cwiseAbs().maxCoeff(), 0.0);
}

// A torque-free symmetric top: spin about its axis is constant, the rest of ω turns with (I3 − I1)/I1 times that spin.
TEST(Tumbling, SymmetricTopPrecessesAsEulerSays) {
  ModelDescription d = two_quaternions();
  d.bodies.pop_back();
  d.joints.pop_back();
  d.gravity.setZero();
  d.bodies[1].inertia.inertia = Vector3d(0.02, 0.02, 0.05).asDiagonal();
  const Model model = Model::make(d).value();
  State state = make_state(model);
  state.v << 0.0, 0.0, 0.0, 0.7, 0.0, 2.0;
  constexpr double kTime = 1.0;
  constexpr int kSteps = 1000;
  for (int k = 0; k < kSteps; ++k) testing::runge_kutta_step(model, kTime / kSteps, state);
  const double angle = (0.05 - 0.02) / 0.02 * 2.0 * kTime;
  EXPECT_NEAR(state.v(5), 2.0, 1e-12);
  EXPECT_NEAR(state.v(3), 0.7 * std::cos(angle), 1e-10);
  EXPECT_NEAR(state.v(4), 0.7 * std::sin(angle), 1e-10);
}

// A state from outside is checked before anything is computed from it.
TEST(Validate, RefusesWhatIsNoState) {
  const Model model = Model::make(two_quaternions()).value();
  State state = make_state(model);
  state.q.segment<4>(7) << 0.0, 0.0, 3.0, 0.0;
  ASSERT_TRUE(validate(model, state));
  EXPECT_EQ(state.q(9), 1.0);
  const auto refused = [&](const char* text) {
    State copy = state;
    const Checked checked = validate(model, copy);
    ASSERT_FALSE(checked) << text;
    EXPECT_NE(checked.error().text().find(text), std::string::npos) << checked.error().text();
  };
  state.q.segment<4>(7).setZero();
  refused("joint 'neck'");
  state.q(7) = std::numeric_limits<double>::quiet_NaN();
  refused("not finite");
  state = make_state(model);
  state.v.conservativeResize(3);
  refused("and v 3");
  state = make_state(model);
  state.kinematic.resize(1);
  refused("kinematic");
}

// Quaternions may come with any length that numbers have.
TEST(Validate, MakesVeryLongAndVeryShortQuaternionsUnit) {
  const Model model = Model::make(two_quaternions()).value();
  for (const double scale : {1e-10, 1e10, 1e200}) {
    State state = make_state(model);
    state.q.segment<4>(3) << 0.0, scale, 0.0, scale;
    ASSERT_TRUE(validate(model, state));
    EXPECT_NEAR(state.q.segment<4>(3).norm(), 1.0, 1e-14) << scale;
  }
}

}  // namespace
}  // namespace tribo
