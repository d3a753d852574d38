// Things that are thrown on one another overlap nowhere: what they may touch next is listed before they touch it.
#include "tribo/core/random.hpp"

#include <algorithm>

#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

Pose random_place(Random& random, const Vector3d& at, double spread) {
  const Quaterniond turn(random.normal(), random.normal(), random.normal(), random.normal());
  return {at + spread * Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)),
          turn.normalized()};
}

// Thrown down and spinning: 1 m/s sideways, 2 m/s down, 15 rad/s.
void throw_all(Simulation& simulation, Random& random) {
  State state = simulation.state();
  for (Index at = 0; at + 6 <= simulation.model().nv(); at += 6) {
    for (Index k = 0; k < 3; ++k) {
      state.v(at + k) = random.uniform(-1.0, 1.0);
      state.v(at + 3 + k) = random.uniform(-15.0, 15.0);
    }
    state.v(at + 2) -= 1.0;
  }
  simulation.set_state(state);
}

double run_deepest(Simulation& simulation, double seconds) {
  double deepest = 0.0;
  while (simulation.time() < seconds) deepest = std::max(deepest, simulation.step().overlap);
  return deepest;
}

// One box falls on another that falls on the floor, with all poses and speeds left to chance.
TEST(PileOverlap, TwoBoxesThrownOnEachOtherStayApart) {
  Random random(81);
  double deepest = 0.0;
  for (int trial = 0; trial < 40; ++trial) {
    ModelDescription d;
    add_floor(d, 0.5);
    for (const double height : {0.11, 0.30}) {
      const Vector3d half(random.uniform(0.025, 0.055), random.uniform(0.025, 0.055), random.uniform(0.025, 0.055));
      add_box(d, half, 8000.0 * half.prod(), 0.5, random_place(random, Vector3d(0.0, 0.0, height), 0.01));
    }
    Simulation simulation = make_simulation(std::move(d), {.step = 1e-3});
    throw_all(simulation, random);
    const double here = run_deepest(simulation, 0.4);
    EXPECT_LT(here, 1e-4) << "trial " << trial;
    deepest = std::max(deepest, here);
  }
  RecordProperty("deepest_um", static_cast<int>(1e6 * deepest));
}

}  // namespace
}  // namespace tribo::testing
