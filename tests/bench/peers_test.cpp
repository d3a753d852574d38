// One quick run of `bench peers`, read as a program reads it. Times are not judged here.
#include <map>
#include <set>
#include <string>

#include "quick_bench.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

const QuickBench& quick_peers() {
  static const QuickBench bench(run_peers_bench);
  return bench;
}

// Ours holds every scene on every machine, certified; an engine that is not installed is named and not passed over.
TEST(PeersBench, QuickRunHoldsEverySceneAndNamesEveryEngine) {
  quick_peers().expect_promises("peers");
  std::set<std::string> named, scenes;
  for (const Json& line : quick_peers().lines) {
    if (line.at("kind") == "setting") named.insert(line.at("engine"));
    if (line.at("kind") == "left-out" && line.contains("package")) named.insert(line.at("what"));
    if (line.at("kind") != "run" || line.at("engine") != "tribo") continue;
    scenes.insert(line.at("scene"));
    if (line.at("scene") != "pile") {
      EXPECT_TRUE(line.at("succeeds").get<bool>()) << line.dump();
    }
  }
  EXPECT_EQ(named, (std::set<std::string>{"tribo", "tribo soft", "mujoco", "mujoco cg", "ode", "ode quick", "bullet",
                                          "bullet 10", "dart"}));
  EXPECT_EQ(scenes, (std::set<std::string>{"row_grasp", "box_stack_20", "heavy_top", "brick_wall", "sphere_stack",
                                           "incline", "pile"}));
}

// A body that every engine holds: one that was handed over with a wrong pose, shape, friction or weight would slide or fall.
TEST(PeersBench, EveryEngineHoldsABoxOnASlope) {
  int engines = 0;
  for (const Json& line : quick_peers().lines) {
    if (line.at("kind") != "run" || line.at("scene") != "incline") continue;
    ++engines;
    EXPECT_LT(line.at("moved_m").get<double>(), 1e-3) << line.dump();
    EXPECT_GE(line.at("contacts_mean").get<double>(), 3.0) << line.dump();
  }
  EXPECT_GE(engines, 1);
}

// Before the first touch all engines fall alike: by ½ g t² as we do, or by ½ g t (t + h) with Euler.
TEST(PeersBench, EveryEngineSteppedThePileUnderTheSameWeight) {
  for (const Json& line : quick_peers().lines) {
    if (line.at("kind") != "run" || line.at("scene") != "pile") continue;
    const double t = line.at("steps").get<double>() * 0.002;
    const double h = line.at("engine") == "tribo" ? 0.0 : 0.002;
    EXPECT_NEAR(line.at("drop_m").get<double>(), 0.5 * 9.81 * t * (t + h), 1e-6) << line.dump();
  }
}

}  // namespace
}  // namespace tribo
