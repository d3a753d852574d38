// What the midpoint keeps: energy of trees, springs, spins and rolling, and the order of all of it.
#include "tribo/multibody/dynamics.hpp"

#include <cmath>
#include <numbers>

#include "sim/mjcf_world.hpp"
#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kGround = 9.81;

// Rods of 10 cm and 0.1 kg in a row, let go when level.
std::string make_chain(int links) {
  std::string text = "<option timestep='0.001'/><worldbody>", end;
  for (int i = 0; i < links; ++i) {
    text += std::string("<body pos='") + (i == 0 ? "0 0 0" : "0.1 0 0") +
            "'><joint type='hinge' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.1 0 0' size='0.01' mass='0.1' "
            "contype='0' conaffinity='0'/>";
    end += "</body>";
  }
  return text + end + "</worldbody>";
}

// A wild motion: at 1 ms the ends turn by up to a tenth of a radian per step. Of 9.8 J from hanging to standing nothing is lost; Euler
// is some per cent off after 2 s.
TEST(Midpoint, AChainOfTenLinksKeepsItsEnergy) {
  Simulation sim = testing::make_world(make_chain(10));
  const double start = sim.calc_energy();
  for (int n = 0; n < 10000; ++n) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    ASSERT_NEAR(sim.calc_energy(), start, 1e-6) << n;
  }
  Simulation euler = testing::make_world(make_chain(10), {.integrator = Integrator::kEuler});
  ASSERT_TRUE(euler.run(2.0));
  EXPECT_GT(std::abs(euler.calc_energy() - start), 0.05);
}

// A chain that flies, without gravity: energy to rounding, linear and angular momentum to second order in h.
TEST(Midpoint, AChainThatFliesKeepsItsMomenta) {
  const std::string text =
      "<option timestep='0.001' gravity='0 0 0'/><worldbody><body><freejoint/><geom type='box' size='.1 .05 .02' "
      "mass='1'/>"
      "<body pos='.2 0 0'><joint type='hinge' axis='0 1 0'/><geom type='box' size='.1 .02 .03' mass='.5'/>"
      "<body pos='.2 0 0'><joint type='hinge' axis='0 0 1'/><geom type='box' size='.1 .02 .03' "
      "mass='.5'/></body></body>"
      "</body></worldbody>";
  Simulation sim = testing::make_world(text);
  State state = sim.state();
  state.v << 0.3, 0.1, -0.2, 1.0, 2.0, -1.5, 4.0, -5.0;
  sim.set_state(state);
  const double energy = sim.calc_energy();
  const Momentum start = calc_momentum(sim.model(), sim.data(), 1);
  double linear = 0.0, angular = 0.0;
  for (int n = 0; n < 20000; ++n) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    ASSERT_NEAR(sim.calc_energy(), energy, 1e-9 * energy) << n;
    const Momentum now = calc_momentum(sim.model(), sim.data(), 1);
    linear = std::max(linear, (now.linear - start.linear).norm());
    angular = std::max(angular, (now.angular - start.angular).norm());
  }
  EXPECT_LT(linear, 1e-4 * start.linear.norm());
  EXPECT_LT(angular, 1e-3 * start.angular.norm());
}

std::string make_spring(double stiffness, double damping) {
  return "<option gravity='0 0 0'/><worldbody><body><joint name='x' type='slide' axis='1 0 0' stiffness='" +
         std::to_string(stiffness) + "' damping='" + std::to_string(damping) +
         "'/><geom type='sphere' size='.1' mass='1' contype='0' conaffinity='0'/></body></worldbody>";
}

// x² + (v/ω)² after ten periods, of a spring of 100 N/m at 2 ms.
TEST(Midpoint, ASpringKeepsItsAmplitude) {
  Simulation sim = testing::make_world(make_spring(100.0, 0.0), {.step = 2e-3});
  State state = sim.state();
  state.q(0) = 0.1;
  sim.set_state(state);
  ASSERT_TRUE(sim.run(2.0 * std::numbers::pi));
  EXPECT_NEAR(std::hypot(sim.state().q(0), 0.1 * sim.state().v(0)), 0.1, 1e-7);
}

