#include "collision/collision_scene.hpp"

namespace tribo {
namespace {
using namespace collision_testing;

// Two balls touch on the line of their centres, halfway between their surfaces.
TEST(RoundPairs, SpheresTouchOnTheLineOfTheirCentres) {
  const Thing a(sphere(1.0), {Vector3d(0, 0, 2.75), Quaterniond::Identity()}), b(sphere(1.5));
  const Manifold m = touch(a, b, 0.3);
  ASSERT_EQ(m.count, 1);
  EXPECT_DOUBLE_EQ(m.points[0].gap, 0.25);
  EXPECT_EQ(m.normal, Vector3d::UnitZ());
  EXPECT_NEAR(m.points[0].point.z(), 1.625, 1e-15);
  EXPECT_EQ(touch(a, b, 0.2).count, 0);
}

// With coinciding centres every direction is right, and one must be chosen.
TEST(RoundPairs, ConcentricSpheresGetAUnitNormal) {
  const Manifold m = touch(Thing(sphere(1.0)), Thing(sphere(2.0)), 0.0);
  ASSERT_EQ(m.count, 1);
  EXPECT_DOUBLE_EQ(m.normal.norm(), 1.0);
  EXPECT_DOUBLE_EQ(m.points[0].gap, -3.0);
}

// A ball beside a capsule sees the cylinder's side, beyond its end the ball there.
TEST(RoundPairs, SphereSeesSideAndEndOfACapsule) {
  const Thing rod(capsule(0.5, 2.0));
  const Manifold side = touch(Thing(sphere(0.25), {Vector3d(1, 0, 1.5), Quaterniond::Identity()}), rod, 1.0);
  ASSERT_EQ(side.count, 1);
  EXPECT_DOUBLE_EQ(side.points[0].gap, 0.25);
  EXPECT_EQ(side.normal, Vector3d::UnitX());
  const Manifold end = touch(Thing(sphere(0.25), {Vector3d(3, 0, 6), Quaterniond::Identity()}), rod, 10.0);
  ASSERT_EQ(end.count, 1);
  EXPECT_NEAR(end.points[0].gap, 5.0 - 0.75, 1e-14);
  EXPECT_NEAR((end.normal - Vector3d(0.6, 0, 0.8)).norm(), 0.0, 1e-15);
}

// Crossing rods touch at one point, the foot of their common normal.
TEST(RoundPairs, CrossingCapsulesTouchAtOnePoint) {
  const Thing a(capsule(0.1, 1.0), {Vector3d(0.2, 0.3, 0.25), turn(Vector3d::UnitX(), M_PI / 2)});
  const Thing b(capsule(0.1, 1.0), {Vector3d(0.4, 0.1, 0), turn(Vector3d::UnitY(), M_PI / 2)});
  const Manifold m = touch(a, b, 0.1);
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(m.points[0].gap, 0.05, 1e-15);
  EXPECT_NEAR((m.normal - Vector3d::UnitZ()).norm(), 0.0, 1e-15);
  EXPECT_NEAR((m.points[0].point - Vector3d(0.2, 0.1, 0.125)).norm(), 0.0, 1e-15);
}

// Parallel rods touch along a line: its two ends carry, and they are those of the stretch that both share.
TEST(RoundPairs, ParallelCapsulesTouchAtTheEndsOfTheirSharedStretch) {
  const Thing a(capsule(0.1, 1.0), {Vector3d(0, 0.2, 0.5), Quaterniond::Identity()}), b(capsule(0.1, 1.0));
  const Manifold m = touch(a, b, 0.01);
  ASSERT_EQ(m.count, 2);
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < 2; ++k) {
    const ManifoldPoint& p = m.points[static_cast<std::size_t>(k)];
    EXPECT_NEAR(p.gap, 0.0, 1e-15);
    low = std::min(low, p.point.z());
    high = std::max(high, p.point.z());
  }
  EXPECT_NEAR(low, -0.5, 1e-15);
  EXPECT_NEAR(high, 1.0, 1e-15);
  EXPECT_NEAR((m.normal - Vector3d::UnitY()).norm(), 0.0, 1e-15);
}

// A rod turning slowly through parallel keeps its deepest point in the manifold: nothing sinks in at the crossing.
TEST(RoundPairs, NearlyParallelCapsulesKeepTheirNearestPoint) {
  for (const double angle : {1e-12, 1e-9, 1e-6, 1e-3, 0.05, 0.0999, 0.1001}) {
    const Thing a(capsule(0.1, 1.0), {Vector3d(0.2 - 1e-4, 0, 0), turn(Vector3d::UnitX(), angle)}),
        b(capsule(0.1, 1.0));
    const Manifold m = touch(a, b, 1e-3);
    ASSERT_GE(m.count, 1);
    double least = INFINITY;
    for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[static_cast<std::size_t>(k)].gap);
    EXPECT_NEAR(least, -1e-4, 1e-9) << angle;
    // Below 1e-7 every point of the axes is equally near to all digits; any of them, and its direction, is right.
    EXPECT_NEAR((m.normal - Vector3d::UnitX()).norm(), 0.0, angle < 1e-7 ? 1e-12 + 10.0 * angle : 1e-12) << angle;
  }
}

