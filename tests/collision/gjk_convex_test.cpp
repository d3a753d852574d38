// GJK, EPA and the pairs that rest on them, against a dense search over directions; hostile sizes.
#include "collision/epa.hpp"
#include "collision/gjk.hpp"
#include "collision/narrow.hpp"
#include "convex_testing.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

Body random_body(Random& random, int kind, double size) {
  const auto s = [&] { return size * random.uniform(0.2, 1.0); };
  switch (kind) {
    case 0:
      return round(ShapeType::kSphere, s());
    case 1:
      return round(ShapeType::kCapsule, s(), s());
    case 2:
      return round(ShapeType::kEllipsoid, s(), s(), s());
    case 3:
      return round(ShapeType::kCylinder, s(), s());
    case 4:
      return box(s(), s(), s());
    default:
      return random_hull(random, 12, size);
  }
}

// Every pair with a curved shape: the least gap is the maximum of the separation over all directions, found here by brute force.
TEST(Gjk, LeastGapAgreesWithADenseSearch) {
  Random random(31);
  for (int first = 0; first < 6; ++first) {
    for (const int second : {2, 3}) {
      for (int trial = 0; trial < 25; ++trial) {
        const Body a = random_body(random, first, 1.0), b = random_body(random, second, 1.0);
        const Pose pa{random_vector(random, 1.0), random_rotation(random)},
            pb{random_vector(random, 1.0), random_rotation(random)};
        Manifold m;
        collide_convex(a.at(pa), b.at(pb), 10.0, m);
        ASSERT_GT(m.count, 0);
        ASSERT_TRUE(finite(m));
        // No direction separates them more; the separation along a direction is never more than the truth.
        const double along = separation_along(a, pa, b, pb, m.normal);
        EXPECT_GE(along, dense_separation(a, pa, b, pb) - 1e-10) << first << " " << second << " " << trial;
        EXPECT_NEAR(least_gap(m), along, 1e-9) << first << " " << second << " " << trial;
      }
    }
  }
}

// Two ellipsoids: closed form along a common axis, apart, touching and overlapping.
TEST(Gjk, EllipsoidsOnACommonAxis) {
  const Body a = round(ShapeType::kEllipsoid, 0.5, 0.3, 0.2), b = round(ShapeType::kEllipsoid, 0.4, 0.6, 0.7);
  for (const double gap : {-0.05, -1e-9, 0.0, 1e-9, 0.02}) {
    const Manifold m = touch(a, {Vector3d(0, 0, 0.9 + gap), Quaterniond::Identity()}, b, Pose{}, 0.1);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.points[0].gap, gap, 1e-14);
    EXPECT_LT((m.normal - Vector3d::UnitZ()).norm(), 1e-9) << gap;
    EXPECT_LT((m.points[0].point - Vector3d(0, 0, 0.7 + gap / 2)).norm(), 1e-9) << gap;
  }
}

// An ellipsoid over a face touches in its lowest point; a nanometre of motion moves the point by nanometres.
TEST(Gjk, EllipsoidOnABoxMovesSmoothly) {
  const Body egg = round(ShapeType::kEllipsoid, 0.5, 0.3, 0.2), floor = box(3.0, 3.0, 0.5);
  Manifold last;
  for (int step = 0; step < 200; ++step) {
    const double s = 1e-9 * (step - 100);
    const Pose pose{Vector3d(0.1 + s, s, 0.0), turned(0.7 + s, Vector3d(1, 2, 0.5))};
    const double height = reach(egg, pose, -Vector3d::UnitZ());
    const Manifold m = touch(egg, {pose.p + Vector3d(0, 0, 0.5 + height + s), pose.q}, floor, Pose{}, 0.01);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.points[0].gap, s, 1e-14);
    EXPECT_LT((m.normal - Vector3d::UnitZ()).norm(), 1e-12);
    if (step > 0) {
      EXPECT_LT((m.points[0].point - last.points[0].point).norm(), 1e-8);
    }
    last = m;
  }
}

// The distance of two polytopes by GJK is the distance by trying everything.
TEST(Gjk, DistanceOfPolytopesIsExact) {
  Random random(32);
  int apart = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Body a = random_hull(random, 10, 1.0), b = random_body(random, 4, 1.0);
    const Pose pa{random_vector(random, 2.0), random_rotation(random)},
        pb{random_vector(random, 2.0), random_rotation(random)};
    if (axes_separation(a, pa, b, pb) <= 1e-6) continue;
    ++apart;
    const Distance d = gjk(make_core(a.at(pa), pa.q.toRotationMatrix(), pa.p),
                           make_core(b.at(pb), pb.q.toRotationMatrix(), pb.p), 100.0);
    EXPECT_FALSE(d.overlap);
    EXPECT_NEAR(d.distance, brute_distance(a, pa, b, pb), 1e-11) << trial;
    EXPECT_LT(d.iterations, 40);
  }
  EXPECT_GT(apart, 100);
}

// EPA ends at the least overlap of two polytopes.
TEST(Gjk, EpaFindsTheLeastOverlapOfPolytopes) {
  Random random(33);
  int overlapping = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Body a = random_body(random, 4, 1.0), b = random_body(random, 4, 1.0);
    const Pose pa{random_vector(random, 0.5), random_rotation(random)},
        pb{random_vector(random, 0.5), random_rotation(random)};
    const double truth = axes_separation(a, pa, b, pb);
    if (truth >= -1e-6) continue;
    ++overlapping;
    const Core core_a = make_core(a.at(pa), pa.q.toRotationMatrix(), pa.p),
               core_b = make_core(b.at(pb), pb.q.toRotationMatrix(), pb.p);
    Distance d = gjk(core_a, core_b, 100.0);
    ASSERT_TRUE(d.overlap) << trial;
    epa(core_a, core_b, d);
    EXPECT_NEAR(d.distance, truth, 1e-11) << trial;
  }
  EXPECT_GT(overlapping, 100);
}

// Any two shapes of any size anywhere, coincident centres and aligned axes included, give finite numbers and at most sixteen points.
TEST(Gjk, HostileSizesAndPosesStayFinite) {
  Random random(34);
  for (int trial = 0; trial < 20000; ++trial) {
    const double size_a = std::pow(10.0, random.uniform(-4, 3)), size_b = std::pow(10.0, random.uniform(-4, 3));
    Body a = random_body(random, static_cast<int>(random.integer(0, 5)), size_a);
    Body b = random_body(random, static_cast<int>(random.integer(0, 5)), size_b);
    if (random.chance(0.2) && !a.polytope) a.shape.size(1) *= 1e-3;
    Pose pa, pb;
    if (!random.chance(0.2)) pa.p = random_vector(random, size_a + size_b);
    if (!random.chance(0.3)) pa.q = random_rotation(random);
    if (!random.chance(0.3)) pb.q = random_rotation(random);
    if (random.chance(0.1)) pb = pa;
    const Manifold m = touch(a, pa, b, pb, random.chance(0.5) ? 0.0 : 0.1 * size_a);
    ASSERT_TRUE(finite(m)) << trial;
    ASSERT_LE(m.count, kMostPoints);
  }
}

}  // namespace
}  // namespace tribo::testing
