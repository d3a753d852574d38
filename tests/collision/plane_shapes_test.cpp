#include "collision/collision_scene.hpp"

namespace tribo {
namespace {
using namespace collision_testing;

Manifold on_plane(const Thing& thing, double margin, const Pose& ground = {}) {
  Manifold out;
  collide_plane(thing.placed(), ground, margin, out);
  return out;
}

// A ball touches below its centre.
TEST(PlaneShapes, SphereTouchesBelowItsCentre) {
  const Manifold m = on_plane(Thing(sphere(0.5), {Vector3d(1, 2, 0.6), Quaterniond::Identity()}), 0.2);
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(m.points[0].gap, 0.1, 1e-15);
  EXPECT_NEAR((m.points[0].point - Vector3d(1, 2, 0.05)).norm(), 0.0, 1e-15);
  EXPECT_EQ(m.normal, Vector3d::UnitZ());
}

// A lying rod rests on both ends, an upright one on one.
TEST(PlaneShapes, CapsuleLiesOnTwoPointsAndStandsOnOne) {
  EXPECT_EQ(on_plane(Thing(capsule(0.1, 0.5), {Vector3d(0, 0, 0.1), turn(Vector3d::UnitX(), M_PI / 2)}), 1e-3).count,
            2);
  const Manifold upright = on_plane(Thing(capsule(0.1, 0.5), {Vector3d(0, 0, 0.6), Quaterniond::Identity()}), 1e-3);
  ASSERT_EQ(upright.count, 1);
  EXPECT_NEAR(upright.points[0].gap, 0.0, 1e-15);
}

// A box rests on four corners; tilted by more than the margin on an edge, then on a corner.
TEST(PlaneShapes, BoxRestsOnItsLowCorners) {
  EXPECT_EQ(on_plane(Thing(box(0.1, 0.2, 0.3), {Vector3d(0, 0, 0.3), Quaterniond::Identity()}), 1e-3).count, 4);
  const Quaterniond edge = turn(Vector3d::UnitX(), 0.1);
  const Manifold m =
      on_plane(Thing(box(0.1, 0.2, 0.3), {Vector3d(0, 0, 0.3 * std::cos(0.1) + 0.2 * std::sin(0.1)), edge}), 1e-3);
  ASSERT_EQ(m.count, 2);
  EXPECT_NEAR(m.points[0].gap, 0.0, 1e-15);
}

// A standing cylinder rests on points of its rim that are fixed to it: a micro-tilt moves none of them.
TEST(PlaneShapes, StandingCylinderKeepsItsRimPoints) {
  const Pose straight{Vector3d(0, 0, 0.5), Quaterniond::Identity()};
  const Manifold m = on_plane(Thing(cylinder(0.2, 0.5), straight), 1e-3);
  ASSERT_GE(m.count, 6);
  for (int k = 0; k < m.count; ++k) {
    EXPECT_NEAR(m.points[static_cast<std::size_t>(k)].gap, 0.0, 1e-15);
    EXPECT_NEAR(m.points[static_cast<std::size_t>(k)].point.head<2>().norm(), 0.2, 1e-15);
  }
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Manifold tilted =
        on_plane(Thing(cylinder(0.2, 0.5), {straight.p, turn(random_vector(random, 1.0), 1e-9)}), 1e-3);
    EXPECT_LT(difference(m, tilted), 2e-9);
  }
}

// A tilted cylinder's lowest point is exact: a coin on its rim rolls on a circle, not on a polygon.
TEST(PlaneShapes, TiltedCylinderTouchesAtItsLowestPoint) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Quaterniond q = random_turn(random);
    const Vector3d axis = q * Vector3d::UnitZ();
    const double reach = 0.5 * std::abs(axis.z()) + 0.2 * std::sqrt(std::max(0.0, 1.0 - axis.z() * axis.z()));
    const Manifold m = on_plane(Thing(cylinder(0.2, 0.5), {Vector3d(0, 0, reach), q}), 1e-6);
    ASSERT_GE(m.count, 1);
    double least = INFINITY;
    for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[static_cast<std::size_t>(k)].gap);
    EXPECT_NEAR(least, 0.0, 1e-14);
  }
}

