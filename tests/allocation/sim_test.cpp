// A steady step of a simulation takes no memory: from poses and contacts to certificate and new positions.
#include "tribo/io/model_file.hpp"
#include "tribo/sim/simulation.hpp"

#include "guard.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

int count_steady(const std::string& scene, int settle) {
  Expected<World> world = load(testing::source_dir() + "/scenes/" + scene + ".xml");
  EXPECT_TRUE(world.has_value()) << scene;
  Simulation sim = Simulation::make(std::move(world.value().model)).value();
  for (int k = 0; k < settle; ++k) sim.step();
  return testing::count_allocations([&] {
    for (int k = 0; k < 10; ++k) sim.step();
  });
}

// One island at rest, many islands at rest.
TEST(Allocation, StepsAtRestTakeNoMemory) {
  EXPECT_EQ(count_steady("incline", 20), 0);
  EXPECT_EQ(count_steady("box_stack", 20), 0);
  EXPECT_EQ(count_steady("arch", 20), 0);
}

// A box that slides and rods that swing are solved in every step.
TEST(Allocation, MovingStepsTakeNoMemory) {
  EXPECT_EQ(count_steady("double_pendulum", 20), 0);
  EXPECT_EQ(count_steady("spinning_top", 20), 0);
}

}  // namespace
}  // namespace tribo
