// A steady step takes no memory: operator new counts while a guard is armed.
#include <atomic>
#include <cstdlib>
#include <new>

#include "collision/collision_scene.hpp"

namespace {
std::atomic<bool> armed{false};
std::atomic<int> taken{0};
void* take(std::size_t size) {
  if (armed.load(std::memory_order_relaxed)) taken.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc{};
}
}  // namespace

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace tribo {
namespace {
using namespace collision_testing;

// After the first call on the same poses nothing is allocated, with every kind of shape and surface in the scene.
TEST(BroadAllocation, SteadyCallsTakeNoMemory) {
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
  taken = 0;
  armed = true;
  for (int k = 0; k < 5; ++k) collider.find(scene.bodies, 0.01, contacts);
  armed = false;
  EXPECT_EQ(taken.load(), 0);
}

}  // namespace
}  // namespace tribo
