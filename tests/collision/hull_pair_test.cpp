// Hull against hull and box: the general path of separating axes.
#include "collision/narrow.hpp"
#include "convex_testing.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

// A cube given as a mesh touches as the box does: the general axes and the fifteen of boxes are the same mathematics.
TEST(HullPair, CubeAsMeshTouchesLikeABox) {
  Random random(21);
  for (int trial = 0; trial < 500; ++trial) {
    const Body a = box(0.4, 0.5, 0.6), b = box(0.3, 0.7, 0.2);
    const Body hull_a = hull(a.polytope->vertices), hull_b = hull(b.polytope->vertices);
    const Pose pa{random_vector(random, 0.6), random_rotation(random)},
        pb{random_vector(random, 0.6), random_rotation(random)};
    const Manifold m = touch(a, pa, b, pb, 0.05), w = touch(hull_a, pa, hull_b, pb, 0.05);
    ASSERT_EQ(m.count, w.count) << trial;
    if (m.count == 0) continue;
    EXPECT_LT((m.normal - w.normal).norm(), 1e-9) << trial;
    for (int k = 0; k < m.count; ++k)
      EXPECT_LT(distance_to(w, m.points[static_cast<std::size_t>(k)].point), 1e-9) << trial;
  }
}

// The least gap is the distance, or minus the least overlap, to the bias of the choice of faces.
TEST(HullPair, LeastGapAgreesWithAllAxesAndAllNearestPoints) {
  Random random(22);
  for (int trial = 0; trial < 600; ++trial) {
    const Body a = random_hull(random, 4 + trial % 13, random.uniform(0.3, 1.0));
    const Body b = random_hull(random, 4 + trial % 7, random.uniform(0.3, 1.0));
    const Pose pa{random_vector(random, 0.9), random_rotation(random)},
        pb{random_vector(random, 0.9), random_rotation(random)};
    const Manifold m = touch(a, pa, b, pb, 10.0);
    ASSERT_GT(m.count, 0);
    ASSERT_TRUE(finite(m));
    const double size = std::min(a.size(), b.size());
    double truth = axes_separation(a, pa, b, pb);
    if (truth > 0.0) {
      truth = brute_distance(a, pa, b, pb);
      EXPECT_NEAR(least_gap(m), truth, 3e-5 * size) << trial;
    } else {
      EXPECT_NEAR(separation_along(a, pa, b, pb, m.normal), truth, 2e-5 * size - 0.05 * truth) << trial;
      EXPECT_NEAR(least_gap(m), truth, 2e-5 * size - 0.05 * truth) << trial;
    }
  }
}

// Most faces and edges of hulls with hundreds of them are skipped unseen. What is found is what a look at all of them finds.
TEST(HullPair, SkippedAxesAreWorseThanTheOneFound) {
  Random random(25);
  int apart = 0, overlapping = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const Body a = random_hull(random, 20 + trial % 60, random.uniform(0.3, 1.0));
    const Body b = random_hull(random, 20 + trial % 37, random.uniform(0.3, 1.0));
    const double size = std::min(a.size(), b.size());
    const Vector3d direction = random_rotation(random) * Vector3d::UnitX();
    const Pose pa{Vector3d::Zero(), random_rotation(random)};
    Pose pb{3.0 * direction, random_rotation(random)};
    const Manifold far = touch(a, pa, b, pb, 10.0);
    ASSERT_GT(far.count, 0);
    pb.p -=
        (least_gap(far) + size * (trial % 3 == 0 ? random.uniform(0.0, 0.5) : random.uniform(-0.02, 0.0))) * direction;
    const Manifold m = touch(a, pa, b, pb, 1.0);
    ASSERT_GT(m.count, 0);
    ASSERT_TRUE(finite(m));
    double truth = axes_separation(a, pa, b, pb);
    if (truth > 0.0) {
      truth = brute_distance(a, pa, b, pb);
      EXPECT_NEAR(least_gap(m), truth, 3e-5 * size) << trial;
      ++apart;
    } else {
      EXPECT_NEAR(separation_along(a, pa, b, pb, m.normal), truth, 2e-5 * size - 0.05 * truth) << trial;
      EXPECT_NEAR(least_gap(m), truth, 2e-5 * size - 0.05 * truth) << trial;
      ++overlapping;
    }
  }
  EXPECT_GT(apart, 20);
  EXPECT_GT(overlapping, 10);
}

