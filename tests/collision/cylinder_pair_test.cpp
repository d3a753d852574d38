// Cylinders: caps give rims, sides give lines.
#include "convex_testing.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

// A cylinder standing on a box touches in eight points on its rim, all with the same gap, balanced about its axis.
TEST(CylinderPair, StandingOnABoxGivesTheRim) {
  const Body cylinder = round(ShapeType::kCylinder, 0.3, 0.5), floor = box(1.0, 1.0, 0.1);
  for (const double gap : {-1e-4, -1e-10, 0.0, 1e-10, 1e-3}) {
    const Manifold m =
        touch(cylinder, {Vector3d(0.1, 0.2, 0.6 + gap), turned(0.3, Vector3d::UnitZ())}, floor, Pose{}, 0.01);
    ASSERT_GE(m.count, 8) << gap;
    EXPECT_LT((m.normal - Vector3d::UnitZ()).norm(), 1e-9) << gap;
    for (int k = 0; k < m.count; ++k) {
      const ManifoldPoint& p = m.points[static_cast<std::size_t>(k)];
      EXPECT_NEAR((p.point - Vector3d(0.1, 0.2, 0.1)).head<2>().norm(), 0.3, 1e-9);
      EXPECT_NEAR(p.gap, gap, 1e-9);
    }
    EXPECT_LT((centroid(m) - Vector3d(0.1, 0.2, 0.1 + gap / 2)).norm(), 1e-9);
  }
}

// Over the edge of the box only the part of the disc above it counts: the crossings of rim and edge are there.
TEST(CylinderPair, OverAnEdgeKeepsThePartAboveTheBox) {
  const Body cylinder = round(ShapeType::kCylinder, 0.5, 0.5), floor = box(1.0, 1.0, 0.1);
  const Manifold m = touch(cylinder, {Vector3d(0.9, 0.0, 0.6), Quaterniond::Identity()}, floor, Pose{}, 0.01);
  for (int k = 0; k < m.count; ++k) EXPECT_LE(m.points[static_cast<std::size_t>(k)].point.x(), 1.0 + 1e-12);
  for (const double s : {-1.0, 1.0}) EXPECT_LT(distance_to(m, Vector3d(1.0, s * std::sqrt(0.24), 0.1)), 1e-9);
  EXPECT_LT(distance_to(m, Vector3d(0.4, 0.0, 0.1)), 1e-9);
}

// A cylinder lying on a box touches along its line: two points at its ends.
TEST(CylinderPair, LyingOnABoxGivesTwoEnds) {
  const Body cylinder = round(ShapeType::kCylinder, 0.2, 0.5), floor = box(1.0, 1.0, 0.1);
  for (const double gap : {-1e-4, 0.0, 1e-3}) {
    const Manifold m =
        touch(cylinder, {Vector3d(0.1, 0.2, 0.3 + gap), turned(M_PI / 2, Vector3d::UnitY())}, floor, Pose{}, 0.01);
    ASSERT_EQ(m.count, 2);
    EXPECT_LT((m.normal - Vector3d::UnitZ()).norm(), 1e-9);
    for (const double x : {-0.4, 0.6}) EXPECT_LT(distance_to(m, Vector3d(x, 0.2, 0.1 + gap / 2)), 1e-9);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(m.points[k].gap, gap, 1e-12);
  }
}

// Tilted on its rim it touches in the lowest point of the rim, exactly.
TEST(CylinderPair, TiltedTouchesInTheLowestPointOfTheRim) {
  const Body cylinder = round(ShapeType::kCylinder, 0.3, 0.5), floor = box(2.0, 2.0, 0.1);
  for (const double tilt : {1e-7, 1e-3, 0.05, 0.3, 0.8, 1.5}) {
    const double height = 0.3 * std::sin(tilt) + 0.5 * std::cos(tilt);
    const Manifold m =
        touch(cylinder, {Vector3d(0, 0, 0.1 + height - 1e-5), turned(tilt, Vector3d(1, 0.4, 0))}, floor, Pose{}, 1e-6);
    ASSERT_GE(m.count, 1) << tilt;
    EXPECT_NEAR(least_gap(m), -1e-5, 1e-10) << tilt;
    EXPECT_LT((m.normal - Vector3d::UnitZ()).norm(), 1e-9) << tilt;
  }
}

