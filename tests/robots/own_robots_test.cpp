// Promises of data/robots: what the files are said to be.
#include <map>

#include "robots/robots.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

class OwnRobots : public ::testing::TestWithParam<std::string> {};

// Our own files ask for nothing that changes the motion and is not supported.
TEST_P(OwnRobots, LoadWithoutPhysicalNotices) {
  for (const char* ending : {".xml", ".urdf"}) {
    const Expected<World> world = load(testing::own_robot(GetParam() + ending));
    ASSERT_TRUE(world) << world.error().text();
    for (const Notice& notice : world->notices)
      EXPECT_FALSE(notice.physical) << notice.element << ": " << notice.meaning;
  }
}

// The sizes that data/robots/README.md names.
TEST_P(OwnRobots, HaveTheirDegreesOfFreedom) {
  const std::map<std::string, Index> sizes = {
      {"quadruped", 18}, {"hand3", 11}, {"hand5", 22}, {"gripper", 6}, {"arm6", 6}};
  const Expected<World> world = load(testing::own_robot(GetParam() + ".xml"));
  ASSERT_TRUE(world) << world.error().text();
  EXPECT_EQ(world->model.nv(), sizes.at(GetParam()));
}

// A pose to start from has to lie within the limits of the joints, and its servos ask for what they can reach.
TEST_P(OwnRobots, StartWithinTheirLimits) {
  const Expected<World> world = load(testing::own_robot(GetParam() + ".xml"));
  ASSERT_TRUE(world) << world.error().text();
  const Model& model = world->model;
  ASSERT_FALSE(model.description().keyframes.empty());
  for (const Keyframe& keyframe : model.description().keyframes) {
    SCOPED_TRACE(keyframe.name);
    const Expected<State> state = make_state(model, keyframe);
    ASSERT_TRUE(state) << state.error().text();
    for (Index j = 0; j < static_cast<Index>(model.joints().size()); ++j) {
      const Joint& joint = model.joints()[j];
      if (!joint.limited) continue;
      EXPECT_GE(state->q(model.q_start(j)), joint.lower) << joint.name;
      EXPECT_LE(state->q(model.q_start(j)), joint.upper) << joint.name;
    }
    ASSERT_EQ(keyframe.control.size(), model.nu());
    for (Index i = 0; i < model.nu(); ++i) {
      const Actuator& actuator = model.description().actuators[i];
      EXPECT_TRUE(actuator.control_limited) << actuator.name;
      EXPECT_GE(keyframe.control(i), actuator.control_lower) << actuator.name;
      EXPECT_LE(keyframe.control(i), actuator.control_upper) << actuator.name;
    }
  }
}

// A rigid body made of matter: no principal moment exceeds the sum of the other two.
TEST_P(OwnRobots, HaveInertiasOfMatter) {
  for (const char* ending : {".xml", ".urdf"}) {
    const Expected<World> world = load(testing::own_robot(GetParam() + ending));
    ASSERT_TRUE(world) << world.error().text();
    for (Index b = 1; b < world->model.nb(); ++b) {
      const Body& body = world->model.bodies()[b];
      const Vector3d moments = calc_principal(body.inertia).moments;  // largest first
      EXPECT_GT(body.inertia.mass, 0.0) << body.name;
      EXPECT_GT(moments(2), 0.0) << body.name;
      EXPECT_LE(moments(0), (1.0 + 1e-12) * (moments(1) + moments(2))) << body.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, OwnRobots, ::testing::ValuesIn(testing::own_robots()),
                         [](const auto& robot) { return robot.param; });

// The one inertial written by hand is that of its mesh at 1300 kg/m³.
TEST(Arm6, TurretWeighsWhatItsMeshDoes) {
  const Expected<World> world = load(testing::own_robot("arm6.xml"));
  ASSERT_TRUE(world) << world.error().text();
  const Index turret = world->model.find_body("turret");
  ASSERT_GE(turret, 0);
  ASSERT_EQ(world->model.description().meshes.size(), 1u);
  const Expected<MassProperties> mesh =
      calc_mass_properties(world->model.description().meshes.front(), MeshInertia::kExact);
  ASSERT_TRUE(mesh) << mesh.error().text();
  const MassProperties want = mesh->scaled(1300.0), &got = world->model.bodies()[turret].inertia;
  EXPECT_NEAR(got.mass, want.mass, 1e-7 * want.mass);  // a mesh may be kept in single precision
  EXPECT_LE(testing::relative_error(got.com, want.com), 1e-7);
  EXPECT_LE(testing::relative_error(got.inertia, want.inertia), 1e-7);
}

}  // namespace
}  // namespace tribo
