// Polytopes: faces as polygons, edges once, everything outward.
#include "convex_testing.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

void expect_consistent(const Polytope& p) {
  const std::size_t faces = p.normals.size();
  ASSERT_EQ(p.start.size(), faces + 1);
  // Euler: V − E + F = 2.
  EXPECT_EQ(p.vertices.size() + faces, p.edges.size() + 2);
  for (std::size_t f = 0; f < faces; ++f) {
    EXPECT_LT(p.normals[f].dot(p.centre), p.offsets[f]);
    for (const Vector3d& v : p.vertices) EXPECT_LE(p.normals[f].dot(v), p.offsets[f] + 1e-9 * p.radius);
    const auto corners = p.face(f);
    ASSERT_GE(corners.size(), 3u);
    const auto at = [&](std::size_t k) { return p.vertices[static_cast<std::size_t>(corners[k % corners.size()])]; };
    for (std::size_t k = 0; k < corners.size(); ++k)
      EXPECT_GT((at(k + 1) - at(k)).cross(at(k + 2) - at(k + 1)).dot(p.normals[f]), 0.0);
  }
  for (const Polytope::Edge& e : p.edges) {
    const auto holds = [&](std::int32_t f, std::int32_t from, std::int32_t to) {
      const auto corners = p.face(static_cast<std::size_t>(f));
      for (std::size_t k = 0; k < corners.size(); ++k)
        if (corners[k] == from && corners[(k + 1) % corners.size()] == to) return true;
      return false;
    };
    EXPECT_TRUE(holds(e.left, e.from, e.to));
    EXPECT_TRUE(holds(e.right, e.to, e.from));
  }
}

// Clipping walks the faces of a box and names its edges by number: the tables must agree.
TEST(Polytope, BoxIsConsistent) {
  const Polytope p = make_box(Vector3d(1, 2, 3));
  EXPECT_EQ(p.edges.size(), 12u);
  expect_consistent(p);
  EXPECT_NEAR(p.radius, std::sqrt(14.0), 1e-15);
}

// qhull gives triangles; a cube must come back with six squares, also with points in the middle of faces and edges.
TEST(Polytope, CoplanarTrianglesBecomeOneFace) {
  std::vector<Vector3d> points;
  for (const double x : {-1.0, 0.0, 1.0})
    for (const double y : {-1.0, 0.0, 1.0})
      for (const double z : {-1.0, 0.0, 1.0}) points.emplace_back(x, y, z);
  const Body cube = hull(points);
  expect_consistent(*cube.polytope);
  EXPECT_EQ(cube.polytope->vertices.size(), 8u);
  EXPECT_EQ(cube.polytope->normals.size(), 6u);
}

// A prism over a 32-gon has two large faces and 32 sides, in any orientation and of any size.
TEST(Polytope, PrismKeepsItsSides) {
  Random random(2);
  for (const double scale : {1e-4, 1.0, 1e3}) {
    const Quaterniond turn = random_rotation(random);
    std::vector<Vector3d> points;
    for (int k = 0; k < 32; ++k)
      for (const double z : {-0.5, 0.5})
        points.push_back(scale * (turn * Vector3d(std::cos(M_PI * k / 16), std::sin(M_PI * k / 16), z)));
    const Body prism = hull(points);
    expect_consistent(*prism.polytope);
    EXPECT_EQ(prism.polytope->normals.size(), 34u);
  }
}

// Random points on a sphere: all are corners and almost all faces are triangles.
TEST(Polytope, RandomHullsAreConsistent) {
  Random random(1);
  for (const int count : {4, 5, 8, 20, 100}) expect_consistent(*random_hull(random, count, 1.0).polytope);
}

// Points in a plane have no inside; the reason is told.
TEST(Polytope, FlatPointsAreRefused) {
  Mesh mesh;
  mesh.vertices = {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(1, 1, 0)};
  EXPECT_FALSE(make_polytope(mesh).has_value());
}

}  // namespace
}  // namespace tribo::testing
