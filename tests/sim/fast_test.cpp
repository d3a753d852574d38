// Bodies that are fast, pressed, or moved by hand.
#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// A plate of 1 cm stops a ball at any speed: how far a body sees must follow how far it goes in a step.
TEST(FastBodies, DoNotPassThroughThinWalls) {
  for (const double speed : {5.0, 60.0, 300.0}) {
    for (const double h : {1e-3, 1e-2}) {
      ModelDescription d;
      d.gravity.setZero();
      testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(0.005, 0.5, 0.5), -1}, 0.3);
      testing::add_sphere(d, 0.02, 0.1, 0.3, Vector3d(-1.0, 0.0, 0.0));
      Simulation sim = testing::make_simulation(d, {.step = h});
      State state = sim.state();
      state.v(0) = speed;
      sim.set_state(state);
      for (int k = 0; k < 300; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
      EXPECT_LT(sim.state().q(0), 0.0) << speed << " m/s at " << h << " s";
    }
  }
}

// The same for bodies that fall: gravity counts in what is fast.
TEST(FastBodies, DoNotFallThroughPlatesAtLargeSteps) {
  ModelDescription d;
  testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(0.5, 0.5, 0.005), -1}, 0.3);
  testing::add_sphere(d, 0.02, 0.1, 0.3, Vector3d(0.0, 0.0, 5.0));
  Simulation sim = testing::make_simulation(d, {.step = 1e-2});
  for (int k = 0; k < 200; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  EXPECT_NEAR(sim.state().q(2), 0.025, 1e-4);
}

// A light finger that a strong motor starts within the step: what forces do to the speed counts in what is fast.
TEST(FastBodies, DoNotPassWhenAForceStartsThem) {
  ModelDescription d;
  d.gravity.setZero();
  testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(0.005, 0.5, 0.5), -1}, 0.3);
  testing::add_sphere(d, 0.01, 0.05, 0.3, Vector3d(-0.035, 0.0, 0.0));
  for (const double h : {1e-3, 1e-2}) {
    Simulation sim = testing::make_simulation(d, {.step = h});
    sim.applied()(0) = 200.0;
    for (int k = 0; k < 20; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
    EXPECT_LT(sim.state().q(0), 0.0) << h;
  }
}

// A block that is pressed against the floor rests there whatever bounces elsewhere: a standing load is no impact.
TEST(Bounces, LeaveWhatIsPressedAtRest) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  const Index block = testing::add_box(d, Vector3d::Constant(0.05), 0.1, 0.5, {.p = Vector3d(0.0, 0.0, 0.05)});
  testing::add_sphere(d, 0.05, 0.1, 0.5, Vector3d(3.0, 0.0, 0.3));
  Simulation sim = testing::make_simulation(d, {.step = 1e-3, .restitution = 0.8});
  sim.applied()(sim.model().v_start(sim.model().first_joint(block)) + 2) = -20.0;
  double fastest = 0.0;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_EQ(sim.step().status, Status::kSolved);
    fastest = std::max(fastest, sim.state().v.head<6>().cwiseAbs().maxCoeff());
  }
  EXPECT_LT(fastest, 1e-6);
  EXPECT_LT(sim.state().q(2), 0.0501);
}

// A paddle gives energy to a ball: the ball leaves with e times the speed at which they met, seen from the paddle.
TEST(Bounces, HappenOnBodiesThatAreMovedByHand) {
  ModelDescription d;
  d.gravity.setZero();
  Body paddle;
  paddle.name = "paddle";
  paddle.kinematic = true;
  d.bodies.push_back(paddle);
  testing::add_geom(d, 1, {ShapeType::kBox, Vector3d(0.01, 0.2, 0.2), -1}, 0.0);
  testing::add_sphere(d, 0.05, 0.1, 0.0, Vector3d(0.2, 0.0, 0.0));
  Simulation sim = testing::make_simulation(d, {.step = 1e-3, .restitution = 0.5});
  State state = sim.state();
  state.kinematic[0].velocity = Vector3d(1.0, 0.0, 0.0);
  sim.set_state(state);
  for (int k = 0; k < 300; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  EXPECT_NEAR(sim.state().v(0), 1.5, 1e-9);
}

// Two bodies that nothing can move need no force between them.
TEST(Contacts, AreNotListedBetweenBodiesThatDoNotMove) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  Body carrier;
  carrier.name = "carrier";
  carrier.kinematic = true;
  carrier.pose.p = Vector3d(0.0, 0.0, 0.05);
  d.bodies.push_back(carrier);
  testing::add_geom(d, 1, {ShapeType::kBox, Vector3d::Constant(0.05), -1}, 0.5);
  testing::add_box(d, Vector3d::Constant(0.02), 0.1, 0.5, {.p = Vector3d(0.0, 0.0, 0.12)});
  Simulation sim = testing::make_simulation(d, {.step = 1e-3});
  for (int k = 0; k < 10; ++k) ASSERT_EQ(sim.step().status, Status::kSolved);
  ASSERT_FALSE(sim.contacts().empty());
  for (const ContactRecord& contact : sim.contacts()) EXPECT_EQ(std::max(contact.shape_a, contact.shape_b), 2);
}

// Friction that is bounded by the last step's normal force holds a block on a slope that friction can hold.
TEST(FrictionBoxInScenes, HoldsABlockOnASlope) {
  const auto slide = [](double mu) {
    ModelDescription d;
    testing::add_floor(d, mu, 0.3);
    const Quaterniond turn(Eigen::AngleAxisd(0.3, Vector3d::UnitY()));
    testing::add_box(d, Vector3d(0.1, 0.1, 0.05), 1.0, mu, {.p = turn * Vector3d(0.0, 0.0, 0.05), .q = turn});
    Simulation sim = testing::make_simulation(d, {.model = FrictionBox{}, .step = 1e-3});
    const double start = sim.state().q(0);
    for (int k = 0; k < 300; ++k) EXPECT_TRUE(is_solved(sim.step().status));
    return sim.state().q(0) - start;
  };
  EXPECT_LT(slide(0.5), 1e-3);  // the first step knows no normal force yet
  EXPECT_GT(slide(0.1), 0.05);
}

// Models without friction against turning run scenes that have it.
TEST(OtherModels, LeaveFrictionAgainstTurningOut) {
  for (const ContactModel& model :
       {ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(CoulombPyramid{})}) {
    Simulation sim = testing::make_scene("quadruped_stand", {.model = model});
    for (int k = 0; k < 5; ++k) EXPECT_TRUE(is_solved(sim.step().status)) << to_string(model);
  }
}

}  // namespace
}  // namespace tribo
