// Bodies that nothing touches: motions that are known in closed form, and how fast the method comes near them.
#include "tribo/multibody/dynamics.hpp"

#include <cmath>
#include <numbers>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kG = 9.81;

Vector3d calc_angular_momentum(const Simulation& sim) {
  const Matrix3d R =
      Quaterniond(sim.state().q(3), sim.state().q(4), sim.state().q(5), sim.state().q(6)).toRotationMatrix();
  return R * (sim.model().bodies()[1].inertia.inertia * sim.state().v.segment<3>(3));
}

// A free body with moments a, a, c.
Simulation make_symmetric_body(double a, double c, const Vector3d& spin, double h) {
  ModelDescription d;
  d.gravity.setZero();
  testing::add_free_body(d, {1.0, Vector3d::Zero(), Vector3d(a, a, c).asDiagonal()});
  Simulation sim = testing::make_simulation(d, {.step = h});
  State state = sim.state();
  state.v.segment<3>(3) = spin;
  sim.set_state(state);
  return sim;
}

// A parabola is exact: v falls by g h a step, z_n = v₀ t − ½ g t², x_n = u₀ t, to rounding.
TEST(FreeMotion, FallsAlongAParabola) {
  ModelDescription d;
  testing::add_free_body(d, {2.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()});
  Simulation sim = testing::make_simulation(d, {.step = 1e-3});
  State state = sim.state();
  state.v.head<3>() = Vector3d(1.5, 0.0, 2.0);
  sim.set_state(state);
  for (int n = 1; n <= 1000; ++n) {
    sim.step();
    ASSERT_NEAR(sim.state().v(2), 2.0 - kG * 1e-3 * n, 1e-12);
    ASSERT_NEAR(sim.state().q(2), 2e-3 * n - 0.5 * kG * 1e-6 * n * n, 1e-12);
    ASSERT_NEAR(sim.state().q(0), 1.5e-3 * n, 1e-12);
  }
}

// About a principal axis a body turns evenly: no torque, and the quaternion follows the exponential exactly.
TEST(FreeMotion, SpinsEvenlyAboutAPrincipalAxis) {
  Simulation sim = make_symmetric_body(0.01, 0.03, Vector3d(0.0, 0.0, 10.0), 1e-3);
  sim.run(1.0);
  EXPECT_NEAR(sim.state().v(5), 10.0, 1e-12);
  const Quaterniond turned(sim.state().q(3), sim.state().q(4), sim.state().q(5), sim.state().q(6));
  EXPECT_LT(turned.angularDistance(Quaterniond(Eigen::AngleAxisd(10.0, Vector3d::UnitZ()))), 1e-9);
}

// Without torque ω turns about the body's axis with (c − a)/a ω₃, and the angular momentum stays in space. Both errors
// must fall with the step at least as fast as h.
TEST(FreeMotion, SymmetricBodyPrecessesWithoutTorque) {
  const double a = 0.02, c = 0.03, rate = (c - a) / a * 8.0;
  const Vector3d start(1.0, 0.0, 8.0);
  double last_phase = 0.0, last_momentum = 0.0;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    Simulation sim = make_symmetric_body(a, c, start, h);
    const Vector3d before = calc_angular_momentum(sim);
    sim.run(1.0);
    const Vector3d spin = sim.state().v.segment<3>(3);
    const double phase = std::abs(std::remainder(std::atan2(spin(1), spin(0)) - rate, 2.0 * std::numbers::pi));
    const double momentum = (calc_angular_momentum(sim) - before).norm() / before.norm();
    EXPECT_LT(phase, 0.05 * h * rate * rate);
    EXPECT_LT(momentum, 10.0 * h);
    if (last_momentum > 0.0) {
      EXPECT_LT(momentum, 0.55 * last_momentum + 1e-12);
      EXPECT_LT(phase, 0.55 * last_phase + 1e-12);
    }
    last_phase = phase;
    last_momentum = momentum;
  }
}

// A tumbling body has no source of energy. What the method gains or loses must fall with the step, and be small at once.
TEST(FreeMotion, TumblingKeepsItsEnergyAsTheStepShrinks) {
  ModelDescription d;
  d.gravity.setZero();
  testing::add_free_body(d, {1.0, Vector3d::Zero(), Vector3d(0.01, 0.02, 0.028).asDiagonal()});
  double last = 0.0;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    Simulation sim = testing::make_simulation(d, {.step = h});
    State state = sim.state();
    state.v.segment<3>(3) = Vector3d(0.2, 8.0, 0.1);
    sim.set_state(state);
    const double energy = sim.calc_energy();
    sim.run(2.0);
    const double error = std::abs(sim.calc_energy() - energy) / energy;
    EXPECT_LT(error, 20.0 * h);
    if (last > 0.0) {
      EXPECT_LT(error, 0.55 * last + 1e-12);
    }
    last = error;
  }
}

