// Box against box: closed forms, symmetry, invariance, the awkward cases.
#include "convex_testing.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

const Pose kOrigin;

Pose up(double z) { return {Vector3d(0, 0, z), Quaterniond::Identity()}; }

// Two equal boxes exactly on top of each other touch in the four corners, and each call gives the same bits.
TEST(BoxPair, EqualBoxesTouchInFourCornersWithTheSameBits) {
  const Body cube = box(0.5, 0.5, 0.5);
  const Manifold m = touch(cube, up(1.0), cube, kOrigin, 0.01);
  ASSERT_EQ(m.count, 4);
  EXPECT_EQ(m.normal, Vector3d::UnitZ());
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5}) EXPECT_LT(distance_to(m, Vector3d(x, y, 0.5)), 1e-15);
  EXPECT_EQ(least_gap(m), 0.0);
  const Manifold again = touch(cube, up(1.0), cube, kOrigin, 0.01);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(again.points[k].point, m.points[k].point);
    EXPECT_EQ(again.points[k].feature, m.points[k].feature);
  }
}

// The same stack anywhere in the world has four points still: rounding must not split a corner into two crossings.
TEST(BoxPair, EqualBoxesHaveFourPointsInEveryOrientation) {
  const Body cube = box(0.5, 0.3, 0.2);
  Random random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Pose world{random_vector(random, 10.0), random_rotation(random)};
    const Manifold m = touch(cube, world * up(0.4), cube, world, 0.01);
    ASSERT_EQ(m.count, 4) << trial;
    EXPECT_NEAR(least_gap(m), 0.0, 1e-14);
  }
}

// A square turned by 45° over an equal square overlaps in a regular octagon with corners at tan(22.5°) of the half side.
TEST(BoxPair, TurnedByHalfARightAngleTouchInAnOctagon) {
  const Body cube = box(1.0, 1.0, 1.0);
  const Manifold m = touch(cube, {Vector3d(0, 0, 1.999), turned(M_PI / 4, Vector3d::UnitZ())}, cube, kOrigin, 0.01);
  ASSERT_EQ(m.count, 8);
  const double t = std::tan(M_PI / 8);
  for (const double s : {-1.0, 1.0}) {
    for (const double r : {-t, t}) {
      EXPECT_LT(distance_to(m, Vector3d(s, r, 0.9995)), 1e-11);
      EXPECT_LT(distance_to(m, Vector3d(r, s, 0.9995)), 1e-11);
    }
  }
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(m.points[k].gap, -0.001, 1e-14);
}

// Shifted boxes touch in the rectangle their faces share.
TEST(BoxPair, ShiftedBoxesTouchInTheCommonRectangle) {
  const Body large = box(1.0, 1.0, 0.1), small = box(0.5, 0.25, 0.2);
  const Manifold m = touch(small, {Vector3d(0.8, -0.1, 0.3 + 1e-12), Quaterniond::Identity()}, large, kOrigin, 0.01);
  ASSERT_EQ(m.count, 4);
  for (const double x : {0.3, 1.0})
    for (const double y : {-0.35, 0.15}) EXPECT_LT(distance_to(m, Vector3d(x, y, 0.1)), 2e-12);
  EXPECT_NEAR(least_gap(m), 1e-12, 1e-15);
}

// A cube on its corner touches the face below in that corner alone; the gap is the corner's height.
TEST(BoxPair, CornerOverFaceIsOnePoint) {
  const Body cube = box(0.5, 0.5, 0.5), floor = box(5.0, 5.0, 1.0);
  const Quaterniond corner_down = Quaterniond::FromTwoVectors(Vector3d(1, 1, 1).normalized(), -Vector3d::UnitZ());
  for (const double gap : {-1e-3, 0.0, 1e-12, 4e-3}) {
    const Manifold m =
        touch(cube, {Vector3d(0.2, 0.1, 1.0 + std::sqrt(0.75) + gap), corner_down}, floor, kOrigin, 0.005);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.points[0].gap, gap, 1e-14);
    EXPECT_LT((m.normal - Vector3d::UnitZ()).norm(), 1e-15);
    EXPECT_LT((m.points[0].point - Vector3d(0.2, 0.1, 1.0 + gap / 2)).norm(), 1e-14);
  }
}

