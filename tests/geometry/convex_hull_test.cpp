#include "tribo/core/random.hpp"
#include "tribo/geometry/mass_properties.hpp"

#include <map>

#include "geometry/mesh_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::make_box_mesh;

// Every edge is used once in each direction: closed and consistently turned.
void expect_closed(const Mesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& f : mesh.faces) {
    for (int k = 0; k < 3; ++k) ++edges[{f[k], f[(k + 1) % 3]}];
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
}

// Points inside, on faces and on edges are no corners of a cube.
TEST(ConvexHull, OfACubeWithInnerPointsIsTheCube) {
  Mesh mesh = make_box_mesh(Vector3d::Constant(1.0));
  Random random(1);
  for (int k = 0; k < 200; ++k) {
    mesh.vertices.emplace_back(random.uniform(-0.99, 0.99), random.uniform(-0.99, 0.99), random.uniform(-0.99, 0.99));
  }
  mesh.vertices.insert(mesh.vertices.begin(), Vector3d(0.1, 0.2, 0.3));
  mesh.faces.clear();
  const Mesh hull = make_convex_hull(mesh).value();
  ASSERT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.faces.size(), 12u);
  EXPECT_EQ(hull.vertices[0], Vector3d(-1, -1, -1));  // the order of the mesh
  expect_closed(hull);
  EXPECT_NEAR(calc_mass_properties(hull, MeshInertia::kExact).value().mass, 8.0, 1e-13);
}

// No point of the mesh lies outside any face, at any scale and place.
TEST(ConvexHull, ContainsAllPointsAtAnyScale) {
  Random random(2);
  for (const double scale : {1e-9, 1e-3, 1.0, 1e6}) {
    Mesh mesh;
    const Vector3d centre = scale * Vector3d(3, -2, 5);
    for (int k = 0; k < 300; ++k) {
      mesh.vertices.push_back(centre + scale * Vector3d(random.normal(), random.normal(), 0.1 * random.normal()));
    }
    const Mesh hull = make_convex_hull(mesh).value();
    expect_closed(hull);
    EXPECT_EQ(hull.faces.size(), 2 * hull.vertices.size() - 4);  // Euler
    for (const auto& f : hull.faces) {
      const Vector3d n = (hull.vertices[f[1]] - hull.vertices[f[0]]).cross(hull.vertices[f[2]] - hull.vertices[f[0]]);
      for (const Vector3d& vertex : mesh.vertices) {
        EXPECT_LE(n.normalized().dot(vertex - hull.vertices[f[0]]), 1e-12 * scale);
      }
    }
  }
}

// Copies of a vertex, as every text of an STL file has them, change nothing.
TEST(ConvexHull, IgnoresRepeatedVertices) {
  Mesh mesh = make_box_mesh(Vector3d(1, 2, 3));
  const std::vector<Vector3d> once = mesh.vertices;
  for (int k = 0; k < 5; ++k) mesh.vertices.insert(mesh.vertices.end(), once.begin(), once.end());
  EXPECT_EQ(make_convex_hull(mesh).value().vertices.size(), 8u);
}

// Flat, straight and single points have no hull with a volume: an error, and nothing on the terminal.
TEST(ConvexHull, OfDegeneratePointsIsRefusedInSilence) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  Mesh flat, line, point, few;
  for (int k = 0; k < 20; ++k) {
    flat.vertices.emplace_back(k % 5, k / 5, 0.0);
    line.vertices.emplace_back(k, 2.0 * k, 3.0 * k);
    point.vertices.emplace_back(1.0, 2.0, 3.0);
  }
  few.vertices.assign(3, Vector3d::UnitX());
  for (const Mesh& mesh : {flat, line, point, few}) {
    const Expected<Mesh> hull = make_convex_hull(mesh);
    ASSERT_FALSE(hull.has_value());
    EXPECT_FALSE(hull.error().remedy.empty());
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

// Numbers near the ends of double neither overflow into nonsense nor crash.
TEST(ConvexHull, SurvivesHugeAndTinyNumbers) {
  for (const double scale : {1e307, 1e-300, 1e-312}) {
    Mesh mesh = make_box_mesh(Vector3d::Constant(scale));
    const Expected<Mesh> hull = make_convex_hull(mesh);
    if (hull.has_value()) {
      EXPECT_EQ(hull->vertices.size(), 8u) << scale;
    } else {
      EXPECT_FALSE(hull.error().what.empty());
    }
  }
}

}  // namespace
}  // namespace tribo