// Springs and dampers that no step resolves end where they pull to, without ringing; a damper alone is exact at any step.
TEST(Midpoint, WhatIsStiffDoesNotRing) {
  for (const double stiffness : {1e6, 1e9, 1e12}) {
    Simulation sim = testing::make_world(make_spring(stiffness, 0.0), {.step = 5e-3});
    State state = sim.state();
    state.q(0) = 0.1;
    sim.set_state(state);
    for (int n = 0; n < 40; ++n) {
      ASSERT_EQ(sim.step().status, Status::kSolved);
      ASSERT_LE(std::abs(sim.state().q(0)), 0.1 + 1e-12) << stiffness << " " << n;
    }
    EXPECT_LT(std::abs(sim.state().q(0)), 1e-6) << stiffness;
    EXPECT_LT(std::abs(sim.state().v(0)), 1e-3) << stiffness;
  }
  for (const double damping : {0.1, 30.0, 1e5}) {
    Simulation sim = testing::make_world(make_spring(0.0, damping), {.step = 1e-2});
    State state = sim.state();
    state.v(0) = 1.0;
    sim.set_state(state);
    for (int n = 1; n <= 20; ++n) {
      ASSERT_EQ(sim.step().status, Status::kSolved);
      ASSERT_NEAR(sim.state().v(0), std::exp(-damping * 1e-2 * n), 1e-12) << damping;
    }
  }
}

// The tilt of scenes/spinning_top stays 20° to 0.02° in a turn of its axis, at the step of its file; the bar is 0.1°.
TEST(Midpoint, ATopKeepsItsTilt) {
  Simulation sim = testing::make_scene("spinning_top");
  while (sim.time() < 1.906232) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    const VectorXd& q = sim.state().q;
    const Vector3d axis = Quaterniond(q(3), q(4), q(5), q(6)) * Vector3d::UnitZ();
    ASSERT_NEAR(std::acos(axis.z()) * 180.0 / std::numbers::pi, 20.0, 0.02) << sim.time();
  }
}

// A wheel rolls without any loss, and its rim does not slip.
TEST(Midpoint, AWheelRollsOn) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  testing::add_sphere(d, 0.1, 1.0, 0.5, Vector3d(0.0, 0.0, 0.1));
  Simulation sim = testing::make_simulation(d, {.step = 1e-3});
  State state = sim.state();
  state.v(0) = 1.0;
  state.v(4) = 10.0;
  sim.set_state(state);
  ASSERT_TRUE(sim.run(20.0));
  EXPECT_NEAR(sim.state().v(0), 1.0, 1e-9);
  EXPECT_NEAR(sim.state().q(0), 20.0, 1e-7);
}

// Successive heights are e² of one another, at any step, down to where bounces are too slow to be ones.
TEST(Midpoint, BouncesLoseWhatRestitutionTakes) {
  for (const double h : {1e-3, 5e-3}) {
    for (const double e : {0.5, 0.8, 1.0}) {
      ModelDescription d;
      testing::add_floor(d, 0.0);
      testing::add_sphere(d, 0.1, 1.0, 0.0, Vector3d(0.0, 0.0, 1.1));
      Simulation sim = testing::make_simulation(d, {.step = h, .restitution = e});
      double expected = 1.0, energy = kGround;
      for (int bounces = 0; bounces < 3;) {
        const double before = sim.state().v(2);
        ASSERT_EQ(sim.step().status, Status::kSolved);
        if (!(before < 0.0 && sim.state().v(2) > 0.0)) continue;
        ++bounces;
        expected *= e * e;
        const double v = sim.state().v(2);
        energy = 0.5 * v * v + kGround * (sim.state().q(2) - 0.1);
        EXPECT_NEAR(energy / kGround, expected, 1e-4 + 0.5 * kGround * h * h * bounces) << "h " << h << " e " << e;
      }
    }
  }
}

// Leads, and what contacts gave, are in a checkpoint: a run goes on bit for bit, also in the midst of bounces.
TEST(Midpoint, GoesOnFromACheckpoint) {
  ModelDescription d;
  testing::add_floor(d, 0.3);
  for (int k = 0; k < 3; ++k)
    testing::add_box(d, Vector3d(0.05, 0.04, 0.03), 0.5, 0.3, {.p = Vector3d(0.02 * k, 0.0, 0.2 + 0.15 * k)});
  Simulation one = testing::make_simulation(d, {.step = 2e-3, .restitution = 0.6});
  Simulation two = testing::make_simulation(d, {.step = 2e-3, .restitution = 0.6});
  for (int n = 0; n < 400; ++n) {
    one.step();
    if (n % 20 == 7) {
      ASSERT_TRUE(two.load_checkpoint(one.save_checkpoint()));
    }
    if (n % 20 > 7) two.step();
    if (n % 20 == 19) {
      ASSERT_EQ(one.calc_hash(), two.calc_hash()) << n;
    }
  }
}

}  // namespace
}  // namespace tribo
