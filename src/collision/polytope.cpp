// Polytopes with polygons for faces. A box is written down; a hull comes as triangles, and those in one plane are joined:
//     seed      the largest triangle that is left gives the plane
//     grow      over shared edges to triangles whose corners lie within 1e-9 of the size of that plane
//     boundary  the directed edges without a twin inside the region, walked once around
// Corners in the middle of a straight edge (only two faces meet there) are dropped.
#include "tribo/collision/polytope.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "collision/narrow.hpp"
#include "collision/polytope_support.hpp"

namespace tribo {
namespace {

using Loop = std::vector<std::int32_t>;
using DirectedEdge = std::pair<std::int32_t, std::int32_t>;

constexpr double kFlat = 1e-9;  // of the size: triangles nearer than this to one plane are one face

Vector3d area_of(const Mesh& hull, std::size_t t) {
  const auto& f = hull.faces[t];
  const Vector3d& a = hull.vertices[static_cast<std::size_t>(f[0])];
  return 0.5 *
         (hull.vertices[static_cast<std::size_t>(f[1])] - a).cross(hull.vertices[static_cast<std::size_t>(f[2])] - a);
}

// Each directed edge of the triangles and the triangle on its left.
std::map<DirectedEdge, std::size_t> left_triangles(const Mesh& hull) {
  std::map<DirectedEdge, std::size_t> left;
  for (std::size_t t = 0; t < hull.faces.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) left[{hull.faces[t][k], hull.faces[t][(k + 1) % 3]}] = t;
  return left;
}

// The corners around a region of triangles; empty where the boundary is not one simple loop.
Loop boundary_of(const Mesh& hull, const std::vector<std::size_t>& region, const std::vector<std::size_t>& region_of,
                 const std::map<DirectedEdge, std::size_t>& left) {
  std::map<std::int32_t, std::int32_t> next;
  for (const std::size_t t : region) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t from = hull.faces[t][k], to = hull.faces[t][(k + 1) % 3];
      const auto twin = left.find({to, from});
      if (twin != left.end() && region_of[twin->second] == region_of[t]) continue;
      if (!next.emplace(from, to).second) return {};
    }
  }
  if (next.empty()) return {};
  Loop loop;
  std::int32_t at = next.begin()->first;
  do {
    loop.push_back(at);
    const auto step = next.find(at);
    if (step == next.end() || loop.size() > next.size()) return {};
    at = step->second;
  } while (at != loop.front());
  return loop.size() == next.size() ? loop : Loop{};
}

std::vector<Loop> merge_triangles(const Mesh& hull, double size) {
  const std::size_t n = hull.faces.size();
  const auto left = left_triangles(hull);
  std::vector<std::size_t> by_area(n), region_of(n, n);
  std::iota(by_area.begin(), by_area.end(), std::size_t{0});
  std::stable_sort(by_area.begin(), by_area.end(), [&](std::size_t s, std::size_t t) {
    return area_of(hull, s).squaredNorm() > area_of(hull, t).squaredNorm();
  });
  std::vector<Loop> loops;
  for (const std::size_t seed : by_area) {
    if (region_of[seed] != n) continue;
    const Vector3d normal = area_of(hull, seed).normalized();
    const double offset = normal.dot(hull.vertices[static_cast<std::size_t>(hull.faces[seed][0])]);
    std::vector<std::size_t> region{seed};
    region_of[seed] = seed;
    for (std::size_t next = 0; next < region.size(); ++next) {
      const auto face = hull.faces[region[next]];
      for (std::size_t k = 0; k < 3; ++k) {
        const auto twin = left.find({face[(k + 1) % 3], face[k]});
        if (twin == left.end() || region_of[twin->second] != n) continue;
        const std::size_t t = twin->second;
        bool flat = area_of(hull, t).dot(normal) >= -kFlat * size * size;
        for (const std::int32_t v : hull.faces[t])
          flat = flat && std::abs(normal.dot(hull.vertices[static_cast<std::size_t>(v)]) - offset) <= kFlat * size;
        if (!flat) continue;
        region_of[t] = seed;
        region.push_back(t);
      }
    }
    Loop loop = boundary_of(hull, region, region_of, left);
    if (!loop.empty()) {
      loops.push_back(std::move(loop));
    } else {
      for (const std::size_t t : region) loops.emplace_back(hull.faces[t].begin(), hull.faces[t].end());
    }
  }
  return loops;
}

// Every edge has a face on both sides.
bool closed(const std::vector<Loop>& loops) {
  std::map<DirectedEdge, int> seen;
  for (const Loop& loop : loops)
    for (std::size_t k = 0; k < loop.size(); ++k) ++seen[{loop[k], loop[(k + 1) % loop.size()]}];
  return std::all_of(seen.begin(), seen.end(), [&](const auto& entry) {
    return entry.second == 1 && seen.count({entry.first.second, entry.first.first}) == 1;
  });
}

void drop_straight_corners(std::vector<Loop>& loops, std::size_t vertices) {
  std::vector<int> faces_at(vertices, 0);
  for (const Loop& loop : loops)
    for (const std::int32_t v : loop) ++faces_at[static_cast<std::size_t>(v)];
  for (Loop& loop : loops)
    std::erase_if(loop, [&](std::int32_t v) { return faces_at[static_cast<std::size_t>(v)] < 3; });
}

void measure(Polytope& p) {
  p.centre.setZero();
  for (const Vector3d& v : p.vertices) p.centre += v / static_cast<double>(p.vertices.size());
  p.radius = 0.0;
  for (const Vector3d& v : p.vertices) p.radius = std::max(p.radius, (v - p.centre).norm());
}