// A disc of 200 corners on a plate has more corners than a manifold holds: those kept span the disc.
TEST(HullPair, ManyCornersAreThinnedOutEvenly) {
  std::vector<Vector3d> points;
  for (int k = 0; k < 200; ++k)
    for (const double z : {-0.1, 0.1}) points.emplace_back(std::cos(M_PI * k / 100), std::sin(M_PI * k / 100), z);
  const Body disc = hull(points), plate = box(2.0, 2.0, 0.1);
  const Manifold m = touch(disc, {Vector3d(0, 0, 0.2), Quaterniond::Identity()}, plate, Pose{}, 0.01);
  EXPECT_GE(m.count, 12);
  EXPECT_LE(m.count, kMostPoints);
  EXPECT_LT(centroid(m).head<2>().norm(), 0.1);
  for (int k = 0; k < m.count; ++k)
    EXPECT_NEAR(m.points[static_cast<std::size_t>(k)].point.head<2>().norm(), 1.0, 1e-9);
}

// Two scans with thousands of edges each: what GJK and EPA find instead of all pairs of edges is the same least gap.
TEST(HullPair, FineHullsTouchLikeCoarseOnes) {
  Random random(24);
  const Body a = random_hull(random, 800, 1.0), b = random_hull(random, 900, 0.7);
  ASSERT_GT(a.polytope->edges.size() * b.polytope->edges.size(), 1'000'000u);
  for (const double distance : {1.7 + 5e-3, 1.7 - 1e-3, 1.7 - 0.1, 1.0}) {
    for (int trial = 0; trial < 10; ++trial) {
      const Vector3d direction = Vector3d(random.normal(), random.normal(), random.normal()).normalized();
      const Pose pa{Vector3d::Zero(), random_rotation(random)}, pb{distance * direction, random_rotation(random)};
      const Manifold m = touch(a, pa, b, pb, 0.05);
      ASSERT_GT(m.count, 0) << distance;
      ASSERT_TRUE(finite(m));
      const double truth = dense_separation(a, pa, b, pb);
      EXPECT_NEAR(least_gap(m), truth, 2e-5 + 0.02 * std::max(0.0, -truth)) << distance << ", trial " << trial;
      EXPECT_NEAR(separation_along(a, pa, b, pb, m.normal), truth, 2e-5 + 0.02 * std::max(0.0, -truth)) << distance;
    }
  }
}

// A flat triangle is a polytope too: a box resting on it touches in the part of its face over the triangle, an edge across it in
// one point on the edge.
TEST(HullPair, FlatTriangleTouchesOnItsFaceAndItsEdges) {
  Body triangle{{ShapeType::kMesh, Vector3d::Zero(), 0}, std::make_shared<Polytope>()};
  set_triangle(Vector3d(0, 0, 0), Vector3d(4, 0, 0), Vector3d(0, 4, 0), *triangle.polytope);
  const Body cube = box(0.5, 0.5, 0.5);
  const Manifold flat = touch(cube, {Vector3d(1, 1, 0.5 - 1e-4), Quaterniond::Identity()}, triangle, Pose{}, 1e-3);
  ASSERT_EQ(flat.count, 4);
  EXPECT_LT((flat.normal - Vector3d::UnitZ()).norm(), 1e-12);
  EXPECT_NEAR(least_gap(flat), -1e-4, 1e-13);
  // The ridge of a tilted cube crosses the triangle's edge y = 0 from outside.
  const Quaterniond ridge = turned(M_PI / 4, Vector3d::UnitZ());
  const Manifold edge = touch(cube, {Vector3d(2, -std::sqrt(0.5) + 1e-4, 0.1), ridge}, triangle, Pose{}, 1e-3);
  ASSERT_GE(edge.count, 1);
  EXPECT_NEAR(least_gap(edge), -1e-4, 1e-12);
  EXPECT_LT((edge.normal + Vector3d::UnitY()).norm(), 1e-9);
}

}  // namespace
}  // namespace tribo::testing