// A heavy symmetric top on a fixed point, started at the slow root of W (I₃ ω₃ − I₁ W cos θ) = m g l, goes around evenly:
// tilt and rate of precession stay.
TEST(FreeMotion, HeavyTopPrecessesEvenly) {
  const double mass = 0.5, below = 0.1, a = 0.002, c = 0.004, tilt = 0.6, spin = 60.0;
  const double about = a + mass * below * below;  // I₁ about the fixed point
  const double k = c * spin, p = about * std::cos(tilt);
  const double rate = 2.0 * mass * kG * below / (k + std::sqrt(k * k - 4.0 * p * mass * kG * below));
  ModelDescription d;
  Body body;
  body.name = "top";
  body.inertia = {mass, Vector3d(0.0, 0.0, below), Vector3d(a, a, c).asDiagonal()};
  d.bodies.push_back(body);
  Joint joint;
  joint.type = JointType::kBall;
  joint.body = 1;
  d.joints.push_back(joint);
  double last = 0.0;
  for (const double h : {2e-4, 1e-4}) {
    Simulation sim = testing::make_simulation(d, {.step = h});
    State state = sim.state();
    state.q = Eigen::Vector4d(std::cos(tilt / 2.0), 0.0, std::sin(tilt / 2.0), 0.0);  // leans to +x
    state.v = Vector3d(-rate * std::sin(tilt), 0.0, spin);
    sim.set_state(state);
    double worst_tilt = 0.0;
    const double duration = 0.25 * std::numbers::pi / rate;
    const int steps = static_cast<int>(std::lround(duration / h));
    for (int n = 0; n < steps; ++n) {
      sim.step();
      const Quaterniond q(sim.state().q(0), sim.state().q(1), sim.state().q(2), sim.state().q(3));
      worst_tilt = std::max(worst_tilt, std::abs(std::acos((q * Vector3d::UnitZ()).z()) - tilt));
    }
    const Quaterniond q(sim.state().q(0), sim.state().q(1), sim.state().q(2), sim.state().q(3));
    const Vector3d axis = q * Vector3d::UnitZ();
    const double error = std::abs(std::atan2(axis.y(), axis.x()) - rate * h * steps);
    EXPECT_LT(error, 30.0 * h);
    EXPECT_LT(worst_tilt, 30.0 * h);
    if (last > 0.0) {
      EXPECT_LT(worst_tilt, 0.6 * last + 1e-12);
    }
    last = worst_tilt;
  }
}

// A disc that spins at 200 rad/s wobbles at 190 rad/s, a fifth of a turn in five steps of 1 ms. Nothing drives it: whatever the
// step is, the wobble must not grow.
TEST(FreeMotion, FastSpinGainsNoEnergy) {
  Simulation sim = make_symmetric_body(2.3e-5, 4.5e-5, Vector3d(1.0, 0.0, 200.0), 1e-3);
  const double start = sim.calc_energy();
  for (int n = 0; n < 1000; ++n) {
    sim.step();
    ASSERT_LT(sim.calc_energy(), start * (1.0 + 1e-6)) << "step " << n;
  }
  EXPECT_NEAR(sim.state().v(5), 200.0, 0.1);
}

// The top of scenes/spinning_top stands on a smooth floor and goes around once in 1.906232 s; the floor carries its weight.
TEST(FreeMotion, TopOnAFloorGoesAroundInItsTime) {
  for (const double h : {5e-4, 1.25e-4}) {
    Simulation sim = testing::make_scene("spinning_top", {.step = h});
    double turned = 0.0, last = 0.0, load = 0.0;
    const int steps = static_cast<int>(std::lround(1.906232 / h));
    for (int n = 0; n < steps; ++n) {
      ASSERT_EQ(sim.step().status, Status::kSolved);
      for (const ContactRecord& contact : sim.contacts()) load += contact.impulse(2);
      const Vector3d axis =
          Quaterniond(sim.state().q(3), sim.state().q(4), sim.state().q(5), sim.state().q(6)) * Vector3d::UnitZ();
      const double now = std::atan2(axis.y(), axis.x());
      turned += std::remainder(now - last, 2.0 * std::numbers::pi);
      last = now;
    }
    EXPECT_NEAR(turned, 2.0 * std::numbers::pi, 10.0 * h);
    EXPECT_NEAR(load / (h * steps), 0.1 * kG, 0.02 * kG * 0.1);
    EXPECT_LT(sim.state().q.head<2>().norm(), 1e-9);
  }
}

}  // namespace
}  // namespace tribo
