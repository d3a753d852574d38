// Overlaps that have no way out: tried once, left alone while nothing changes, told in every step, and in nobody else's
// way.
#include <cmath>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

// A box that stands `foot` m deep in the floor, with a chain of three links on hinges about x, all through one point:
// the ball of the second link stays there, and overlaps with a ball of the box by `deep` in every pose. The third link
// has no shape.
ModelDescription make_tangle(double deep, double foot) {
  ModelDescription d;
  add_floor(d, 0.5);
  const Index body = add_box(d, Vector3d(0.3, 0.3, 0.05), 5.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.05 - foot)});
  Body link;
  link.name = "link";
  link.parent = body;
  link.pose.p = Vector3d(0.0, 0.0, 0.5);
  link.inertia = {1.0, Vector3d(0.1, 0.0, 0.0), 0.01 * Matrix3d::Identity()};
  d.bodies.push_back(link);
  Joint hinge;
  hinge.name = "link";
  hinge.body = 2;
  hinge.axis = Vector3d::UnitX();  // through the centre of the ball: it turns and stays where it is
  d.joints.push_back(hinge);
  link.pose.p = Vector3d::Zero();
  for (const Index parent : {2, 3}) {
    link.name = "link_" + std::to_string(parent);
    link.parent = parent;
    d.bodies.push_back(link);
    hinge.name = link.name;
    hinge.body = parent + 1;
    d.joints.push_back(hinge);
  }
  add_geom(d, body, {ShapeType::kSphere, Vector3d(0.1, 0.0, 0.0), -1}, 0.5, {.p = Vector3d(0.2 - deep, 0.0, 0.5)});
  add_geom(d, 3, {ShapeType::kSphere, Vector3d(0.1, 0.0, 0.0), -1}, 0.5);
  return d;
}

int count_searches(const StepReport& report) { return static_cast<int>(report.collision.pairs); }

// The third link turns: no state is that of the step before. Collision is asked once per step, and not a second time to
// correct.
TEST(Stuck, IsNotTriedAgainWhileNothingChanges) {
  Simulation simulation = make_simulation(make_tangle(0.02, 0.0), {.step = 1e-3});
  State state = simulation.state();
  state.v(8) = 1.0;
  simulation.set_state(state);
  const int twice = count_searches(simulation.step());
  for (int k = 0; k < 300; ++k) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, Status::kSolved) << report.detail;
    EXPECT_FALSE(report.corrected) << k;
    EXPECT_NE(report.detail.find("no way out"), std::string::npos) << report.detail;
    EXPECT_LT(count_searches(report), twice) << k;
  }
  EXPECT_NEAR(simulation.report().overlap, 0.02, 1e-6);
}

// A ball that lies on the box is thrown off it: what blocked the pair may have been that ball.
TEST(Stuck, IsTriedAgainWhenANeighbourLeaves) {
  ModelDescription d = make_tangle(0.02, 0.0);
  add_sphere(d, 0.05, 1.0, 0.5, Vector3d(-0.2, 0.0, 0.15));
  Simulation simulation = make_simulation(std::move(d), {.step = 1e-3});
  simulation.step();
  const int once = count_searches(simulation.step());
  for (int k = 0; k < 10; ++k) EXPECT_EQ(count_searches(simulation.step()), once) << k;
  simulation.applied()(simulation.model().nv() - 4) = 30.0;  // N, up
  int again = 0;
  for (int k = 0; k < 100; ++k) again += count_searches(simulation.step()) > once ? 1 : 0;
  EXPECT_GE(again, 1);
  EXPECT_LE(again, 5);
}

// The foot is taken out of the floor, though the same tree has an overlap that stays.
TEST(Stuck, LeavesTheOthersToBeCorrected) {
  Simulation simulation = make_simulation(make_tangle(0.02, 1e-3), {.step = 1e-3});
  for (int k = 0; k < 20; ++k) simulation.step();
  EXPECT_NEAR(simulation.state().q(2), 0.05 - 0.5e-5, 1e-7);
  EXPECT_FALSE(simulation.report().corrected);
}

// Two bodies of their own have a way out, at once.
TEST(Stuck, DoesNotHoldWhatCanMove) {
  ModelDescription d;
  add_sphere(d, 0.1, 1.0, 0.5, Vector3d::Zero());
  add_sphere(d, 0.1, 1.0, 0.5, Vector3d(0.18, 0.0, 0.0));
  d.gravity.setZero();
  Simulation simulation = make_simulation(std::move(d), {.step = 1e-3});
  for (int k = 0; k < 30; ++k) EXPECT_TRUE(simulation.step().corrected) << k;
  EXPECT_LT(simulation.report().overlap, 1e-5);
}

