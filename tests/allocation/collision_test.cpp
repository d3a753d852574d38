// Finding the contacts of a steady step takes no memory.
#include "../collision/collision_scene.hpp"
#include "guard.hpp"

namespace tribo {
namespace {
using namespace collision_testing;

// After the first call on the same poses nothing is allocated, with every kind of shape and surface in the scene.
TEST(Allocation, FindingContactsAgainTakesNoMemory) {
  Random random(41);
  Scene scene;
  scene.add_static(plane(), {Vector3d(0, 0, -0.5), Quaterniond::Identity()});
  HeightField field;
  field.rows = field.cols = 20;
  field.half_x = field.half_y = 2.0;
  for (int k = 0; k < 400; ++k) field.height.push_back(random.uniform(-0.1, 0.1));
  scene.input.height_fields = {field};
  scene.add_static({ShapeType::kHeightField, Vector3d::Zero(), 0});
  for (int k = 0; k < 60; ++k) {
    const Pose pose = random_pose(random, 1.0);
    const Shape shapes[] = {sphere(0.2), capsule(0.1, 0.2), cylinder(0.2, 0.1), ellipsoid(0.1, 0.2, 0.15),
                            box(0.1, 0.2, 0.15)};
    scene.add_body(shapes[k % 5], pose);
  }
  const CollisionModel model = scene.model();
  Collider collider(model);
  std::vector<FoundContact> contacts;
  collider.find(scene.bodies, 0.01, contacts);
  ASSERT_GT(contacts.size(), 50u);
  EXPECT_EQ(testing::count_allocations([&] {
              for (int k = 0; k < 5; ++k) collider.find(scene.bodies, 0.01, contacts);
            }),
            0);
}

}  // namespace
}  // namespace tribo
