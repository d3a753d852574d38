// Corrections of positions end: what was corrected asks for nothing in the next step, and what cannot be corrected is left alone.
#include "tribo/core/random.hpp"

#include <cmath>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

// The wall of 105 bricks, each pressed into what it lies on by `overlap`.
Simulation make_pressed_wall(double overlap) {
  return make_scene("brick_wall", {}, [&](ModelDescription& d) {
    for (std::size_t b = 1; b < d.bodies.size(); ++b) {
      double& height = d.bodies[b].pose.p.z();
      const double course = std::round((height - 0.04) / 0.08);  // the lowest: 0
      height -= (course + 1.0) * overlap;
    }
  });
}

struct Corrections {
  int count = 0, last = -1;  // steps that moved positions; the last of them
  int left_alone = 0;        // steps that reported positions which could not be corrected
};

// All steps solved; nothing may gain kinetic energy where nothing moved.
Corrections run_at_rest(Simulation& simulation, int steps) {
  Corrections corrections;
  for (int k = 0; k < steps; ++k) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, Status::kSolved) << "step " << k;
    EXPECT_TRUE(simulation.state().v.isZero(0.0)) << "step " << k;
    corrections.left_alone += report.corrected ? 0 : 1;
    if (!(report.correction > 0.0)) continue;
    ++corrections.count;
    corrections.last = k;
  }
  return corrections;
}

// With the allowed overlap as its own target, rounding had this wall corrected in every step.
TEST(CorrectionsEnd, OfAWallThatStartsWithTheAllowedOverlap) {
  const double allowed = SimulationOptions{}.allowed_overlap;
  for (const double overlap : {allowed, 2.0 * allowed}) {
    Simulation simulation = make_pressed_wall(overlap);
    const Corrections corrections = run_at_rest(simulation, 100);
    EXPECT_EQ(simulation.contacts().size(), 760U);
    EXPECT_GE(corrections.count, 1) << overlap;
    EXPECT_LT(corrections.last, 10) << overlap;
    EXPECT_EQ(corrections.left_alone, 0) << overlap;
    EXPECT_LT(simulation.report().overlap, 0.6 * allowed) << overlap;
  }
}

// What is within the allowed overlap stays where it is, to the last bit.
TEST(CorrectionsEnd, BelowTheAllowedOverlapNothingMoves) {
  Simulation simulation = make_pressed_wall(0.9 * SimulationOptions{}.allowed_overlap);
  const VectorXd q = simulation.state().q;
  EXPECT_EQ(run_at_rest(simulation, 20).count, 0);
  EXPECT_TRUE(simulation.state().q == q);
}

// Bricks that were thrown about are corrected on the way, and no more when they rest.
TEST(CorrectionsEnd, OfBricksThatWereShaken) {
  ModelDescription d;
  add_floor(d, 0.6);
  for (int course = 0; course < 3; ++course) {
    for (int k = 0; k < 4; ++k)
      add_box(d, Vector3d(0.12, 0.06, 0.04), 4.0, 0.6,
              {.p = Vector3d(0.26 * k + 0.13 * (course % 2), 0.0, 0.04 + 0.08 * course)});
  }
  Simulation simulation = make_simulation(std::move(d), {.step = 2e-3});
  Random random(3);
  State state = simulation.state();
  for (Index i = 0; i < state.v.size(); ++i) state.v(i) = random.uniform(-1.0, 1.0) * (i % 6 < 3 ? 1.0 : 5.0);
  simulation.set_state(state);
  int corrected = 0;
  for (int k = 0; k < 800; ++k) corrected += simulation.step().correction > 0.0 ? 1 : 0;
  EXPECT_GT(corrected, 0);
  EXPECT_EQ(run_at_rest(simulation, 100).count, 0);
}

// Two boxes on one another on a slope; sin and cos make all coordinates round.
Simulation make_pressed_boxes(double overlap, double away, SimulationOptions options) {
  ModelDescription d;
  const double slope = 0.1;
  add_floor(d, 0.5, slope);
  const Quaterniond turn(Eigen::AngleAxisd(slope, Vector3d::UnitY()));
  for (const double layer : {1.0, 2.0})
    add_box(d, Vector3d::Constant(0.1), 1.0, 0.5,
            {.p = turn * Vector3d(away, 0.3 * away, 0.2 * layer - 0.1 - layer * overlap), .q = turn});
  return make_simulation(std::move(d), options);
}

// Far from the origin an overlap is resolved to a few roundings of the coordinates.
TEST(CorrectionsEnd, FarFromTheOrigin) {
  for (const double away : {1.0, 1e3, 1e5, 1e7, 1e9, 1e11}) {
    for (const double overlap : {1e-5, 2e-5, 1e-3}) {
      Simulation simulation = make_pressed_boxes(overlap, away, {.step = 1e-3});
      for (int k = 0; k < 20; ++k) simulation.step();
      for (int k = 0; k < 20; ++k) EXPECT_EQ(simulation.step().correction, 0.0) << away << " " << overlap;
    }
  }
}

