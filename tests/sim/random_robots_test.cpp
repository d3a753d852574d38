// Robots at random on floors at random (random_robots.hpp) fall, swing their servos and come to rest: every step is certified.
// TRIBO_FUZZ=N makes N robots instead of those of every run, TRIBO_FUZZ_SEED another sequence. 800 robots take 10^5 steps; of 900
// three still fail (seeds 1000174, 1000319 and 2000337: loops and limits that the correction of positions cannot bring together).
#include "sim/random_robots.hpp"

#include <cmath>
#include <cstdlib>
#include <iostream>

#include "sim/mjcf_world.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr int kSteps = 125;  // of each robot

int read_number(const char* name, int usual) {
  const char* asked = std::getenv(name);
  return asked != nullptr ? std::max(1, std::atoi(asked)) : usual;
}

// Friction against spinning and rolling, dry friction, limits, servos, tendons and loops meet in one island; whatever they are, each
// step has an answer that certifies.
TEST(RandomRobots, EveryStepIsCertified) {
  const int robots = read_number("TRIBO_FUZZ", 160), first = read_number("TRIBO_FUZZ_SEED", 1);
  static constexpr double kStepSizes[] = {1e-3, 2e-3, 5e-3};
  int steps = 0, failed = 0;
  for (int k = 0; k < robots; ++k) {
    const std::uint64_t seed = static_cast<std::uint64_t>(first) * 1000003 + static_cast<std::uint64_t>(k);
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomRobot robot(seed);
    Simulation sim = testing::make_world(robot.make(), {.step = kStepSizes[k % 3]});
    for (int step = 0; step < kSteps; ++step) {
      for (std::size_t a = 0; a < robot.actuators(); ++a)
        sim.control()(static_cast<Index>(a)) = robot.swing(a, sim.time());
      const StepReport& report = sim.step();
      ++steps;
      if (is_solved(report.status)) continue;
      ++failed;
      ADD_FAILURE() << "step " << step << ": " << report.detail << ", worst " << report.worst;
      break;
    }
  }
  EXPECT_EQ(failed, 0) << "of " << steps << " steps";
}

}  // namespace
}  // namespace tribo