// Two roof ridges that cross at a right angle touch in one point with a vertical normal.
TEST(BoxPair, CrossingRidgesTouchInOnePoint) {
  const Body cube = box(0.5, 0.5, 0.5);
  const Pose below{Vector3d::Zero(), turned(M_PI / 4, Vector3d::UnitX())};
  for (const double gap : {-1e-3, -1e-9, 1e-9, 2e-3}) {
    const Pose above{Vector3d(0.1, -0.05, std::sqrt(2.0) + gap), turned(M_PI / 4, Vector3d::UnitY())};
    const Manifold m = touch(cube, above, cube, below, 0.01);
    ASSERT_EQ(m.count, 1);
    EXPECT_LT((m.normal - Vector3d::UnitZ()).norm(), 1e-12);
    EXPECT_NEAR(m.points[0].gap, gap, 1e-14);
    EXPECT_LT((m.points[0].point - Vector3d(0.1, 0.0, std::sqrt(0.5) + gap / 2)).norm(), 0.051);
    EXPECT_NEAR(m.points[0].point.y(), 0.0, 1e-14);
    EXPECT_NEAR(m.points[0].point.x(), 0.1, 1e-14);
  }
}

// Two corners that face each other across a gap: the normal joins them, which no face normal does.
TEST(BoxPair, CornerBeforeCornerUsesTheNearestPoints) {
  const Body cube = box(0.5, 0.5, 0.5);
  const Vector3d d = Vector3d(0.003, 0.004, 0.002);
  const Manifold m = touch(cube, {Vector3d(1, 1, 1) + d, Quaterniond::Identity()}, cube, kOrigin, 0.01);
  ASSERT_EQ(m.count, 1);
  EXPECT_NEAR(m.points[0].gap, d.norm(), 1e-14);
  EXPECT_LT((m.normal - d.normalized()).norm(), 1e-12);
  EXPECT_LT((m.points[0].point - Vector3d(0.5, 0.5, 0.5) - d / 2).norm(), 1e-14);
}

// Two parallel edges that face each other across a gap touch along the length they share: two points.
TEST(BoxPair, ParallelEdgesAcrossAGapGiveBothEnds) {
  const Body cube = box(0.5, 0.5, 0.5);
  const Manifold m = touch(cube, {Vector3d(1.003, 0.2, 1.004), Quaterniond::Identity()}, cube, kOrigin, 0.01);
  ASSERT_EQ(m.count, 2);
  EXPECT_LT((m.normal - Vector3d(0.6, 0.0, 0.8)).norm(), 1e-12);
  for (const double y : {-0.3, 0.5}) EXPECT_LT(distance_to(m, Vector3d(0.5015, y, 0.502)), 1e-12);
  EXPECT_NEAR(least_gap(m), 0.005, 1e-14);
}

// A corner exactly over an edge belongs to the face and must not be lost.
TEST(BoxPair, CornerExactlyOverAnEdgeIsKept) {
  const Body cube = box(0.5, 0.5, 0.5);
  const Quaterniond corner_down = Quaterniond::FromTwoVectors(Vector3d(1, 1, 1).normalized(), -Vector3d::UnitZ());
  const Manifold m = touch(cube, {Vector3d(0.5, 0.1, 0.5 + std::sqrt(0.75) - 1e-6), corner_down}, cube, kOrigin, 1e-4);
  ASSERT_GE(m.count, 1);
  EXPECT_NEAR(least_gap(m), -1e-6, 1e-12);
}