// No overlap at all is allowed: what rounding makes of one is none.
TEST(CorrectionsEnd, AlsoWhereNoOverlapIsAllowed) {
  for (const double overlap : {0.0, 1e-12, 1e-5}) {
    Simulation simulation = make_pressed_boxes(overlap, 0.7, {.step = 1e-3, .allowed_overlap = 0.0});
    EXPECT_LT(run_at_rest(simulation, 50).last, 10) << overlap;
    EXPECT_LT(simulation.report().overlap, 1e-13) << overlap;
  }
}

// A joint that is passed by the allowed amount, and by more.
TEST(CorrectionsEnd, OfJointLimits) {
  for (const double passed : {1e-5, 2e-5, 1e-3, 0.3}) {
    ModelDescription d = make_hinged(1.0, 0.0, 0.1);
    d.joints[0].limited = true;
    d.joints[0].lower = passed;
    d.joints[0].upper = 2.0;
    Simulation simulation = make_simulation(std::move(d), {.step = 1e-3});
    const Corrections corrections = run_at_rest(simulation, 100);
    EXPECT_LT(corrections.last, 40) << passed;  // half of it goes per step, 0.02 rad at most
    EXPECT_EQ(corrections.left_alone, 0) << passed;
    EXPECT_GE(simulation.state().q(0), passed - 1e-5 * (1.0 + 1e-9));
  }
}

// Two boxes on the floor, turned, joined at a point that is 10 mm open.
TEST(CorrectionsEnd, OfLoops) {
  for (const double away : {0.0, 1e3, 1e6, 1e8}) {
    ModelDescription d;
    add_floor(d, 0.5);
    std::vector<Index> boxes;
    for (const double side : {-1.0, 1.0}) {
      const Quaterniond turn(Eigen::AngleAxisd(0.3 * side, Vector3d::UnitZ()));
      boxes.push_back(add_box(d, Vector3d::Constant(0.1), 1.0, 0.5,
                              {.p = Vector3d(away + 0.25 * side, 0.3 * away, 0.1), .q = turn}));
    }
    Equality joined;
    joined.type = EqualityType::kConnect;
    joined.a = boxes[0];
    joined.b = boxes[1];
    joined.frame_a.p = Vector3d(0.24, 0.08, 0.0);
    joined.frame_b.p = Vector3d(-0.23, 0.07, 0.0);
    d.equalities.push_back(joined);
    Simulation simulation = make_simulation(std::move(d), {.step = 1e-3});
    for (int k = 0; k < 20; ++k) EXPECT_EQ(simulation.step().status, Status::kSolved);
    EXPECT_LT(simulation.report().loop_error, 1e-10 + 1e-14 * away) << away;
    for (int k = 0; k < 20; ++k) EXPECT_EQ(simulation.step().correction, 0.0) << away;
  }
}

// Two hinges about y and a link that their motion can close in the plane alone: its anchors are 10 µm apart across the plane, as in a
// file of rounded numbers. What can be closed is; the rest stays, and is no failure.
TEST(CorrectionsEnd, OfLoopsThatCloseInPartAlone) {
  ModelDescription d = make_hinged(1.0, 0.0, 0.1);
  Joint second = d.joints[0];
  Body lower = d.bodies[1];
  lower.name = "lower";
  lower.parent = 1;
  lower.pose.p = Vector3d(0.5, 0.0, 0.0);
  d.bodies.push_back(lower);
  second.name = "elbow";
  second.body = 2;
  d.joints.push_back(second);
  d.gravity.setZero();
  Equality joined;
  joined.type = EqualityType::kConnect;
  joined.a = 2;
  joined.b = 0;
  joined.frame_a.p = Vector3d(0.5, 0.0, 0.0);
  joined.frame_b.p = Vector3d(0.9, 1e-5, 0.2);
  d.equalities.push_back(joined);
  Simulation simulation = make_simulation(std::move(d), {.step = 1e-3});
  State state = simulation.state();
  state.q << 0.4, -0.9;
  simulation.set_state(state);
  for (int k = 0; k < 200; ++k) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, Status::kSolved);
    EXPECT_TRUE(report.corrected || k < 100) << k << " " << report.detail;
  }
  EXPECT_NEAR(simulation.report().loop_error, 1e-5, 1e-9);
}

// A hinge is locked where its limit does not allow it to be: neither can be corrected, and the step says so.
TEST(CorrectionsEnd, WhereRowsContradictEachOther) {
  ModelDescription d = make_hinged(1.0, 0.0, 0.1);
  d.joints[0].limited = true;
  d.joints[0].lower = 1e-3;
  d.joints[0].upper = 1.0;
  Equality lock;
  lock.type = EqualityType::kJoint;
  lock.a = 0;
  lock.b = -1;
  d.equalities.push_back(lock);
  Simulation simulation = make_simulation(std::move(d), {.step = 1e-3});
  const Corrections corrections = run_at_rest(simulation, 20);
  EXPECT_EQ(corrections.count, 0);
  EXPECT_EQ(corrections.left_alone, 20);
  EXPECT_NE(simulation.report().detail.find("no way out"), std::string::npos) << simulation.report().detail;
}

