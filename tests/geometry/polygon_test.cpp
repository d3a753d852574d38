// Polygons cut into triangles.
#include "tribo/core/random.hpp"
#include "tribo/geometry/mesh.hpp"
#include "tribo/geometry/pose.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace tribo {
namespace {

// The corners in a plane that is tilted and away from the origin, one polygon over all of them.
Mesh make_corners(const std::vector<std::array<double, 2>>& points) {
  const Quaterniond turn(Eigen::AngleAxisd(1.1, Vector3d(1.0, 2.0, -0.5).normalized()));
  Mesh mesh;
  for (const auto& [x, y] : points) mesh.vertices.push_back(turn * Vector3d(x, y, 0.0) + Vector3d(3.0, -1.0, 2.0));
  return mesh;
}

Checked cut(Mesh& mesh) {
  std::vector<std::int32_t> polygon(mesh.vertices.size());
  std::iota(polygon.begin(), polygon.end(), 0);
  return add_polygon(mesh, polygon);
}

Vector3d calc_double_area(const Mesh& mesh, const std::array<std::int32_t, 3>& face) {
  const Vector3d& a = mesh.vertices[face[0]];
  return (mesh.vertices[face[1]] - a).cross(mesh.vertices[face[2]] - a);
}

// Triangles that all look the same way and cover the polygon's area once.
void expect_cover(const Mesh& mesh, double area) {
  ASSERT_EQ(mesh.faces.size(), mesh.vertices.size() - 2);
  Vector3d sum = Vector3d::Zero();
  for (const auto& face : mesh.faces) sum += calc_double_area(mesh, face) / 2.0;
  EXPECT_NEAR(sum.norm(), area, 1e-12 * area);
  for (const auto& face : mesh.faces) EXPECT_GT(calc_double_area(mesh, face).dot(sum), 1e-9 * area * area);
}

// A square with a notch down to (2, 1): a fan from any corner but the notch's covers a part twice.
TEST(Polygon, NotchIsNotCovered) {
  const std::vector<std::array<double, 2>> notch = {{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}};
  for (std::size_t first = 0; first < notch.size(); ++first) {
    std::vector<std::array<double, 2>> points = notch;
    std::rotate(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(first), points.end());
    Mesh mesh = make_corners(points);
    ASSERT_TRUE(cut(mesh)) << first;
    expect_cover(mesh, 10.0);
    EXPECT_EQ(mesh.bent_polygons, 0);
  }
}

// Whatever the shape, as long as its edges do not cross: stars with random radii have convex and reflex corners in any order.
TEST(Polygon, RandomStarsAreCovered) {
  Random random(5);
  for (int k = 0; k < 200; ++k) {
    const int n = 4 + k % 60;
    std::vector<std::array<double, 2>> points;
    for (int i = 0; i < n; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / n, radius = random.uniform(0.2, 1.0);
      points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    double area = 0.0;
    for (int i = 0; i < n; ++i) {
      const auto &a = points[i], &b = points[(i + 1) % n];
      area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    Mesh mesh = make_corners(points);
    ASSERT_TRUE(cut(mesh)) << k;
    SCOPED_TRACE(k);
    expect_cover(mesh, area);
  }
}

// Corners on an edge are corners of triangles that have an area, or neighbours would no longer meet there.
TEST(Polygon, CornersOnEdgesMakeNoFlatTriangles) {
  Mesh mesh = make_corners({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 100}});
  ASSERT_TRUE(cut(mesh));
  expect_cover(mesh, 150.0);
}

// A hole, tied to the rim by an edge that is gone both ways: how files write faces with holes.
TEST(Polygon, HolesStayOpen) {
  Mesh mesh = make_corners({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}});
  ASSERT_TRUE(cut(mesh));
  expect_cover(mesh, 12.0);
}

// Convex polygons keep their fan, four corners the shorter diagonal.
TEST(Polygon, ConvexOnesKeepTheirFan) {
  Mesh mesh = make_corners({{0, 0}, {2, 0}, {3, 1}, {2, 2}, {0, 2}});
  ASSERT_TRUE(cut(mesh));
  EXPECT_EQ(mesh.faces, (std::vector<std::array<std::int32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
  Mesh quad = make_corners({{0, 0}, {3, 0}, {4, 2}, {1, 2}});
  ASSERT_TRUE(cut(quad));
  EXPECT_EQ(quad.faces, (std::vector<std::array<std::int32_t, 3>>{{0, 1, 3}, {1, 2, 3}}));
}

// Four corners, one of them reflex: the shorter diagonal lies outside.
TEST(Polygon, ReflexCornerOfFour) {
  Mesh mesh = make_corners({{0, 0}, {4, 1}, {8, 0}, {4, 6}});
  ASSERT_TRUE(cut(mesh));
  expect_cover(mesh, 20.0);
}

// Which side of a crossing is inside nobody can say: a bow tie, one whose halves differ, a pentagram.
TEST(Polygon, CrossingOnesAreRefused) {
  for (const std::vector<std::array<double, 2>>& points :
       {std::vector<std::array<double, 2>>{{0, 0}, {1, 1}, {1, 0}, {0, 1}},
        {{0, 0}, {2, 2}, {2, 0}, {0, 1}},
        {{1, 0}, {-0.81, 0.59}, {0.31, -0.95}, {0.31, 0.95}, {-0.81, -0.59}}}) {
    Mesh mesh = make_corners(points);
    const Checked done = cut(mesh);
    ASSERT_FALSE(done) << points.size();
    EXPECT_EQ(done.error().what, "the polygon crosses itself");
    EXPECT_FALSE(done.error().remedy.empty());
  }
}

// Corners on a line, or all in one point: triangles without area, as such triangles of a file are kept.
TEST(Polygon, WithoutAreaIsAFan) {
  for (const std::vector<std::array<double, 2>>& points :
       {std::vector<std::array<double, 2>>{{0, 0}, {1, 0}, {2, 0}, {3, 0}}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}}}) {
    Mesh mesh = make_corners(points);
    ASSERT_TRUE(cut(mesh));
    EXPECT_EQ(mesh.faces.size(), 2u);
  }
}

// Two corners in one point, as files have them: three corners in fact, and a triangle without area that keeps both.
TEST(Polygon, CornersInOnePoint) {
  Mesh mesh = make_corners({{0, 0}, {1, 0}, {0, 1}, {0, 1}});
  ASSERT_TRUE(cut(mesh));
  ASSERT_EQ(mesh.faces.size(), 2u);
  EXPECT_NEAR((calc_double_area(mesh, mesh.faces[0]) + calc_double_area(mesh, mesh.faces[1])).norm(), 1.0, 1e-12);
  Mesh twice = make_corners({{0, 0}, {0, 0}, {2, 0}, {2, 0}, {1, 1}, {2, 4}, {2, 4}, {0, 4}, {0, 4}});
  ASSERT_TRUE(cut(twice));
  Vector3d sum = Vector3d::Zero();
  for (const auto& face : twice.faces) sum += calc_double_area(twice, face) / 2.0;
  EXPECT_EQ(twice.faces.size(), 7u);
  EXPECT_NEAR(sum.norm(), 6.0, 1e-12);
}

// A polygon that is not flat has no one shape; it is cut and counted.
TEST(Polygon, BentOnesAreCounted) {
  Mesh mesh = make_corners({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  mesh.vertices[2] += Vector3d(0.1, 0.2, 0.1);
  ASSERT_TRUE(cut(mesh));
  EXPECT_EQ(mesh.bent_polygons, 1);
  EXPECT_EQ(mesh.faces.size(), 2u);
}

// A file may claim any number of corners; the answer comes in any case.
TEST(Polygon, TooManyCornersAreRefused) {
  Mesh mesh = make_corners({{0, 0}, {1, 0}, {0, 1}});
  const std::vector<std::int32_t> polygon(10'001, 1);
  const Checked done = add_polygon(mesh, polygon);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().what.find("10001 corners"), std::string::npos);
}

}  // namespace
}  // namespace tribo