// Stacked cylinders touch in the rim of the smaller one, shifted ones in the lens between their rims.
TEST(CylinderPair, StackedCylindersTouchInTheirCommonDisc) {
  const Body large = round(ShapeType::kCylinder, 0.4, 0.5), small = round(ShapeType::kCylinder, 0.3, 0.2);
  const Manifold inside = touch(small, {Vector3d(0.05, 0.0, 0.7 - 1e-6), Quaterniond::Identity()}, large, Pose{}, 1e-3);
  ASSERT_GE(inside.count, 8);
  EXPECT_LT((inside.normal - Vector3d::UnitZ()).norm(), 1e-9);
  EXPECT_LT((centroid(inside).head<2>() - Eigen::Vector2d(0.05, 0.0)).norm(), 1e-9);
  const Manifold lens = touch(large, {Vector3d(0.48, 0.0, 1.0 - 1e-6), Quaterniond::Identity()}, large, Pose{}, 1e-3);
  ASSERT_EQ(lens.count, 8);
  for (const double s : {-1.0, 1.0}) EXPECT_LT(distance_to(lens, Vector3d(0.24, s * 0.32, 0.5 - 5e-7)), 1e-9);
  EXPECT_NEAR(least_gap(lens), -1e-6, 1e-12);
}

// Parallel cylinders touch along a line, crossed ones in one point.
TEST(CylinderPair, SidesTouchInALineOrAPoint) {
  const Body cylinder = round(ShapeType::kCylinder, 0.2, 0.5);
  const Manifold line =
      touch(cylinder, {Vector3d(0.4 - 1e-6, 0, 0.3), Quaterniond::Identity()}, cylinder, Pose{}, 1e-3);
  ASSERT_EQ(line.count, 2);
  EXPECT_LT((line.normal - Vector3d::UnitX()).norm(), 1e-9);
  for (const double z : {-0.2, 0.5}) EXPECT_LT(distance_to(line, Vector3d(0.2 - 5e-7, 0, z)), 1e-9);
  const Manifold point =
      touch(cylinder, {Vector3d(0.4 - 1e-6, 0, 0.1), turned(1.0, Vector3d::UnitX())}, cylinder, Pose{}, 1e-3);
  ASSERT_EQ(point.count, 1);
  EXPECT_LT((point.points[0].point - Vector3d(0.2 - 5e-7, 0, 0.1)).norm(), 1e-9);
  EXPECT_NEAR(point.points[0].gap, -1e-6, 1e-13);
}

// What a sees of b is what b sees of a.
TEST(CylinderPair, SwappingTheBodiesTurnsTheNormalOnly) {
  Random random(41);
  const Body cylinder = round(ShapeType::kCylinder, 0.4, 0.6), cube = box(0.5, 0.4, 0.7);
  for (int trial = 0; trial < 500; ++trial) {
    const Pose pa{random_vector(random, 0.8), random_rotation(random)},
        pb{random_vector(random, 0.8), random_rotation(random)};
    const Manifold m = touch(cylinder, pa, cube, pb, 0.05), w = touch(cube, pb, cylinder, pa, 0.05);
    ASSERT_EQ(m.count, w.count) << trial;
    if (m.count == 0) continue;
    EXPECT_LT((m.normal + w.normal).norm(), 1e-12) << trial;
    EXPECT_NEAR(least_gap(m), least_gap(w), 1e-12) << trial;
  }
}

// A standing cylinder that is nudged by nanometres keeps its points to nanometres.
TEST(CylinderPair, SmallMotionsMoveThePointsLittle) {
  const Body cylinder = round(ShapeType::kCylinder, 0.3, 0.5), floor = box(1.0, 1.0, 0.1);
  Manifold last;
  for (int step = 0; step < 200; ++step) {
    const double s = 1e-9 * (step - 100);
    const Pose pose{Vector3d(0.1 + s, 0.2 - s, 0.6 + s), turned(s, Vector3d(1, 2, 3))};
    const Manifold m = touch(cylinder, pose, floor, Pose{}, 1e-3);
    ASSERT_GE(m.count, 8);
    EXPECT_LT((m.normal - Vector3d::UnitZ()).norm(), 1e-12) << step;
    for (std::size_t k = 0; k < 8 && step > 0; ++k) {
      EXPECT_EQ(m.points[k].feature, last.points[k].feature);
      EXPECT_LT((m.points[k].point - last.points[k].point).norm(), 1e-8) << step;
    }
    last = m;
  }
}

}  // namespace
}  // namespace tribo::testing