// The nearest point of a box to a ball's centre is on a face, an edge or a vertex; inside, the nearest face pushes.
TEST(RoundPairs, SphereOnABoxMeetsFaceEdgeVertexAndInside) {
  const Thing block(box(1, 2, 3));
  const auto at = [&](double x, double y, double z) {
    return touch(Thing(sphere(0.5), {Vector3d(x, y, z), Quaterniond::Identity()}), block, 1.0);
  };
  const Manifold face = at(1.75, 0.5, -2.0);
  ASSERT_EQ(face.count, 1);
  EXPECT_DOUBLE_EQ(face.points[0].gap, 0.25);
  EXPECT_EQ(face.normal, Vector3d::UnitX());
  EXPECT_NEAR((face.points[0].point - Vector3d(1.125, 0.5, -2)).norm(), 0.0, 1e-15);
  const Manifold edge = at(1.3, 2.4, 0.0);
  ASSERT_EQ(edge.count, 1);
  EXPECT_NEAR(edge.points[0].gap, 0.0, 1e-15);
  EXPECT_NEAR((edge.normal - Vector3d(0.6, 0.8, 0)).norm(), 0.0, 1e-14);
  const Manifold vertex = at(1.2, 2.2, 3.1);
  ASSERT_EQ(vertex.count, 1);
  EXPECT_NEAR(vertex.points[0].gap, -0.2, 1e-15);
  EXPECT_NEAR((vertex.normal - Vector3d(2, 2, 1) / 3.0).norm(), 0.0, 1e-14);
  const Manifold inside = at(0.9, 0.0, 0.0);
  ASSERT_EQ(inside.count, 1);
  EXPECT_NEAR(inside.points[0].gap, -0.6, 1e-15);
  EXPECT_EQ(inside.normal, Vector3d::UnitX());
}

// A rod on a table touches at both ends, and over the table's end only as far as the table goes.
TEST(RoundPairs, CapsuleLyingOnABoxIsClippedToTheFace) {
  const Thing table(box(1, 1, 0.5));
  const Thing rod(capsule(0.1, 1.0), {Vector3d(0.5, 0.25, 0.6), turn(Vector3d::UnitY(), M_PI / 2)});
  const Manifold m = touch(rod, table, 1e-3);
  ASSERT_EQ(m.count, 2);
  std::vector<double> x{m.points[0].point.x(), m.points[1].point.x()};
  std::sort(x.begin(), x.end());
  EXPECT_NEAR(x[0], -0.5, 1e-14);
  EXPECT_NEAR(x[1], 1.0, 1e-14);
  EXPECT_NEAR(m.points[0].gap, 0.0, 1e-15);
  EXPECT_NEAR(m.points[1].gap, 0.0, 1e-15);
  EXPECT_NEAR((m.normal - Vector3d::UnitZ()).norm(), 0.0, 1e-15);
}

// A rod along a box's edge, seen under 45 degrees, touches at both ends of the stretch; across the edge at one point.
TEST(RoundPairs, CapsuleAtAnEdgeOfABox) {
  const Thing block(box(1, 1, 1));
  const double d = 1.0 + 0.1 * std::sqrt(0.5);
  const Manifold along = touch(Thing(capsule(0.1, 3.0), {Vector3d(d, d, 0), Quaterniond::Identity()}), block, 1e-6);
  ASSERT_EQ(along.count, 2);
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(along.points[static_cast<std::size_t>(k)].gap, 0.0, 1e-14);
    EXPECT_NEAR(std::abs(along.points[static_cast<std::size_t>(k)].point.z()), 1.0, 1e-14);
  }
  const Vector3d crossing(1, -1, 0);
  const Quaterniond q = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), crossing);
  const Manifold one = touch(Thing(capsule(0.1, 3.0), {Vector3d(d, d, 0.3), q}), block, 1e-3);
  ASSERT_EQ(one.count, 1);
  EXPECT_NEAR((one.points[0].point - Vector3d(1, 1, 0.3)).norm(), 0.0, 1e-13);
  EXPECT_NEAR((one.normal - Vector3d(1, 1, 0).normalized()).norm(), 0.0, 1e-13);
}

// An axis through the box leaves it by the shortest way.
TEST(RoundPairs, CapsuleThroughABoxLeavesByTheNearestFace) {
  const Thing slab(box(2, 2, 0.1));
  const Manifold m =
      touch(Thing(capsule(0.05, 0.5), {Vector3d(0, 0, 0.02), turn(Vector3d::UnitX(), M_PI / 2)}), slab, 0.0);
  ASSERT_EQ(m.count, 2);
  EXPECT_EQ(m.normal, Vector3d::UnitZ());
  EXPECT_NEAR(m.points[0].gap, -0.13, 1e-15);
}

