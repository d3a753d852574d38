// What rest costs: nothing is corrected, solved or computed anew. Counted, not timed.
#include "tribo/core/random.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/every_model.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

struct Counts {
  int corrections = 0, pivots = 0, sweeps = 0, listings = 0;
  std::uint64_t placed = 0, moved = 0;  // trees whose positions and velocities were computed anew (Data)
};

Counts count_steps(Simulation& simulation, int steps) {
  const auto add_up = [&](const std::vector<std::uint64_t>& counts) {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) sum += count;
    return sum;
  };
  Counts counts;
  const std::uint64_t placed = add_up(simulation.data().placed), moved = add_up(simulation.data().moved);
  for (int k = 0; k < steps; ++k) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, Status::kSolved) << report.detail;
    counts.corrections += report.correction > 0.0 ? 1 : 0;
    counts.pivots += report.pivots;
    counts.sweeps += report.sweeps;
    counts.listings += report.listings;
  }
  counts.placed = add_up(simulation.data().placed) - placed;
  counts.moved = add_up(simulation.data().moved) - moved;
  return counts;
}

// Positions and contacts were listed once per step, and nothing else was done.
void expect_idle(Simulation& simulation, int steps) {
  const VectorXd q = simulation.state().q;
  const Counts counts = count_steps(simulation, steps);
  EXPECT_EQ(counts.corrections, 0);
  EXPECT_EQ(counts.pivots, 0);
  EXPECT_EQ(counts.sweeps, 0);
  EXPECT_EQ(counts.listings, steps);
  EXPECT_EQ(counts.placed, 0U);
  EXPECT_EQ(counts.moved, 0U);
  EXPECT_TRUE(simulation.state().v.isZero(0.0));
  EXPECT_TRUE(simulation.state().q == q);
}

// The wall of 105 bricks, each pressed into what it lies on by `overlap`.
Simulation make_wall(double overlap, const ModelCase& model) {
  return make_scene("brick_wall", model.with({}), [&](ModelDescription& d) {
    for (std::size_t b = 1; b < d.bodies.size(); ++b) {
      double& height = d.bodies[b].pose.p.z();
      const double course = std::round((height - 0.04) / 0.08);  // the lowest: 0
      height -= (course + 1.0) * overlap;
    }
    set_viscous(d);
  });
}

// A wall of 10 bricks likewise: the first step of the large one takes seconds in the models box and pyramid.
Simulation make_small_wall(double overlap, const ModelCase& model) {
  ModelDescription d;
  add_floor(d, 0.6);
  for (int course = 0; course < 4; ++course) {
    for (int k = 0; k < 4 - course; ++k)
      add_box(d, Vector3d(0.12, 0.06, 0.04), 4.0, 0.6,
              {.p = Vector3d(0.24 * k + 0.12 * course, 0.0, 0.04 + 0.08 * course - (course + 1) * overlap)});
  }
  set_viscous(d);
  return make_simulation(std::move(d), model.with({.step = 2e-3}));
}

// Overlaps of the allowed size and of twice it are gone, or below it, after ten steps; from then on nothing is done.
template <typename Make>
void expect_corrected(const Make& make) {
  const double allowed = SimulationOptions{}.allowed_overlap;
  for (const double overlap : {allowed, 2.0 * allowed}) {
    Simulation wall = make(overlap);
    EXPECT_GE(count_steps(wall, 10).corrections, 1) << overlap;
    expect_idle(wall, 50);
    EXPECT_LT(wall.report().overlap, 0.6 * allowed) << overlap;
  }
}

TEST(RestCostOfCones, OfAWallThatStartsWithOverlap) {
  expect_corrected([](double overlap) { return make_wall(overlap, every_model()[5]); });
}

std::vector<ModelCase> rigid_models() {
  std::vector<ModelCase> models = every_model();
  models.pop_back();  // compliant: overlap carries the load, and is not corrected
  return models;
}

class RestCost : public ::testing::TestWithParam<ModelCase> {};
INSTANTIATE_TEST_SUITE_P(Models, RestCost, ::testing::ValuesIn(rigid_models()), NameOfModel());

TEST_P(RestCost, OfAWallThatStartsWithOverlap) {
  expect_corrected([](double overlap) { return make_small_wall(overlap, GetParam()); });
}

// The same wall after a motion: 0.05 m/s in every direction, at random.
TEST(RestCostOfCones, OfAWallThatWasShaken) {
  const double allowed = SimulationOptions{}.allowed_overlap;
  for (const double overlap : {0.0, allowed, 2.0 * allowed}) {
    Simulation wall = make_wall(overlap, every_model()[5]);
    Random random(3);
    State state = wall.state();
    for (Index i = 0; i < state.v.size(); ++i) state.v(i) = random.uniform(-0.05, 0.05) * (i % 6 < 3 ? 1.0 : 5.0);
    wall.set_state(state);
    int moving = 0;
    for (bool rests = false; !rests && moving < 100; ++moving) {
      ASSERT_EQ(wall.step().status, Status::kSolved) << wall.report().detail;
      rests = wall.state().v.isZero(0.0);
    }
    EXPECT_GT(moving, 2);
    count_steps(wall, 10);
    expect_idle(wall, 50);
    EXPECT_LE(wall.report().overlap, allowed) << overlap;
  }
}

// Boxes that rest on the floor, one by one.
TEST_P(RestCost, OfManyBoxes) {
  ModelDescription d;
  add_floor(d, 0.5);
  for (int k = 0; k < 100; ++k)
    add_box(d, Vector3d(0.1, 0.1, 0.05), 1.0, 0.5, {.p = Vector3d(1.0 * (k % 10), 1.0 * (k / 10), 0.05)});
  set_viscous(d);
  Simulation simulation = make_simulation(std::move(d), GetParam().with({.step = 1e-3}));
  count_steps(simulation, 5);
  expect_idle(simulation, 50);
}

}  // namespace
}  // namespace tribo::testing