Polytope assemble(const Mesh& hull, const std::vector<Loop>& loops) {
  Polytope p;
  std::vector<std::int32_t> renamed(hull.vertices.size(), -1);
  std::map<DirectedEdge, std::int32_t> left;
  for (const Loop& loop : loops) {
    const auto f = static_cast<std::int32_t>(p.start.size());
    p.start.push_back(static_cast<std::int32_t>(p.corners.size()));
    for (const std::int32_t v : loop) {
      std::int32_t& name = renamed[static_cast<std::size_t>(v)];
      if (name < 0) {
        name = static_cast<std::int32_t>(p.vertices.size());
        p.vertices.push_back(hull.vertices[static_cast<std::size_t>(v)]);
      }
      p.corners.push_back(name);
    }
    const auto corner = [&](std::size_t k) -> const Vector3d& {
      return hull.vertices[static_cast<std::size_t>(loop[k % loop.size()])];
    };
    Vector3d normal = Vector3d::Zero();
    for (std::size_t k = 1; k + 1 < loop.size(); ++k)
      normal += (corner(k) - corner(0)).cross(corner(k + 1) - corner(0));
    normal.normalize();
    double offset = 0.0;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      offset += normal.dot(corner(k)) / static_cast<double>(loop.size());
      left[{renamed[static_cast<std::size_t>(loop[k])],
            renamed[static_cast<std::size_t>(loop[(k + 1) % loop.size()])]}] = f;
    }
    p.normals.push_back(normal);
    p.offsets.push_back(offset);
  }
  p.start.push_back(static_cast<std::int32_t>(p.corners.size()));
  for (const auto& [edge, face] : left) {
    if (edge.first > edge.second) continue;
    p.edges.push_back({edge.first, edge.second, face, left.at({edge.second, edge.first})});
  }
  measure(p);
  index_edges(p);
  index_directions(p);
  return p;
}

}  // namespace

// Vertex: bit k set for the positive side of axis k. Face 2k: outward +k, face 2k+1: −k. Edge 4k + …: along +k.
Polytope make_box(const Vector3d& half) {
  Polytope p;
  for (int v = 0; v < 8; ++v)
    p.vertices.emplace_back(v & 1 ? half.x() : -half.x(), v & 2 ? half.y() : -half.y(), v & 4 ? half.z() : -half.z());
  for (int k = 0; k < 3; ++k) {
    const int w = 1 << k, u = 1 << ((k + 1) % 3), v = 1 << ((k + 2) % 3);
    for (const int side : {w, 0}) {
      p.start.push_back(static_cast<std::int32_t>(p.corners.size()));
      if (side != 0) {
        p.corners.insert(p.corners.end(), {w, w | u, w | u | v, w | v});
      } else {
        p.corners.insert(p.corners.end(), {0, v, u | v, u});
      }
      p.normals.push_back(side != 0 ? Vector3d::Unit(k) : Vector3d(-Vector3d::Unit(k)));
      p.offsets.push_back(half(k));
    }
  }
  p.start.push_back(static_cast<std::int32_t>(p.corners.size()));
  for (int k = 0; k < 3; ++k) {
    const int iu = (k + 1) % 3, iv = (k + 2) % 3;
    for (int e = 0; e < 4; ++e) {
      const bool up = e & 1, vp = e & 2;
      const int from = (up ? 1 << iu : 0) | (vp ? 1 << iv : 0);
      const int u_face = 2 * iu + (up ? 0 : 1), v_face = 2 * iv + (vp ? 0 : 1);
      p.edges.push_back({from, from | 1 << k, up == vp ? u_face : v_face, up == vp ? v_face : u_face});
    }
  }
  p.centre.setZero();
  p.radius = half.norm();
  index_edges(p);
  return p;
}

void set_triangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, Polytope& out) {
  out.vertices.assign({a, b, c});
  out.corners.assign({0, 1, 2, 0, 2, 1});
  out.start.assign({0, 3, 6});
  const Vector3d normal = (b - a).cross(c - a).normalized();
  const double offset = normal.dot(a + b + c) / 3.0;
  out.normals.assign({normal, -normal});
  out.offsets.assign({offset, -offset});
  out.edges.assign({{0, 1, 0, 1}, {1, 2, 0, 1}, {2, 0, 0, 1}});
  out.edges_at.assign({0, 2, 0, 1, 1, 2});
  out.edge_start.assign({0, 2, 4, 6});
  out.across.assign({1, 1, 1, 0, 0, 0});
  measure(out);
}

Expected<Polytope> make_polytope(const Mesh& mesh) {
  Expected<Mesh> hull = make_convex_hull(mesh);
  if (!hull) return Unexpected<Error>{hull.error()};
  Vector3d low = hull->vertices[0], high = low;
  for (const Vector3d& v : hull->vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  std::vector<Loop> loops = merge_triangles(*hull, (high - low).norm());
  drop_straight_corners(loops, hull->vertices.size());
  const bool polygons = std::all_of(loops.begin(), loops.end(), [](const Loop& loop) { return loop.size() >= 3; });
  if (!polygons || !closed(loops)) {
    loops.clear();
    for (const auto& f : hull->faces) loops.emplace_back(f.begin(), f.end());
    if (!closed(loops))
      return fail("the convex hull is not a closed surface", mesh.name,
                  "the points may be nearly flat: thicken the mesh");
  }
  return assemble(*hull, loops);
}

}  // namespace tribo
