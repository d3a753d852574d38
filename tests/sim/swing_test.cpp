// Bodies that a contact sets turning within the step: what they sweep must be looked for as well.
#include <numbers>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr double kSwingStep = 1e-2, kRodRadius = 0.01, kHalfPlate = 0.005;

struct Swing {
  double length;  // m, of the rod
  double way;     // m, that its free end goes in the step of the impact where nothing stops it
  double share;   // of that way, where the plate is
  double bounce;  // restitution
};

// A rod along x with its ends at x = ±l/2, and a plate of 1 cm across y, from near the other end on.
void add_rod_and_plate(ModelDescription& d, const Swing& swing, double side) {
  d.gravity.setZero();
  const double mass = 0.2, along = 0.5 * mass * kRodRadius * kRodRadius;
  const double across = mass * swing.length * swing.length / 12.0;
  const Index rod = testing::add_free_body(d, {mass, Vector3d::Zero(), Vector3d(along, across, across).asDiagonal()});
  const Quaterniond turn(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3d::UnitY()));
  testing::add_geom(d, rod, {ShapeType::kCapsule, Vector3d(kRodRadius, 0.5 * swing.length, 0.0), -1}, 0.3, {.q = turn});
  const double at = kRodRadius + kHalfPlate + swing.share * swing.way;
  testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(2.0, kHalfPlate, 1.0), -1}, 0.3,
                    {.p = Vector3d(2.0 - 0.35 * swing.length, side * at, 0.0)});
}

// A rod flies along y, and a post stops one end: the other goes on, faster by (1 + e)/2.
Simulation throw_rod(const Swing& swing, int threads = 1) {
  ModelDescription d;
  add_rod_and_plate(d, swing, 1.0);
  const double speed = swing.way / kSwingStep / (1.0 + 0.5 * (1.0 + swing.bounce));
  testing::add_geom(d, 0, {ShapeType::kSphere, Vector3d(0.02, 0.0, 0.0), -1}, 0.0,
                    {.p = Vector3d(-0.5 * swing.length, kRodRadius + 0.02 + 0.25 * kSwingStep * speed, 0.0)});
  Simulation sim = testing::make_simulation(d, {.step = kSwingStep, .threads = threads, .restitution = swing.bounce});
  State state = sim.state();
  state.v(1) = speed;
  sim.set_state(state);
  return sim;
}

// A rod at rest is struck at one end by a ball that is heavy beside it: the other end goes back with (1 + e)/2 of its speed.
Simulation strike_rod(const Swing& swing) {
  ModelDescription d;
  add_rod_and_plate(d, swing, -1.0);
  const double speed = 2.0 * swing.way / kSwingStep / (1.0 + swing.bounce);
  testing::add_sphere(d, 0.02, 100.0, 0.0,
                      Vector3d(-0.5 * swing.length, -kRodRadius - 0.02 - 0.25 * kSwingStep * speed, 0.0));
  Simulation sim = testing::make_simulation(d, {.step = kSwingStep, .restitution = swing.bounce});
  State state = sim.state();
  state.v(7) = speed;
  sim.set_state(state);
  return sim;
}

// How far the free end came towards the plate and beyond, along y.
double find_farthest(Simulation& sim, double length, double side) {
  double farthest = 0.0;
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(sim.step().status, Status::kSolved);
    const VectorXd& q = sim.state().q;
    const double end = q(1) + 0.5 * length * (Quaterniond(q(3), q(4), q(5), q(6)) * Vector3d::UnitX()).y();
    farthest = std::max(farthest, side * end);
  }
  return farthest;
}

// How far contacts are looked for must follow what contacts do to a body, not only the speed that it had before.
TEST(Swing, TheOtherEndOfARodDoesNotPassAPlate) {
  int cases = 0, thrown = 0, struck = 0;
  for (const double bounce : {0.0, 0.5}) {
    for (const double way : {0.05, 0.15, 0.2, 0.3, 0.4, 0.5}) {
      for (const double length : {0.2, 0.3, 0.5, 0.8, 1.2}) {
        for (const double share : {0.1, 0.3, 0.5, 0.65, 0.7, 0.8, 0.9}) {
          const Swing swing{length, way, share, bounce};
          const double plate = kRodRadius + kHalfPlate + share * way;
          Simulation a = throw_rod(swing), b = strike_rod(swing);
          ++cases;
          if (find_farthest(a, length, 1.0) > plate) ++thrown;
          if (find_farthest(b, length, -1.0) > plate) ++struck;
        }
      }
    }
  }
  EXPECT_EQ(thrown, 0) << "of " << cases;
  EXPECT_EQ(struck, 0) << "of " << cases;
}

// The step is solved again only where its answer would pass something, and the report says so.
TEST(Swing, IsReported) {
  Simulation towards = throw_rod({0.5, 0.3, 1.2, 0.0}), aside = throw_rod({0.5, 0.3, 3.0, 0.0});
  EXPECT_EQ(towards.step().listings, 2);
  EXPECT_TRUE(towards.report().warnings.empty());
  EXPECT_EQ(aside.step().listings, 1);
}

// What was listed again is forgotten after the step: neither threads nor a checkpoint change a bit.
TEST(Swing, HasTheSameBitsWithThreadsAndAfterACheckpoint) {
  const Swing swing{0.5, 0.3, 1.25, 0.5};
  Simulation one = throw_rod(swing), two = throw_rod(swing, 2), resumed = throw_rod(swing);
  one.step();
  ASSERT_GT(one.report().listings, 1);
  ASSERT_TRUE(resumed.load_checkpoint(one.save_checkpoint()).has_value());
  two.step();
  for (Simulation* sim : {&one, &two, &resumed}) sim->run(5 * kSwingStep);
  EXPECT_EQ(one.calc_hash(), two.calc_hash());
  EXPECT_EQ(one.calc_hash(), resumed.calc_hash());
}

// A ball that a ramp turns aside is no faster than before, but goes towards a plate that it was not closing in on.
TEST(Swing, WhatIsTurnedAsideDoesNotPassAPlate) {
  for (const double speed : {6.0, 12.0, 30.0}) {
    for (const double height : {0.012, 0.022, 0.03}) {
      ModelDescription d;
      const Quaterniond turn(Eigen::AngleAxisd(0.25 * std::numbers::pi, Vector3d::UnitY()));
      const double behind = (0.01 + 0.005 + 2e-4) * std::numbers::sqrt2 / 2.0;
      testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(0.01, 0.05, 0.2), -1}, 0.0,
                        {.p = Vector3d(behind, 0.0, -behind), .q = turn});
      testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(0.5, 0.5, 0.001), -1}, 0.0, {.p = Vector3d(0.0, 0.0, height)});
      testing::add_sphere(d, 0.005, 0.1, 0.0, Vector3d::Zero());
      Simulation sim = testing::make_simulation(d, {.step = 5e-3});
      State state = sim.state();
      state.v(0) = speed;
      sim.set_state(state);
      for (int k = 0; k < 4; ++k) {
        ASSERT_TRUE(is_solved(sim.step().status));
        ASSERT_LT(sim.state().q(2) + 0.005, height - 0.001 + 1e-4) << speed << " m/s, plate at " << height;
      }
    }
  }
}

}  // namespace
}  // namespace tribo
