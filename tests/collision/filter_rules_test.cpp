#include "collision/collision_scene.hpp"

namespace tribo {
namespace {
using namespace collision_testing;

Scene two_balls() {
  Scene scene;
  scene.add_body(sphere(1.0), {});
  scene.add_body(sphere(1.0), {});
  return scene;
}

// Bits: one side's type must meet the other's affinity.
TEST(FilterRules, TypesAndAffinitiesDecide) {
  Scene scene = two_balls();
  EXPECT_TRUE(scene.model().may_touch(0, 1));
  scene.input.shapes[0].contype = 2;
  scene.input.shapes[0].conaffinity = 0;
  EXPECT_FALSE(scene.model().may_touch(0, 1));
  scene.input.shapes[1].conaffinity = 6;
  EXPECT_TRUE(scene.model().may_touch(0, 1));
  EXPECT_TRUE(scene.model().may_touch(1, 0));
}

// Bodies welded together are one thing.
TEST(FilterRules, OneGroupNeverTouchesItself) {
  Scene scene = two_balls();
  scene.input.group[2] = scene.input.group[1];
  EXPECT_FALSE(scene.model().may_touch(0, 1));
}

// A joint holds parent and child together: their shapes overlap there by design; but a body on the world may touch the world.
TEST(FilterRules, ParentsAreLeftOutUnlessTheyAreTheWorld) {
  Scene scene = two_balls();
  scene.add_static(plane());
  scene.input.parent_group[1] = 0;
  scene.input.parent_group[2] = 1;
  EXPECT_FALSE(scene.model().may_touch(0, 1));
  EXPECT_FALSE(scene.model().may_touch(1, 0));
  EXPECT_TRUE(scene.model().may_touch(0, 2));
  scene.input.filter_parents = false;
  EXPECT_TRUE(scene.model().may_touch(0, 1));
}

// What no contact moves needs no contact with another such body, whatever pairs say.
TEST(FilterRules, FixedBodiesNeverTouchOneAnother) {
  Scene scene = two_balls();
  scene.add_body(sphere(1.0), {});
  scene.input.fixed = {1, 1, 1, 0};
  EXPECT_FALSE(scene.model().may_touch(0, 1));
  EXPECT_TRUE(scene.model().may_touch(0, 2));
  scene.input.pairs = {{0, 1}};
  EXPECT_FALSE(scene.model().may_touch(0, 1));
  scene.input.fixed = {1, 1};
  const auto refused = CollisionModel::make(scene.input);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("2 marks of fixed bodies for 4 bodies"), std::string::npos);
}

// Excluded bodies never touch, in whichever order they are named.
TEST(FilterRules, ExcludesHoldBothWays) {
  for (const std::array<Index, 2> pair : {std::array<Index, 2>{1, 2}, std::array<Index, 2>{2, 1}}) {
    Scene scene = two_balls();
    scene.input.excludes = {pair};
    EXPECT_FALSE(scene.model().may_touch(0, 1));
    EXPECT_FALSE(scene.model().may_touch(1, 0));
  }
}

// An explicit pair overrides types, groups, parents and excludes, and the collider finds it.
TEST(FilterRules, ExplicitPairsOverrideTheRest) {
  Scene scene = two_balls();
  for (CollisionShape& shape : scene.input.shapes) shape.contype = shape.conaffinity = 0;
  scene.input.parent_group[2] = 1;
  scene.input.excludes = {{1, 2}};
  EXPECT_TRUE(find(scene, 0.0).empty());
  scene.input.pairs = {{1, 0}};
  EXPECT_TRUE(scene.model().may_touch(0, 1));
  EXPECT_EQ(find(scene, 0.0).size(), 1u);
}

// What never moves needs no contact with what never moves, and a plane has no inside to touch another.
TEST(FilterRules, StaticShapesAndPlanesNeverTouchEachOther) {
  Scene scene;
  scene.add_static(box(1, 1, 1));
  scene.add_static(box(1, 1, 1));
  scene.add_static(plane());
  scene.add_body(plane(), {});
  const CollisionModel model = scene.model();
  EXPECT_FALSE(model.may_touch(0, 1));
  EXPECT_FALSE(model.may_touch(0, 2));
  EXPECT_FALSE(model.may_touch(2, 3));
  EXPECT_FALSE(model.may_touch(0, 0));
  EXPECT_TRUE(model.may_touch(0, 3));
}

void expect_refusal(const Scene& scene, const std::string& word) {
  const Expected<CollisionModel> made = CollisionModel::make(scene.input);
  ASSERT_FALSE(made.has_value()) << word;
  EXPECT_NE(made.error().text().find(word), std::string::npos) << made.error().text();
  EXPECT_FALSE(made.error().remedy.empty());
}

// Bad data is refused where it enters, by name and with a remedy.
TEST(FilterRules, BadInputIsRefusedByName) {
  for (const double bad : {0.0, -1.0, std::nan(""), double(INFINITY), 1e-30, 1e30}) {
    Scene scene;
    scene.add_body(box(1, bad, 1), {});
    scene.input.shapes[0].name = "crate";
    expect_refusal(scene, "crate");
  }
  Scene scene = two_balls();
  scene.input.shapes[1].body = 7;
  expect_refusal(scene, "body");
  scene = two_balls();
  scene.input.shapes[1].pose.q = Quaterniond(0, 0, 0, 0);
  expect_refusal(scene, "quaternion");
  scene = two_balls();
  scene.input.shapes[1].shape = {ShapeType::kMesh, Vector3d::Zero(), 0};
  expect_refusal(scene, "mesh");
  scene.input.meshes.emplace_back();
  scene.input.meshes[0].vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  expect_refusal(scene, "shape 1");
  for (const double bad : {1e-12, 1e12, 1e30}) {
    scene.input.meshes[0].vertices = {{0, 0, 0}, {bad, 0, 0}, {0, bad, 0}, {0, 0, bad}};
    expect_refusal(scene, "shape 1");
  }
  scene = two_balls();
  scene.input.shapes[1].shape = {ShapeType::kHeightField, Vector3d::Zero(), -1};
  expect_refusal(scene, "height field");
  scene.input.shapes[1].shape.index = 0;
  scene.input.height_fields.emplace_back();
  expect_refusal(scene, "rows");
  scene = two_balls();
  scene.input.pairs = {{0, 5}};
  expect_refusal(scene, "pair 0");
  scene.input.pairs = {{1, 1}};
  expect_refusal(scene, "itself");
  scene = two_balls();
  scene.input.excludes = {{0, 5}};
  expect_refusal(scene, "exclude 0");
  scene = two_balls();
  scene.input.parent_group.pop_back();
  expect_refusal(scene, "parents");
  scene = two_balls();
  scene.input.group[1] = -3;
  expect_refusal(scene, "negative");
}

}  // namespace
}  // namespace tribo
