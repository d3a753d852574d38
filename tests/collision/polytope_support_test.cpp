// Tables that save time may change nothing: what they find is what a look at everything finds, to the bit.
#include "collision/polytope_support.hpp"

#include "collision/narrow.hpp"
#include "collision/polytope_depth.hpp"
#include "convex_testing.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

std::int32_t scan_farthest(const Polytope& p, const Vector3d& n) {
  std::int32_t best = 0;
  for (std::int32_t v = 1; v < std::ssize(p.vertices); ++v)
    if (n.dot(p.vertices[static_cast<std::size_t>(v)]) > n.dot(p.vertices[static_cast<std::size_t>(best)])) best = v;
  return best;
}

std::vector<std::int32_t> scan_deep(const Polytope& p, const Vector3d& up, double limit) {
  std::vector<std::int32_t> found;
  for (std::int32_t v = 0; v < std::ssize(p.vertices); ++v)
    if (up.dot(p.vertices[static_cast<std::size_t>(v)]) <= limit) found.push_back(v);
  return found;
}

// Round and flat ones, with many corners in one plane, points given twice, slivers, and far from their frame's origin.
std::vector<Body> make_hulls() {
  Random random(31);
  std::vector<Body> hulls;
  for (const int count : {12, 20, 60, 300, 2000}) hulls.push_back(random_hull(random, count, 0.3));
  for (const int corners : {16, 200}) {
    std::vector<Vector3d> disc;
    for (int k = 0; k < 2 * corners; ++k) {
      const double angle = 2.0 * M_PI * (k / 2) / corners;
      disc.emplace_back(std::cos(angle), std::sin(angle), k % 2 == 0 ? -0.05 : 0.05);
    }
    hulls.push_back(hull(disc));
  }
  std::vector<Vector3d> twice, far;
  for (int k = 0; k < 100; ++k) {
    const Vector3d x = random_vector(random, 1.0).cwiseProduct(Vector3d(1.0, 0.3, 0.02));
    far.push_back(x + Vector3d(100.0, -50.0, 20.0));
    twice.push_back(x);
    twice.push_back(x);
    twice.push_back(x + random_vector(random, 1e-7));
  }
  hulls.push_back(hull(twice));
  hulls.push_back(hull(far));
  return hulls;
}

// Also along normals of faces, where all corners of the face are equally far, along edges and axes, and of any length.
std::vector<Vector3d> make_directions(const Polytope& p, Random& random) {
  std::vector<Vector3d> directions;
  for (int k = 0; k < 2000; ++k)
    directions.push_back(std::pow(10.0, random.uniform(-9.0, 9.0)) * random_vector(random, 1.0));
  for (const Vector3d& normal : p.normals)
    for (const double hair : {0.0, 1e-15, 1e-9, 1e-3}) directions.push_back(normal + random_vector(random, hair));
  for (const Polytope::Edge& e : p.edges)
    directions.push_back(p.vertices[static_cast<std::size_t>(e.to)] - p.vertices[static_cast<std::size_t>(e.from)]);
  for (int k = 0; k < 27; ++k) directions.emplace_back(k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0);
  std::erase_if(directions, [](const Vector3d& n) { return n.isZero(0.0); });
  return directions;
}

// A table of directions finds the same vertex as a scan: contact points are named by it.
TEST(PolytopeSupport, FindsTheVertexThatAScanFinds) {
  Random random(32);
  for (const Body& body : make_hulls()) {
    const Polytope& p = *body.polytope;
    EXPECT_EQ(p.grid > 0, p.vertices.size() >= 20);
    for (const Vector3d& n : make_directions(p, random))
      ASSERT_EQ(find_farthest(p, n), scan_farthest(p, n)) << p.vertices.size() << " vertices, " << n.transpose();
  }
}

// A cell of a round hull lists a handful of vertices, or nothing would be saved.
TEST(PolytopeSupport, ListsFewVerticesPerCell) {
  Random random(33);
  const Body body = random_hull(random, 500, 1.0);
  EXPECT_LT(body.polytope->cell_vertices.size(), 8 * (body.polytope->cell_start.size() - 1));
}

// All vertices below a height are found from the lowest one, also where a face lies in that height.
TEST(DepthSearch, FindsTheVerticesThatAScanFinds) {
  Random random(34);
  DepthSearch search;
  for (const Body& body : make_hulls()) {
    const Polytope& p = *body.polytope;
    std::vector<Vector3d> ups = p.normals;
    ups.resize(std::min<std::size_t>(ups.size(), 100));
    for (int k = 0; k < 100; ++k) ups.push_back(random_rotation(random) * Vector3d::UnitX());
    for (const Vector3d& up : ups) {
      const double low = up.dot(p.vertices[static_cast<std::size_t>(scan_farthest(p, -up))]);
      for (const double depth : {-1e-6, 0.0, 1e-9, 1e-3, 0.1, 0.7, 3.0}) {
        const double limit = low + depth * p.radius;
        ASSERT_EQ(search.find(p, up, limit), scan_deep(p, up, limit)) << p.vertices.size() << " at " << depth;
      }
    }
  }
}

// Each face knows its neighbours: across a side lies the face that has the side the other way round.
TEST(Polytope, KnowsTheFacesAcrossItsSides) {
  std::vector<Body> all = make_hulls();
  all.push_back(box(1.0, 2.0, 3.0));
  Body triangle{{ShapeType::kMesh, Vector3d::Zero(), 0}, std::make_shared<Polytope>()};
  set_triangle(Vector3d(0, 0, 0), Vector3d(4, 0, 0), Vector3d(0, 4, 0), *triangle.polytope);
  all.push_back(triangle);
  for (const Body& body : all) {
    const Polytope& p = *body.polytope;
    ASSERT_EQ(p.across.size(), p.corners.size());
    for (std::size_t f = 0; f < p.normals.size(); ++f) {
      const auto corners = p.face(f);
      for (std::size_t k = 0; k < corners.size(); ++k) {
        const auto other = p.face(static_cast<std::size_t>(p.across[static_cast<std::size_t>(p.start[f]) + k]));
        const std::int32_t from = corners[k], to = corners[(k + 1) % corners.size()];
        bool met = false;
        for (std::size_t i = 0; i < other.size(); ++i)
          met = met || (other[i] == to && other[(i + 1) % other.size()] == from);
        EXPECT_TRUE(met) << "face " << f << ", side " << k;
      }
    }
  }
}

}  // namespace
}  // namespace tribo::testing
