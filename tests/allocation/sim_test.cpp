// A steady step of a simulation takes no memory: from poses and contacts to certificate and new positions.
#include "tribo/sim/simulation.hpp"

#include "guard.hpp"
#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

int count_steady(Simulation sim, int settle) {
  for (int k = 0; k < settle; ++k) sim.step();
  return testing::count_allocations([&] {
    for (int k = 0; k < 10; ++k) sim.step();
  });
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

int count_steady(const std::string& scene, int settle, bool compliant = false) {
  return count_steady(testing::make_scene(scene, {.compliant = compliant}), settle);
}

// One island at rest, several islands at rest, springs at rest.
TEST(Allocation, StepsAtRestTakeNoMemory) {
  EXPECT_EQ(count_steady(make_boxes(3, 0.8, false), 20), 0);
  EXPECT_EQ(count_steady(make_boxes(3, 0.8, true), 50), 0);
  EXPECT_EQ(count_steady("box_stack", 100, true), 0);
  for (const char* scene : {"arch", "box_stack", "box_stack_20", "brick_wall", "heavy_on_light", "heavy_top", "incline",
                            "row_grasp", "row_grasp_20", "sphere_stack"})
    EXPECT_EQ(count_steady(scene, 20), 0) << scene;
  // They have to come to rest first.
  EXPECT_EQ(count_steady("hand_grasp", 500), 0);
  EXPECT_EQ(count_steady("quadruped_stand", 800), 0);
}

// What slides, swings, spins or turns without end is solved in every step. The four-bar linkage, and with Euler the spinning
// top, have their positions corrected on the way as well.
TEST(Allocation, MovingStepsTakeNoMemory) {
  EXPECT_EQ(count_steady(make_boxes(1, 0.1, false), 20), 0);
  EXPECT_EQ(count_steady(make_boxes(3, 0.1, false), 20), 0);
  EXPECT_EQ(count_steady(make_boxes(3, 0.1, true), 50), 0);
  for (const char* scene : {"cradle", "double_pendulum", "painleve_rod", "peg_in_hole"})
    EXPECT_EQ(count_steady(scene, 20), 0) << scene;
  for (const char* scene : {"four_bar", "spinning_top"}) {
    Simulation sim = testing::make_scene(scene, {.integrator = Integrator::kEuler});
    int corrected = 0;
    for (int k = 0; k < 300; ++k) corrected += sim.step().correction > 0.0 ? 1 : 0;
    EXPECT_GT(corrected, 10) << scene;
    EXPECT_EQ(count_steady(std::move(sim), 0), 0) << scene;
  }
}

}  // namespace
}  // namespace tribo