// What a sees of b is what b sees of a: the same points, the opposite normal.
TEST(BoxPair, SwappingTheBodiesTurnsTheNormalOnly) {
  Random random(11);
  int compared = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Body a = box(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const Body b = box(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const Pose pa{random_vector(random, 0.9), random_rotation(random)},
        pb{random_vector(random, 0.9), random_rotation(random)};
    const Manifold m = touch(a, pa, b, pb, 0.05), w = touch(b, pb, a, pa, 0.05);
    EXPECT_EQ(m.count > 0, w.count > 0);
    // Within the bias the two orders may choose different faces.
    if (m.count == 0 || (m.normal + w.normal).norm() > 1e-3) continue;
    ++compared;
    ASSERT_EQ(m.count, w.count) << trial;
    EXPECT_LT((m.normal + w.normal).norm(), 1e-12);
    for (int k = 0; k < m.count; ++k)
      EXPECT_LT(distance_to(w, m.points[static_cast<std::size_t>(k)].point), 1e-11) << trial;
  }
  EXPECT_GT(compared, 500);
}

// Moving the whole world moves the points and turns the normal, and nothing else.
TEST(BoxPair, CommonRigidMotionChangesNothing) {
  Random random(12);
  for (int trial = 0; trial < 2000; ++trial) {
    const Body a = box(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const Body b = box(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const Pose pa{random_vector(random, 0.8), random_rotation(random)},
        pb{random_vector(random, 0.8), random_rotation(random)};
    const Pose world{random_vector(random, 1.0), random_rotation(random)};
    const Manifold m = touch(a, pa, b, pb, 0.05), w = touch(a, world * pa, b, world * pb, 0.05);
    ASSERT_EQ(m.count, w.count) << trial;
    if (m.count == 0) continue;
    EXPECT_LT((world.q * m.normal - w.normal).norm(), 1e-11) << trial;
    for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k) {
      EXPECT_LT((world * m.points[k].point - w.points[k].point).norm(), 1e-11) << trial;
      EXPECT_NEAR(m.points[k].gap, w.points[k].gap, 1e-12) << trial;
      EXPECT_EQ(m.points[k].feature, w.points[k].feature);
    }
  }
}

// The least gap is the distance, or minus the least overlap, to the bias of the choice of faces.
TEST(BoxPair, LeastGapAgreesWithAllAxesAndAllNearestPoints) {
  Random random(13);
  int apart = 0, overlapping = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Body a = box(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const Body b = box(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const Pose pa{random_vector(random, 1.2), random_rotation(random)},
        pb{random_vector(random, 1.2), random_rotation(random)};
    const Manifold m = touch(a, pa, b, pb, 10.0);
    ASSERT_GT(m.count, 0);
    const double size = std::min(a.size(), b.size());
    double truth = axes_separation(a, pa, b, pb);
    if (truth > 0.0) {
      truth = brute_distance(a, pa, b, pb);
      ++apart;
      EXPECT_NEAR(least_gap(m), truth, 2e-5 * size) << trial;
    } else {
      ++overlapping;
      EXPECT_NEAR(separation_along(a, pa, b, pb, m.normal), truth, 1e-5 * size - 0.05 * truth) << trial;
      EXPECT_NEAR(least_gap(m), truth, 1e-5 * size - 0.05 * truth) << trial;
    }
  }
  EXPECT_GT(apart, 500);
  EXPECT_GT(overlapping, 500);
}

// Moving a along the normal by minus the gap makes them touch.
TEST(BoxPair, MovingByTheGapMakesThemTouch) {
  Random random(14);
  for (int trial = 0; trial < 1000; ++trial) {
    const Body a = box(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const Body b = box(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1));
    const Pose pa{random_vector(random, 1.2), random_rotation(random)},
        pb{random_vector(random, 1.2), random_rotation(random)};
    const Manifold m = touch(a, pa, b, pb, 10.0);
    const double gap = separation_along(a, pa, b, pb, m.normal);
    const Manifold w = touch(a, {pa.p - gap * m.normal, pa.q}, b, pb, 0.1);
    ASSERT_GT(w.count, 0) << trial;
    EXPECT_NEAR(least_gap(w), 0.0, gap > 0.0 ? 1e-10 : 1e-10 - 0.02 * gap) << trial;
  }
}

// Bodies that move by nanometres have points that move by nanometres: a tilted box slides and sinks in steps of 1e-9.
TEST(BoxPair, SmallMotionsMoveThePointsLittle) {
  const Body plate = box(1.0, 1.0, 0.1), cube = box(0.3, 0.2, 0.1);
  for (const double tilt : {0.0, 1e-8, 1e-5, 0.01, 0.3}) {
    const Quaterniond turn = turned(0.4, Vector3d::UnitZ()) * turned(tilt, Vector3d(1, 0.3, 0));
    const double height = reach(cube, {Vector3d::Zero(), turn}, -Vector3d::UnitZ());
    Manifold last;
    for (int step = 0; step <= 400; ++step) {
      const double s = 1e-9 * (step - 200);
      const Manifold m = touch(cube, {Vector3d((tilt < 0.1 ? 0.9 : 0.5) + s, 0.5 - 2 * s, 0.1 + height + s), turn},
                               plate, kOrigin, 1e-3);
      ASSERT_GT(m.count, 0) << tilt << " " << step;
      if (step > 0) {
        ASSERT_EQ(m.count, last.count) << tilt << " " << step;
        EXPECT_LT((m.normal - last.normal).norm(), 1e-12);
        for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k) {
          EXPECT_EQ(m.points[k].feature, last.points[k].feature);
          EXPECT_LT((m.points[k].point - last.points[k].point).norm(), 1e-8);
        }
      }
      last = m;
    }
  }
}

// A brick half over another, tilted by next to nothing either way, keeps its four points whether it floats or sinks a little:
// one point only, because a corner outside happens to be lower, would let it tip.
TEST(BoxPair, BricksKeepTheirPolygonWhenTiltedByRounding) {
  const Body brick = box(0.5, 0.25, 0.1);
  for (const double tilt : {-1e-6, -1e-9, -1e-13, 0.0, 1e-13, 1e-9, 1e-6}) {
    for (const Vector3d& axis : {Vector3d(0, 1, 0), Vector3d(1, 0, 0), Vector3d(1, 1, 0), Vector3d(1, -0.4, 1)}) {
      for (const double gap : {-1e-6, -1e-12, 1e-12, 1e-6}) {
        const Manifold m = touch(brick, {Vector3d(0.5, 0.0, 0.2 + gap), turned(tilt, axis)}, brick, kOrigin, 1e-3);
        EXPECT_GE(m.count, 4) << tilt << " " << gap;
        EXPECT_GT(m.normal.z(), 1.0 - 1e-9);
        EXPECT_NEAR(least_gap(m), gap, 1e-6);
        EXPECT_NEAR(centroid(m).x(), 0.25, 0.06);
      }
    }
  }
}

// Plates of 1000 : 1 lie on each other like any other boxes.
TEST(BoxPair, ThinPlatesTouchInTheirPolygon) {
  const Body plate = box(1.0, 1.0, 0.001);
  const Manifold m =
      touch(plate, {Vector3d(0.3, 0.2, 0.002 - 1e-6), turned(0.1, Vector3d::UnitZ())}, plate, kOrigin, 1e-3);
  EXPECT_GE(m.count, 4);
  EXPECT_LT((m.normal - Vector3d::UnitZ()).norm(), 1e-12);
  EXPECT_NEAR(least_gap(m), -1e-6, 1e-14);
}

// Units are the user's: boxes of a tenth of a millimetre and of a kilometre behave alike.
TEST(BoxPair, ScalesFromTinyToHuge) {
  for (const double scale : {1e-4, 1e-2, 1.0, 1e3}) {
    const Body cube = box(0.5 * scale, 0.5 * scale, 0.5 * scale);
    const Manifold m =
        touch(cube, {Vector3d(0, 0, 0.999 * scale), turned(M_PI / 4, Vector3d::UnitZ())}, cube, kOrigin, 0.01 * scale);
    ASSERT_EQ(m.count, 8);
    EXPECT_NEAR(least_gap(m) / scale, -0.001, 1e-12);
  }
}

}  // namespace
}  // namespace tribo::testing
