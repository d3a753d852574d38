// A steady step of a simulation takes no memory: from poses and contacts to certificate and new positions.
#include "tribo/io/model_file.hpp"
#include "tribo/sim/simulation.hpp"

#include "guard.hpp"
#include "sim/worlds.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

int count_steady(Simulation sim, int settle) {
  for (int k = 0; k < settle; ++k) sim.step();
  return testing::count_allocations([&] {
    for (int k = 0; k < 10; ++k) sim.step();
  });
}

int count_steady(const std::string& scene, int settle, bool compliant = false) {
  Expected<World> world = load(testing::source_dir() + "/scenes/" + scene + ".xml");
  EXPECT_TRUE(world.has_value()) << scene;
  return count_steady(Simulation::make(std::move(world.value().model), {.compliant = compliant}).value(), settle);
}

// Boxes apart from one another on a slope: with little friction they slide.
Simulation make_boxes(int count, double mu, bool compliant) {
  ModelDescription d;
  testing::add_floor(d, mu, 0.3);
  const Quaterniond turn(Eigen::AngleAxisd(0.3, Vector3d::UnitY()));
  for (int k = 0; k < count; ++k)
    testing::add_box(d, Vector3d(0.1, 0.1, 0.05), 1.0, mu, {.p = turn * Vector3d(0.0, 1.0 * k, 0.05), .q = turn});
  return testing::make_simulation(d, {.step = 1e-3, .compliant = compliant});
}

// One island at rest, several islands at rest, springs at rest.
TEST(Allocation, StepsAtRestTakeNoMemory) {
  EXPECT_EQ(count_steady(make_boxes(3, 0.8, false), 20), 0);
  EXPECT_EQ(count_steady(make_boxes(3, 0.8, true), 50), 0);
  EXPECT_EQ(count_steady("box_stack", 100, true), 0);
  EXPECT_EQ(count_steady("incline", 20), 0);
  EXPECT_EQ(count_steady("box_stack", 20), 0);
  EXPECT_EQ(count_steady("arch", 20), 0);
}

// A box that slides and rods that swing are solved in every step.
TEST(Allocation, MovingStepsTakeNoMemory) {
  EXPECT_EQ(count_steady(make_boxes(1, 0.1, false), 20), 0);
  EXPECT_EQ(count_steady(make_boxes(3, 0.1, false), 20), 0);
  EXPECT_EQ(count_steady(make_boxes(3, 0.1, true), 50), 0);
  EXPECT_EQ(count_steady("double_pendulum", 20), 0);
  EXPECT_EQ(count_steady("spinning_top", 20), 0);
}

}  // namespace
}  // namespace tribo
