// What a collider keeps from search to search saves time and changes no bit.
#include "tribo/core/same_bits.hpp"

#include "collision/collision_scene.hpp"

namespace tribo {
namespace {
using namespace collision_testing;

Mesh random_mesh(Random& random, int count, double size) {
  Mesh mesh;
  for (int k = 0; k < count; ++k)
    mesh.vertices.push_back(size * Vector3d(random.normal(), random.normal(), 0.5 * random.normal()).normalized());
  return mesh;
}

// Hulls of any fineness, boxes and round shapes, near one another.
Scene make_heap(Random& random, int count, double width) {
  Scene scene;
  for (const int points : {6, 30, 200}) scene.input.meshes.push_back(random_mesh(random, points, 0.15));
  scene.add_static(plane(), {Vector3d(0, 0, -0.4), turn(Vector3d(1, 2, 0), 0.1)});
  for (int k = 0; k < count; ++k) {
    const Shape shapes[] = {{ShapeType::kMesh, Vector3d::Zero(), 0},
                            {ShapeType::kMesh, Vector3d::Zero(), 1},
                            {ShapeType::kMesh, Vector3d::Zero(), 2},
                            cylinder(0.1, 0.08),
                            ellipsoid(0.05, 0.1, 0.15),
                            capsule(0.05, 0.1),
                            sphere(0.08),
                            box(0.1, 0.05, 0.08)};
    scene.add_body(shapes[k % 8], random_pose(random, width));
  }
  return scene;
}

// Checkpoints hold no axes, and threads have colliders of their own: contacts must depend on the poses alone.
TEST(KeptAxis, ChangesNoBitOfTheContacts) {
  Random random(51);
  std::size_t found = 0, passing = 0;
  Index saved = 0;
  for (const double step : {1e-12, 1e-4, 1e-2, 0.2}) {
    Scene scene = make_heap(random, 48, 0.5);
    const CollisionModel model = scene.model();
    Collider keeps(model);
    std::vector<FoundContact> with, without;
    for (int k = 0; k < 40; ++k) {
      for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
        if (random.chance(0.5)) continue;
        scene.bodies[b].p += random_vector(random, step);
        scene.bodies[b].q = turn(random_vector(random, 1.0), 5.0 * step) * scene.bodies[b].q;
      }
      const double margin = k % 3 == 0 ? 0.0 : 0.01 * (k % 3);
      std::vector<ShapeMotion> motions;
      std::vector<double> reach;
      for (std::size_t s = 0; s < scene.input.shapes.size() && k % 2 == 0; ++s) {
        motions.push_back({random_vector(random, 0.05), random.uniform(0.0, 0.01)});
        reach.push_back(motions.back().way.norm() + motions.back().more);
      }
      Collider fresh(model);
      keeps.find(scene.bodies, margin, with, reach, {}, motions);
      fresh.find(scene.bodies, margin, without, reach, {}, motions);
      ASSERT_TRUE(tribo::same_bits(with, without)) << "step " << step << ", search " << k;
      ASSERT_EQ(keeps.passing().size(), fresh.passing().size());
      passing += keeps.passing().size();
      found += with.size();
      saved += fresh.counts().distances - keeps.counts().distances;
      EXPECT_EQ(fresh.counts().manifolds, keeps.counts().manifolds);
    }
  }
  EXPECT_GT(found, 1000U);
  EXPECT_GT(passing, 100U);
  EXPECT_GT(saved, 1000);
}

// The same where a pair is exactly as far apart as asked: there rounding decides, and must decide alike.
TEST(KeptAxis, ChangesNothingAtTheMarginItself) {
  Random random(52);
  int near = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Scene scene = make_heap(random, 2 + trial % 7, 0.0);
    scene.input.shapes.erase(scene.input.shapes.begin());  // no plane
    scene.bodies.back().p = 0.5 * (random_turn(random) * Vector3d::UnitX());
    const CollisionModel model = scene.model();
    Collider keeps(model);
    std::vector<FoundContact> with, without;
    const auto last = std::ssize(scene.input.shapes) - 1;
    double gap = 1.0;
    Collider(model).find(scene.bodies, 1.0, without);
    for (const FoundContact& c : without)
      if (c.shape_a == 0 && c.shape_b == last) gap = std::min(gap, c.gap);
    keeps.find(scene.bodies, 0.5 * std::max(0.0, gap), with);
    for (const double hair : {-1e-9, -1e-12, -1e-15, 0.0, 1e-15, 1e-12, 1e-9}) {
      const double margin = std::max(0.0, gap + hair);
      Collider fresh(model);
      keeps.find(scene.bodies, margin, with);
      fresh.find(scene.bodies, margin, without);
      ASSERT_TRUE(tribo::same_bits(with, without)) << "trial " << trial << ", " << hair;
      near += fresh.counts().distances > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(near, 1000);
}

// Poses that keep their bits keep their contacts, without a look at them; one that moves by a bit is looked at again.
TEST(KeptContacts, CostNothingWhileNothingMoves) {
  Random random(54);
  Scene scene = make_heap(random, 40, 0.4);
  const CollisionModel model = scene.model();
  Collider collider(model);
  std::vector<FoundContact> first, again;
  collider.find(scene.bodies, 0.01, first);
  const CollisionCounts all = collider.counts();
  ASSERT_GT(all.manifolds, 10);
  collider.find(scene.bodies, 0.01, again);
  EXPECT_TRUE(tribo::same_bits(first, again));
  EXPECT_EQ(collider.counts().distances, 0);
  EXPECT_EQ(collider.counts().manifolds, all.manifolds);
  collider.find(scene.bodies, 0.02, again);  // another margin has other contacts
  EXPECT_GT(collider.counts().distances, all.manifolds / 2);
  const Index touched = first.back().shape_b;
  Vector3d& p = scene.bodies[static_cast<std::size_t>(model.shapes()[static_cast<std::size_t>(touched)].body)].p;
  p.x() = std::nextafter(p.x(), 1.0);
  collider.find(scene.bodies, 0.02, again);
  EXPECT_GT(collider.counts().distances, 0);
  EXPECT_LT(collider.counts().distances, all.manifolds);
}

// Two hulls whose boxes meet and that are apart: the second search needs no distance.
TEST(KeptAxis, SavesTheDistanceOfPairsThatStayApart) {
  Random random(53);
  Scene scene;
  scene.input.meshes.push_back(random_mesh(random, 200, 0.1));
  const Shape rock{ShapeType::kMesh, Vector3d::Zero(), 0};
  scene.add_body(rock, {});
  scene.add_body(rock, {0.205 * Vector3d(1, 1, 0).normalized(), Quaterniond::Identity()});
  const CollisionModel model = scene.model();
  Collider collider(model);
  std::vector<FoundContact> contacts;
  collider.find(scene.bodies, 1e-3, contacts);
  ASSERT_TRUE(contacts.empty());
  ASSERT_EQ(collider.counts().pairs, 1);
  EXPECT_EQ(collider.counts().distances, 1);
  scene.bodies[2].p.z() += 1e-3;
  collider.find(scene.bodies, 1e-3, contacts);
  EXPECT_EQ(collider.counts().pairs, 1);
  EXPECT_EQ(collider.counts().distances, 0);
  EXPECT_EQ(collider.counts().manifolds, 0);
}

// Two rocks side by side, 5 mm apart: only where one goes towards the other within the step are contacts looked for, and what is
// said to pass by does so.
TEST(PassingPairs, AreThoseWhoseMotionsLeaveTheGapOpen) {
  Random random(55);
  Scene scene;
  scene.input.meshes.push_back(random_mesh(random, 200, 0.1));
  const Shape rock{ShapeType::kMesh, Vector3d::Zero(), 0};
  scene.add_body(rock, {});
  scene.add_body(rock, {Vector3d(0.2, 0.0, 0.0), turn(Vector3d(0, 0, 1), M_PI)});
  const CollisionModel model = scene.model();
  std::vector<FoundContact> contacts;
  Collider(model).find(scene.bodies, 0.1, contacts);
  double gap = 1.0;
  for (const FoundContact& contact : contacts) gap = std::min(gap, contact.gap);
  scene.bodies[2].p.x() += 0.005 - gap;
  const auto look = [&](const ShapeMotion& a, const ShapeMotion& b) {
    const ShapeMotion motions[] = {a, b};
    const double reach[] = {a.way.norm() + a.more, b.way.norm() + b.more};
    Collider collider(model);
    collider.find(scene.bodies, 1e-3, contacts, reach, {}, motions);
    EXPECT_NE(contacts.empty(), collider.passing().empty());
    return contacts.empty() ? 0 : 1;
  };
  const Vector3d fast(0.02, 0.0, 0.0), aside(0.0, 0.0, 0.02);
  EXPECT_EQ(look({fast, 0.0}, {}), 1);
  EXPECT_EQ(look({-fast, 0.0}, {}), 0);
  EXPECT_EQ(look({}, {fast, 0.0}), 0);
  EXPECT_EQ(look({}, {-fast, 0.0}), 1);
  EXPECT_EQ(look({fast, 0.0}, {fast, 0.0}), 0);
  EXPECT_EQ(look({fast + aside, 0.0}, {fast + aside, 1e-3}), 0);
  EXPECT_EQ(look({fast + aside, 0.0}, {fast + aside, 5e-3}), 1);
}

// A pair is looked at up to the smaller of its two margins.
TEST(Margins, APairHasTheSmallerOne) {
  Scene scene;
  scene.add_static(plane());
  scene.add_body(sphere(0.1), {Vector3d(0.0, 0.0, 0.105), Quaterniond::Identity()});
  scene.add_body(sphere(0.1), {Vector3d(0.203, 0.0, 0.105), Quaterniond::Identity()});
  const CollisionModel model = scene.model();
  Collider collider(model);
  std::vector<FoundContact> contacts;
  const auto count = [&](double plane_margin, double first, double second) {
    const double margins[] = {plane_margin, first, second};
    collider.find(scene.bodies, 0.01, contacts, {}, margins);
    return contacts.size();
  };
  EXPECT_EQ(count(1.0, 1.0, 1.0), 3U);    // all within 0.01
  EXPECT_EQ(count(1.0, 0.004, 1.0), 2U);  // the first sphere is not near to the plane any more
  EXPECT_EQ(count(1.0, 0.002, 0.004), 0U);
  EXPECT_EQ(count(0.001, 0.01, 0.01), 1U);
}

}  // namespace
}  // namespace tribo
