// Overlaps that are certified and cannot be right are told.
#include "sim/worlds.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

Simulation drop_cube(double half_plate, const std::string& material, double height) {
  ModelDescription d;
  testing::add_geom(d, 0, {ShapeType::kBox, Vector3d(0.5, 0.5, half_plate), -1}, 0.5);
  testing::add_box(d, Vector3d::Constant(0.05), 1.0, 0.5, {.p = Vector3d(0.0, 0.0, half_plate + 0.05 + height)});
  d.geoms[0].name = "plate";
  d.geoms[1].name = "cube";
  return testing::make_simulation(d, {.step = 1e-2, .compliant = true, .material = material});
}

std::vector<std::string> gather_warnings(Simulation& sim, int steps) {
  std::vector<std::string> all;
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(is_solved(sim.step().status));
    for (const std::string& warning : sim.report().warnings) all.push_back(warning);
  }
  return all;
}

// Rubber that falls on a sheet of 1 mm gives way by more than the sheet is thick: said once, with both names and a remedy.
TEST(DeepOverlap, IsToldOncePerPair) {
  Simulation sim = drop_cube(5e-4, "rubber", 0.5);
  const std::vector<std::string> warnings = gather_warnings(sim, 200);
  ASSERT_EQ(warnings.size(), 1u);
  for (const char* part : {"'plate'", "'cube'", " mm", "smaller step", "stiffer material"})
    EXPECT_NE(warnings[0].find(part), std::string::npos) << warnings[0];
  sim.set_state(make_state(sim.model()));
  EXPECT_EQ(gather_warnings(sim, 200).size(), 1u);  // another run
}

// Where the overlap carries load, or nothing overlaps, there is nothing to tell.
TEST(DeepOverlap, IsNotToldOfBodiesThatTouch) {
  Simulation thick = drop_cube(0.05, "rubber", 0.0), steel = drop_cube(5e-4, "steel", 0.1);
  EXPECT_TRUE(gather_warnings(thick, 100).empty());
  EXPECT_TRUE(gather_warnings(steel, 100).empty());
}

// For every model: bodies that start in one another, and in a floor that has no other side.
TEST(DeepOverlap, IsToldForRigidContactsToo) {
  ModelDescription d;
  testing::add_floor(d, 0.5);
  testing::add_box(d, Vector3d::Constant(0.05), 1.0, 0.5, {.p = Vector3d(0.0, 0.0, 0.05)});
  testing::add_box(d, Vector3d::Constant(0.05), 1.0, 0.5, {.p = Vector3d(0.03, 0.0, 0.05)});
  testing::add_sphere(d, 0.05, 1.0, 0.5, Vector3d(1.0, 0.0, -0.01));
  for (const ContactModel& model :
       {ContactModel(CoulombCone{}), ContactModel(NoSlip{}), ContactModel(Frictionless{})}) {
    Simulation sim = testing::make_simulation(d, {.model = model, .step = 1e-3});
    sim.step();
    EXPECT_EQ(sim.report().warnings.size(), 2u) << to_string(model);
    sim.step();
    EXPECT_TRUE(sim.report().warnings.empty()) << to_string(model);
  }
}

}  // namespace
}  // namespace tribo