// A box between two plates that are too close, beside one that only lies too deep: that one is corrected, once.
TEST(CorrectionsEnd, OfWhatHasAWayOutBesideWhatHasNone) {
  for (const double narrow : {1e-4, 1e-2}) {
    ModelDescription d;
    add_floor(d, 0.5);
    add_geom(d, 0, {ShapeType::kBox, Vector3d(0.5, 0.5, 0.05), -1}, 0.5, {.p = Vector3d(0.0, 0.0, 0.25 - narrow)});
    add_box(d, Vector3d::Constant(0.1), 1.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.1)});
    add_box(d, Vector3d::Constant(0.1), 1.0, 0.5, {.p = Vector3d(3.0, 0.0, 0.1 - 1e-4)});
    Simulation simulation = make_simulation(std::move(d), {.step = 1e-3});
    const Corrections corrections = run_at_rest(simulation, 100);
    EXPECT_GE(corrections.count, 1) << narrow;
    EXPECT_LT(corrections.last, 10) << narrow;
    EXPECT_GT(corrections.left_alone, 80) << narrow;
    EXPECT_NEAR(simulation.state().q(9), 0.1 - 0.5e-5, 1e-9) << narrow;
    EXPECT_LT(simulation.state().q(2), 0.1 - 0.1 * narrow) << narrow;  // the overlap is shared by floor and plate
  }
}

// Boxes and balls that start inside one another, on a slope, between walls and under a lid that are too close, two of them joined.
Simulation make_jam(int seed) {
  Random random(seed);
  const auto between = [&](double low, double high) { return random.uniform(low, high); };
  const auto vector = [&](double size) {
    Vector3d v;
    for (int k = 0; k < 3; ++k) v(k) = between(-size, size);
    return v;
  };
  ModelDescription d;
  add_floor(d, 0.5, between(0.0, 0.2));
  const Index count = random.integer(2, 6);
  const double room = std::pow(10.0, between(-4.0, -1.5));
  if (between(0.0, 1.0) < 0.5) {
    const double height = 0.2 * static_cast<double>((count + 1) / 2) - room;
    const Quaterniond turn(Eigen::AngleAxisd(between(-0.05, 0.05), Vector3d::UnitX()));
    add_geom(d, 0, {ShapeType::kBox, Vector3d(1.0, 1.0, 0.05), -1}, 0.5,
             {.p = Vector3d(0.0, 0.0, height + 0.05), .q = turn});
  }
  for (const double side : {-1.0, 1.0}) {
    const double at = 0.25 - room * between(0.0, 1.0);
    const Quaterniond turn(Eigen::AngleAxisd(between(-0.02, 0.02), Vector3d::UnitY()));
    add_geom(d, 0, {ShapeType::kBox, Vector3d(0.05, 1.0, 1.0), -1}, 0.5,
             {.p = Vector3d(side * at, 0.0, 0.5), .q = turn});
  }
  std::vector<Index> bodies;
  for (Index k = 0; k < count; ++k) {
    const Vector3d at = Vector3d(k % 2 == 0 ? -0.1 : 0.1, 0.0, 0.1 + 0.2 * static_cast<double>(k / 2)) + vector(room);
    const Vector3d angle = vector(room);
    const Quaterniond turn(Eigen::AngleAxisd(angle.norm(), angle.normalized()));
    bodies.push_back(between(0.0, 1.0) < 0.7
                         ? add_box(d, Vector3d::Constant(0.1), between(0.1, 10.0), 0.5, {.p = at, .q = turn})
                         : add_sphere(d, 0.1, 1.0, 0.5, at));
  }
  Equality joined;
  joined.type = between(0.0, 1.0) < 0.5 ? EqualityType::kConnect : EqualityType::kWeld;
  joined.a = bodies[0];
  joined.b = bodies[1];
  joined.frame_a.p = Vector3d(0.1 + 0.3 * room, room, 0.0);
  joined.frame_b.p = Vector3d(-0.1, 0.0, 0.0);
  d.equalities.push_back(joined);
  return make_simulation(std::move(d), {.step = 2e-3});
}

// Rows that contradict each other and turns that are cut short once led in circles of up to 0.02 rad per step, for ever.
TEST(CorrectionsEnd, WhereTheWayOutLeadsInCircles) {
  for (const int seed : {85, 145, 323, 650, 946}) {
    Simulation simulation = make_jam(seed);
    for (int k = 0; k < 400; ++k) simulation.step();
    ASSERT_TRUE(simulation.state().v.isZero(0.0)) << seed;
    EXPECT_EQ(run_at_rest(simulation, 50).count, 0) << seed;
  }
}

}  // namespace
}  // namespace tribo::testing
