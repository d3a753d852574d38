#include <limits>
#include <set>
#include <tuple>

#include "collision/collision_scene.hpp"

namespace tribo {
namespace {
using namespace collision_testing;

Shape random_shape(Random& random) {
  const double a = random.uniform(0.05, 0.4), b = random.uniform(0.05, 0.4), c = random.uniform(0.05, 0.4);
  switch (random.integer(0, 4)) {
    case 0:
      return sphere(a);
    case 1:
      return capsule(a, b);
    case 2:
      return cylinder(a, b);
    case 3:
      return ellipsoid(a, b, c);
    default:
      return box(a, b, c);
  }
}

std::set<std::array<Index, 2>> pairs_of(const std::vector<FoundContact>& contacts) {
  std::set<std::array<Index, 2>> pairs;
  for (const FoundContact& c : contacts) pairs.insert({c.shape_a, c.shape_b});
  return pairs;
}

// All pairs one by one.
std::set<std::array<Index, 2>> by_force(const Scene& scene, double margin) {
  const CollisionModel model = scene.model();
  std::vector<PlacedShape> placed;
  for (std::size_t s = 0; s < model.shapes().size(); ++s) {
    PlacedShape p;
    p.shape = &model.shapes()[s].shape;
    p.polytope = model.polytope(static_cast<Index>(s));
    p.pose = scene.bodies[static_cast<std::size_t>(model.shapes()[s].body)] * model.shapes()[s].pose;
    p.pose.q.normalize();
    p.R = p.pose.q.toRotationMatrix();
    placed.push_back(p);
  }
  std::set<std::array<Index, 2>> pairs;
  Manifold manifold;
  for (std::size_t a = 0; a < placed.size(); ++a) {
    for (std::size_t b = a + 1; b < placed.size(); ++b) {
      if (!model.may_touch(static_cast<Index>(a), static_cast<Index>(b))) continue;
      const double reach = model.radius(static_cast<Index>(a)) + model.radius(static_cast<Index>(b)) + margin;
      if ((placed[a].pose.p - placed[b].pose.p).norm() > reach) continue;  // infinite for planes
      if (placed[a].shape->type == ShapeType::kPlane)
        collide_plane(placed[b], placed[a].pose, margin, manifold);
      else
        collide(placed[a], placed[b], margin, manifold);
      if (manifold.count > 0) pairs.insert({static_cast<Index>(a), static_cast<Index>(b)});
    }
  }
  return pairs;
}

// The broad phase only saves time: it loses no pair and adds none.
TEST(BroadPhase, FindsThePairsThatTestingAllFinds) {
  Random random(21);
  for (int trial = 0; trial < 20; ++trial) {
    Scene scene;
    scene.add_static(plane(), {Vector3d(0, 0, -0.5), turn(Vector3d(1, 1, 0), 0.2)});
    for (int k = 0; k < 100; ++k) scene.add_body(random_shape(random), random_pose(random, 1.5));
    EXPECT_EQ(pairs_of(find(scene, 0.05)), by_force(scene, 0.05));
  }
}

// The same with as many as a large pile has.
TEST(BroadPhase, FindsThePairsOfAThousandBoxes) {
  Random random(22);
  Scene scene;
  scene.add_static(plane());
  for (int k = 0; k < 1000; ++k) scene.add_body(box(0.2, 0.3, 0.1), random_pose(random, 4.0));
  const auto pairs = by_force(scene, 0.01);
  EXPECT_GT(pairs.size(), 300u);
  EXPECT_EQ(pairs_of(find(scene, 0.01)), pairs);
}

bool same_bits(const std::vector<FoundContact>& a, const std::vector<FoundContact>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].shape_a != b[k].shape_a || a[k].shape_b != b[k].shape_b || a[k].feature != b[k].feature) return false;
    if (a[k].point != b[k].point || a[k].normal != b[k].normal || a[k].gap != b[k].gap) return false;
  }
  return true;
}

// Contacts depend on the poses alone: a collider that has seen other poses gives the same bits as a new one. And they are sorted.
TEST(BroadPhase, ForgetsWhatItSawBefore) {
  Random random(23);
  Scene scene;
  scene.add_static(plane());
  for (int k = 0; k < 150; ++k) scene.add_body(random_shape(random), random_pose(random, 1.5));
  const CollisionModel model = scene.model();
  Collider used(model);
  std::vector<FoundContact> contacts;
  for (int step = 0; step < 50; ++step) {
    const bool jump = step % 10 == 9;
    for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
      if (jump)
        scene.bodies[b] = random_pose(random, 1.5);
      else
        scene.bodies[b].p += random_vector(random, 0.01);
    }
    used.find(scene.bodies, 0.02, contacts);
    EXPECT_TRUE(same_bits(contacts, find(scene, 0.02))) << step;
    EXPECT_TRUE(std::is_sorted(contacts.begin(), contacts.end(), [](const FoundContact& x, const FoundContact& y) {
      return std::tie(x.shape_a, x.shape_b, x.feature) < std::tie(y.shape_a, y.shape_b, y.feature);
    }));
    for (const FoundContact& c : contacts) EXPECT_LT(c.shape_a, c.shape_b);
  }
}

// The normal goes from b to a: whichever has the lower index, the plane's or the ball's.
TEST(BroadPhase, NormalsGoFromTheSecondShapeToTheFirst) {
  Scene scene;
  scene.add_static(plane());
  scene.add_body(sphere(1.0), {Vector3d(0, 0, 1), Quaterniond::Identity()});
  EXPECT_EQ(find(scene, 0.01).at(0).normal, Vector3d(-Vector3d::UnitZ()));
  Scene turned;
  turned.add_body(sphere(1.0), {Vector3d(0, 0, 1), Quaterniond::Identity()});
  turned.add_static(plane());
  EXPECT_EQ(find(turned, 0.01).at(0).normal, Vector3d::UnitZ());
}

// Hostile sizes and poses: every number that comes out is one, and what is nowhere touches nothing.
TEST(BroadPhase, ExtremeSizesAndPosesGiveNumbers) {
  Random random(25);
  for (int trial = 0; trial < 300; ++trial) {
    Scene scene;
    scene.add_static(plane());
    const double spread = std::pow(10.0, random.uniform(-4.0, 3.0));
    for (int k = 0; k < 12; ++k) {
      Shape shape = random_shape(random);
      for (Index i = 0; i < 3; ++i) shape.size(i) *= std::pow(10.0, random.uniform(-4.0, 3.0));
      Pose pose = random_pose(random, spread);
      if (k == 3) pose.p.setZero();
      if (k == 4) pose.p = scene.bodies[4].p;
      if (k == 5) pose.p(1) = std::numeric_limits<double>::quiet_NaN();
      if (k == 6) pose.p(0) = std::numeric_limits<double>::infinity();
      if (k == 7) pose.q = Quaterniond(0, 0, 0, 0);
      if (k == 8) pose.q = Quaterniond::Identity();
      scene.add_body(shape, pose);
    }
    for (const FoundContact& c : find(scene, 1e-3 * spread)) {
      EXPECT_TRUE(c.point.allFinite() && std::isfinite(c.gap));
      EXPECT_NEAR(c.normal.norm(), 1.0, 1e-9);
      EXPECT_NE(c.shape_b, 6);
      EXPECT_NE(c.shape_b, 7);
    }
  }
}

}  // namespace
}  // namespace tribo