std::vector<Shape> round_and_box() { return {sphere(0.5), capsule(0.2, 0.6), box(0.4, 0.7, 0.3)}; }

// Which of two shapes is called a is a matter of names: the points are the same and the normal turns.
TEST(RoundPairs, SwappingTheShapesTurnsTheNormalOnly) {
  Random random(11);
  for (int trial = 0; trial < 2000; ++trial) {
    for (const Shape& shape_a : round_and_box()) {
      for (const Shape& shape_b : round_and_box()) {
        const Thing a(shape_a, random_pose(random, 0.7)), b(shape_b, random_pose(random, 0.7));
        if (shape_a.type == ShapeType::kBox && shape_b.type == ShapeType::kBox) continue;
        const Manifold ab = touch(a, b, 0.1), ba = touch(b, a, 0.1);
        ASSERT_EQ(ab.count, ba.count);
        if (ab.count == 0) continue;
        EXPECT_LT((ab.normal + ba.normal).norm(), 1e-10);
        EXPECT_LT(difference(ab, ba), 1e-10);
      }
    }
  }
}

// Contact is a matter of the two shapes, not of where the world's origin is.
TEST(RoundPairs, MovingBothMovesThePoints) {
  Random random(12);
  for (int trial = 0; trial < 2000; ++trial) {
    for (const Shape& shape_a : round_and_box()) {
      for (const Shape& shape_b : round_and_box()) {
        if (shape_a.type == ShapeType::kBox && shape_b.type == ShapeType::kBox) continue;
        const Thing a(shape_a, random_pose(random, 0.7)), b(shape_b, random_pose(random, 0.7));
        const Pose world = random_pose(random, 2.0);
        const Manifold here = touch(a, b, 0.1);
        const Manifold there = touch(Thing(shape_a, world * a.pose()), Thing(shape_b, world * b.pose()), 0.1);
        ASSERT_EQ(here.count, there.count);
        if (here.count == 0) continue;
        EXPECT_LT((world.q * here.normal - there.normal).norm(), 1e-10);
        Manifold moved = here;
        for (int k = 0; k < moved.count; ++k)
          moved.points[static_cast<std::size_t>(k)].point = world * here.points[static_cast<std::size_t>(k)].point;
        EXPECT_LT(difference(moved, there), 1e-10);
      }
    }
  }
}

// The gap is the distance: moving a along the normal by minus the least gap makes them touch.
TEST(RoundPairs, MovingByTheGapMakesThemTouch) {
  Random random(13);
  for (int trial = 0; trial < 2000; ++trial) {
    for (const Shape& shape_a : {sphere(0.5), capsule(0.2, 0.6)}) {
      for (const Shape& shape_b : round_and_box()) {
        const Thing a(shape_a, random_pose(random, 0.7)), b(shape_b, random_pose(random, 0.7));
        const Manifold m = touch(a, b, 0.1);
        double least = INFINITY;
        for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[static_cast<std::size_t>(k)].gap);
        if (m.count == 0) continue;
        const Manifold again = touch(Thing(shape_a, {a.pose().p - least * m.normal, a.pose().q}), b, 1e-6);
        double least_again = INFINITY;
        for (int k = 0; k < again.count; ++k)
          least_again = std::min(least_again, again.points[static_cast<std::size_t>(k)].gap);
        if (least < -0.2) {  // an axis inside the box: the way out is known for the axis alone, and is enough
          EXPECT_GT(least_again, -1e-9);
          continue;
        }
        EXPECT_NEAR(least_again, 0.0, 1e-9) << name_of(shape_a.type) << " " << name_of(shape_b.type) << " " << least;
      }
    }
  }
}

// A step of a nanometre moves normals by nanometres over the size: no flicker between features.
TEST(RoundPairs, SmallStepsMakeSmallChanges) {
  Random random(14);
  int compared = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    for (const Shape& shape_a : {sphere(0.5), capsule(0.2, 0.6)}) {
      for (const Shape& shape_b : round_and_box()) {
        const Thing a(shape_a, random_pose(random, 0.9)), b(shape_b, random_pose(random, 0.9));
        const Manifold m = touch(a, b, 0.05);
        if (m.count == 0) continue;
        double least = INFINITY;
        for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[static_cast<std::size_t>(k)].gap);
        if (least < -0.15) continue;  // an axis inside the other shape may leave by another face
        const Manifold after = touch(Thing(shape_a, {a.pose().p + random_vector(random, 1e-9), a.pose().q}), b, 0.05);
        ++compared;
        EXPECT_LT((m.normal - after.normal).norm(), 1e-7);
        double least_after = INFINITY;
        for (int k = 0; k < after.count; ++k)
          least_after = std::min(least_after, after.points[static_cast<std::size_t>(k)].gap);
        EXPECT_NEAR(least, least_after, 1e-8);
      }
    }
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace tribo