// What is stuck is part of what the next step depends on.
TEST(Stuck, IsPartOfACheckpoint) {
  Simulation simulation = make_simulation(make_tangle(0.02, 0.0), {.step = 1e-3});
  State state = simulation.state();
  state.v(8) = 1.0;
  simulation.set_state(state);
  for (int k = 0; k < 30; ++k) simulation.step();
  Simulation other = make_simulation(make_tangle(0.02, 0.0), {.step = 1e-3});
  const std::vector<std::uint8_t> checkpoint = simulation.save_checkpoint();
  ASSERT_TRUE(other.load_checkpoint(checkpoint));
  EXPECT_EQ(other.save_checkpoint(), checkpoint);
  for (int k = 0; k < 90; ++k) {
    EXPECT_EQ(count_searches(other.step()), count_searches(simulation.step())) << k;
    EXPECT_EQ(other.calc_hash(), simulation.calc_hash()) << k;
  }
  std::vector<std::uint8_t> cut = checkpoint;
  cut.pop_back();
  EXPECT_FALSE(other.load_checkpoint(cut));
}

// Three hinges whose last link is joined to the world; the last axis is tilted by 1e-9 rad, so that the row across the
// plane says next to nothing. The anchor is 1 nm off along it. What repeats the other rows to 1e-9 is rounding, not a
// way to close a loop: along it the link would turn by a radian.
TEST(Loops, ThatAreNearlyRedundantStayNearby) {
  ModelDescription d = make_hinged(1.0, 0.0, 0.1);
  for (Index k = 1; k < 3; ++k) {
    Body link = d.bodies[1];
    link.parent = k;
    link.name = "link_" + std::to_string(k);
    link.pose.p = Vector3d(0.5, 0.0, 0.0);
    d.bodies.push_back(link);
    Joint hinge = d.joints[0];
    hinge.name = link.name;
    hinge.body = k + 1;
    if (k == 2) hinge.axis = Vector3d(0.0, 1.0, 1e-9).normalized();
    d.joints.push_back(hinge);
  }
  d.gravity.setZero();
  Equality joined;
  joined.type = EqualityType::kConnect;
  joined.a = 3;
  joined.b = 0;
  joined.frame_a.p = Vector3d(0.5, 0.0, 0.0);
  const double angles[3] = {0.4, -0.9, 0.7};
  double turned = 0.0;
  for (const double angle : angles) {
    turned += angle;
    joined.frame_b.p += 0.5 * Vector3d(std::cos(turned), 0.0, -std::sin(turned));
  }
  joined.frame_b.p.y() += 1e-9;
  d.equalities.push_back(joined);
  Simulation simulation = make_simulation(std::move(d), {.step = 1e-3});
  State state = simulation.state();
  state.q << angles[0], angles[1], angles[2];
  simulation.set_state(state);
  for (int k = 0; k < 50; ++k) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, Status::kSolved);
    EXPECT_TRUE(report.corrected) << report.detail;
    EXPECT_LT(report.loop_error, 2e-9);
  }
  EXPECT_LT((simulation.state().q - state.q).cwiseAbs().maxCoeff(), 1e-8);
}

// A hinge that two couplings hold at angles 0.02 rad apart: it goes between them, and each step says what stays open.
TEST(Loops, ThatContradictOneAnotherAreToldInEveryStep) {
  ModelDescription d = make_hinged(1.0, 0.0, 0.1);
  Equality lock;
  lock.type = EqualityType::kJoint;
  lock.a = 0;
  lock.b = -1;
  for (const double angle : {0.01, -0.01}) {
    lock.polynomial[0] = angle;
    d.equalities.push_back(lock);
  }
  Simulation simulation = make_simulation(std::move(d), {.step = 1e-3});
  State state = simulation.state();
  state.q << 0.005;
  simulation.set_state(state);
  for (int k = 0; k < 20; ++k) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, Status::kSolved) << report.detail;
    EXPECT_FALSE(report.corrected) << k;
    EXPECT_NE(report.detail.find("contradict"), std::string::npos) << report.detail;
  }
  EXPECT_NEAR(simulation.state().q(0), 0.0, 1e-9);
  EXPECT_NEAR(simulation.report().loop_error, 0.01, 1e-9);
}

}  // namespace
}  // namespace tribo::testing
