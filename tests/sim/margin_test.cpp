// How far contacts are looked for: a part of the size of what may touch, and what motion can close within the step.
#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// A ball that hangs over a floor on a slide that cannot fall.
Simulation hang_ball(double radius, double gap, std::optional<double> margin) {
  ModelDescription d;
  d.gravity.setZero();
  testing::add_floor(d, 0.5);
  testing::add_sphere(d, radius, 0.1, 0.5, Vector3d(0.0, 0.0, radius + gap));
  return testing::make_simulation(d, {.step = 1e-3, .margin = margin});
}

std::size_t count_contacts(Simulation sim) {
  EXPECT_EQ(sim.step().status, Status::kSolved);
  return sim.contacts().size();
}

// Parts of a hand that are millimetres apart have no contact, blocks of a wall have; 2 % of half the diagonal of the box.
TEST(Margin, FollowsTheSizeOfTheSmallerShape) {
  EXPECT_EQ(count_contacts(hang_ball(0.01, 3e-4, {})), 1U);
  EXPECT_EQ(count_contacts(hang_ball(0.01, 4e-4, {})), 0U);
  EXPECT_EQ(count_contacts(hang_ball(0.1, 3e-3, {})), 1U);
  EXPECT_EQ(count_contacts(hang_ball(0.1, 4e-3, {})), 0U);
  EXPECT_EQ(count_contacts(hang_ball(10.0, 0.9e-2, {})), 1U);
  EXPECT_EQ(count_contacts(hang_ball(10.0, 1.1e-2, {})), 0U);
}

// Where it is given it is what was given, for all shapes.
TEST(Margin, IsWhatTheOptionSays) {
  EXPECT_EQ(count_contacts(hang_ball(0.01, 0.9e-2, 1e-2)), 1U);
  EXPECT_EQ(count_contacts(hang_ball(0.01, 1.1e-2, 1e-2)), 0U);
  EXPECT_EQ(count_contacts(hang_ball(10.0, 2e-3, 1e-3)), 0U);
  EXPECT_EQ(count_contacts(hang_ball(10.0, 0.0, 0.0)), 1U);
}

// A small margin must not let small things through thin ones.
TEST(Margin, StopsABeadAtAFoil) {
  for (const double speed : {0.5, 20.0, 300.0}) {
    for (const double h : {1e-4, 1e-3, 1e-2}) {
      ModelDescription d;
      d.gravity.setZero();
      testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(5e-5, 0.5, 0.5), -1}, 0.3);
      testing::add_sphere(d, 1e-3, 1e-4, 0.3, Vector3d(-2.3 * h * speed - 2e-3, 0.0, 0.0));
      Simulation sim = testing::make_simulation(d, {.step = h});
      State state = sim.state();
      state.v(0) = speed;
      sim.set_state(state);
      for (int k = 0; k < 20; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
      EXPECT_LT(sim.state().q(0), -1e-3) << speed << " m/s at " << h << " s";
    }
  }
}

// Dice of 5 mm stand on one another: contacts within a margin of 0.09 mm stay listed, and nothing moves any more.
TEST(Margin, KeepsSmallStacksAtRest) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  for (int k = 0; k < 6; ++k)
    testing::add_box(d, Vector3d::Constant(2.5e-3), 1e-3, 0.5, {.p = Vector3d(0.0, 0.0, 2.5e-3 + 5e-3 * k)});
  Simulation sim = testing::make_simulation(d, {.step = 2e-3});
  for (int k = 0; k < 50; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  const VectorXd q = sim.state().q;
  for (int k = 0; k < 200; ++k) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    ASSERT_EQ(sim.contacts().size(), 24U);
    ASSERT_EQ(sim.report().pivots + sim.report().sweeps, 0);
  }
  EXPECT_TRUE(sim.state().q == q);
  // What rests costs collision nothing.
  EXPECT_EQ(sim.report().collision.manifolds, 6);
  EXPECT_EQ(sim.report().collision.distances, 0);
}

// A slide that a strong servo starts goes farther in its first step than its reach: what it would pass is listed after all.
TEST(Margin, DoesNotLetAServoThrough) {
  for (const double force : {50.0, 5e3, 5e5}) {
    ModelDescription d;
    d.gravity.setZero();
    testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(5e-4, 0.5, 0.5), -1}, 0.3);
    testing::add_sphere(d, 5e-3, 0.05, 0.3, Vector3d(-0.02, 0.0, 0.0));
    Simulation sim = testing::make_simulation(d, {.step = 1e-3});
    sim.applied()(0) = force;
    for (int k = 0; k < 40; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
    EXPECT_NEAR(sim.state().q(0), -5.5e-3, 1e-4) << force << " N";
  }
}

}  // namespace
}  // namespace tribo