// A lying cylinder rests on the ends of a line.
TEST(PlaneShapes, LyingCylinderRestsOnTwoPoints) {
  const Manifold m =
      on_plane(Thing(cylinder(0.2, 0.5), {Vector3d(0, 0, 0.2), turn(Vector3d::UnitX(), M_PI / 2)}), 1e-3);
  ASSERT_EQ(m.count, 2);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(m.points[static_cast<std::size_t>(k)].gap, 0.0, 1e-15);
    EXPECT_NEAR(std::abs(m.points[static_cast<std::size_t>(k)].point.y()), 0.5, 1e-15);
  }
}

// The height of an ellipsoid's lowest point is |D n| below its centre, and no sampled point of its surface is lower.
TEST(PlaneShapes, EllipsoidTouchesAtItsSupportPoint) {
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    const Pose pose = random_pose(random, 1.0);
    const Vector3d half(0.3, 0.5, 0.8);
    const Manifold m = on_plane(Thing(ellipsoid(half.x(), half.y(), half.z()), pose), 10.0);
    ASSERT_EQ(m.count, 1);
    const Vector3d surface = m.points[0].point + Vector3d(0, 0, 0.5 * m.points[0].gap);
    EXPECT_NEAR((pose.q.conjugate() * (surface - pose.p)).cwiseQuotient(half).norm(), 1.0, 1e-14);
    for (int sample = 0; sample < 200; ++sample) {
      const Vector3d x = pose * half.cwiseProduct(random_turn(random) * Vector3d::UnitX());
      EXPECT_GE(x.z(), m.points[0].gap - 1e-12);
    }
  }
}

// More corners than a manifold holds: the outermost stay, the same ones under every small motion, and the deepest is among them.
TEST(PlaneShapes, ManyCornersKeepTheOutermost) {
  Mesh drum;
  for (int k = 0; k < 50; ++k) {
    const double angle = 2.0 * M_PI * k / 50;
    for (const double z : {-0.1, 0.1}) drum.vertices.emplace_back(std::cos(angle), std::sin(angle), z);
  }
  const Thing still(drum, {Vector3d(0, 0, 0.1), Quaterniond::Identity()});
  const Manifold m = on_plane(still, 1e-3);
  ASSERT_GE(m.count, 12);
  const auto names = by_feature(m);
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Thing moved(drum,
                      {Vector3d(0, 0, 0.1) + random_vector(random, 1e-9), turn(random_vector(random, 1.0), 1e-10)});
    const auto after = by_feature(on_plane(moved, 1e-3));
    ASSERT_EQ(after.size(), names.size());
    for (std::size_t k = 0; k < names.size(); ++k) EXPECT_EQ(after[k].feature, names[k].feature);
  }
}

// Turning shape and plane together turns the contacts.
TEST(PlaneShapes, MovingBothMovesThePoints) {
  Random random(7);
  const std::vector<Shape> shapes{sphere(0.5), capsule(0.2, 0.6), box(0.4, 0.7, 0.3), cylinder(0.3, 0.4),
                                  ellipsoid(0.3, 0.5, 0.4)};
  for (int trial = 0; trial < 500; ++trial) {
    for (const Shape& shape : shapes) {
      const Pose pose = random_pose(random, 0.5), world = random_pose(random, 2.0);
      const Manifold here = on_plane(Thing(shape, pose), 0.1), there = on_plane(Thing(shape, world * pose), 0.1, world);
      ASSERT_EQ(here.count, there.count);
      Manifold moved = here;
      for (int k = 0; k < moved.count; ++k)
        moved.points[static_cast<std::size_t>(k)].point = world * here.points[static_cast<std::size_t>(k)].point;
      EXPECT_LT(difference(moved, there), 1e-12);
    }
  }
}

}  // namespace
}  // namespace tribo
