#include "collision/triangle_surface.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <Eigen/Geometry>

namespace tribo {
namespace {

bool before(const Vector3d& x, const Vector3d& y) {
  return std::lexicographical_compare(x.data(), x.data() + 3, y.data(), y.data() + 3);
}

// Vertices at the same place become one: files of triangles list each corner anew.
void join_vertices(const Mesh& mesh, TriangleSurface& surface) {
  const std::size_t n = mesh.vertices.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    if (before(mesh.vertices[i], mesh.vertices[j])) return true;
    if (before(mesh.vertices[j], mesh.vertices[i])) return false;
    return i < j;
  });
  std::vector<std::int32_t> name(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Vector3d& x = mesh.vertices[order[k]];
    if (k == 0 || x != mesh.vertices[order[k - 1]]) surface.vertices.push_back(x);
    name[order[k]] = static_cast<std::int32_t>(surface.vertices.size() - 1);
  }
  for (const auto& face : mesh.faces) {
    TriangleSurface::Corners corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = name[static_cast<std::size_t>(face[k])];
    surface.faces.push_back(corners);
  }
}

// Twice the area, as a vector.
Vector3d area(const TriangleSurface& surface, const TriangleSurface::Corners& c) {
  const Vector3d& a = surface.vertices[static_cast<std::size_t>(c[0])];
  return (surface.vertices[static_cast<std::size_t>(c[1])] - a)
      .cross(surface.vertices[static_cast<std::size_t>(c[2])] - a);
}

double longest_side2(const TriangleSurface& surface, const TriangleSurface::Corners& c) {
  double most = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d side =
        surface.vertices[static_cast<std::size_t>(c[(k + 1) % 3])] - surface.vertices[static_cast<std::size_t>(c[k])];
    most = std::max(most, side.squaredNorm());
  }
  return most;
}

void find_normals(TriangleSurface& surface) {
  surface.normals.clear();
  for (const auto& corners : surface.faces) surface.normals.push_back(area(surface, corners).normalized());
}

constexpr std::int32_t kLeaf = 4;  // triangles

class TreeBuilder {
 public:
  explicit TreeBuilder(TriangleSurface& surface) : surface_(surface) {
    const std::size_t n = surface.faces.size();
    centres_.reserve(n);
    for (std::size_t t = 0; t < n; ++t) {
      const std::int32_t i = static_cast<std::int32_t>(t);
      centres_.push_back((surface.corner(i, 0) + surface.corner(i, 1) + surface.corner(i, 2)) / 3.0);
      surface.tree_triangles.push_back(i);
    }
    build(0, static_cast<std::int32_t>(n));
  }

 private:
  // Halves along the longest side: the depth is the logarithm of the number of triangles.
  void build(std::int32_t first, std::int32_t count) {
    const std::size_t here = surface_.tree.size();
    surface_.tree.emplace_back();
    TriangleSurface::Node node;
    node.low.setConstant(std::numeric_limits<double>::infinity());
    node.high = -node.low;
    for (std::int32_t k = first; k < first + count; ++k) {
      for (int c = 0; c < 3; ++c) {
        const Vector3d& x = surface_.corner(surface_.tree_triangles[static_cast<std::size_t>(k)], c);
        node.low = node.low.cwiseMin(x);
        node.high = node.high.cwiseMax(x);
      }
    }
    if (count <= kLeaf) {
      node.first = first;
      node.count = count;
    } else {
      Index axis = 0;
      (node.high - node.low).maxCoeff(&axis);
      const auto begin = surface_.tree_triangles.begin() + first;
      const std::int32_t half = count / 2;
      std::nth_element(begin, begin + half, begin + count, [&](std::int32_t s, std::int32_t t) {
        const double x = centres_[static_cast<std::size_t>(s)](axis), y = centres_[static_cast<std::size_t>(t)](axis);
        return x < y || (x == y && s < t);
      });
      build(first, half);
      build(first + half, count - half);
    }
    node.skip = static_cast<std::int32_t>(surface_.tree.size());
    surface_.tree[here] = node;
  }

  TriangleSurface& surface_;
  std::vector<Vector3d> centres_;
};

}  // namespace

void plant_tree(TriangleSurface& surface) { TreeBuilder{surface}; }

void join_neighbours(TriangleSurface& surface) {
  struct Side {
    std::int32_t low, high, triangle, k;
    bool turned;
  };
  std::vector<Side> sides;
  sides.reserve(3 * surface.faces.size());
  for (std::size_t t = 0; t < surface.faces.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t from = surface.faces[t][k], to = surface.faces[t][(k + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), static_cast<std::int32_t>(t),
                       static_cast<std::int32_t>(k), from > to});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& s, const Side& t) {
    if (s.low != t.low) return s.low < t.low;
    if (s.high != t.high) return s.high < t.high;
    return s.triangle < t.triangle;
  });
  surface.across.assign(surface.faces.size(), {-1, -1, -1});
  surface.ring_start.assign(surface.vertices.size() + 1, 0);
  std::vector<std::array<std::int32_t, 2>> edges;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high) ++end;
    if (end == i + 2 && sides[i].turned != sides[i + 1].turned) {
      surface.across[static_cast<std::size_t>(sides[i].triangle)][static_cast<std::size_t>(sides[i].k)] =
          sides[i + 1].triangle;
      surface.across[static_cast<std::size_t>(sides[i + 1].triangle)][static_cast<std::size_t>(sides[i + 1].k)] =
          sides[i].triangle;
    }
    edges.push_back({sides[i].low, sides[i].high});
    i = end;
  }
  for (const auto& edge : edges)
    for (const std::int32_t v : edge) ++surface.ring_start[static_cast<std::size_t>(v) + 1];
  std::partial_sum(surface.ring_start.begin(), surface.ring_start.end(), surface.ring_start.begin());
  surface.ring.resize(2 * edges.size());
  std::vector<std::int32_t> next(surface.ring_start.begin(), surface.ring_start.end() - 1);
  for (const auto& [u, v] : edges) {
    surface.ring[static_cast<std::size_t>(next[static_cast<std::size_t>(u)]++)] = v;
    surface.ring[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = u;
  }
  find_normals(surface);
}

Expected<TriangleSurface> make_surface(const Mesh& mesh) {
  if (Checked checked = validate(mesh); !checked) return Unexpected<Error>{checked.error()};
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max() / 8;
  if (mesh.vertices.size() > kMost || mesh.faces.size() > kMost)
    return fail("the mesh is too large", mesh.name, "split it or make it coarser");
  TriangleSurface surface;
  join_vertices(mesh, surface);
  constexpr double kFlat = 1e-12;  // sine between two sides; below it the normal is noise
  std::erase_if(surface.faces, [&](const TriangleSurface::Corners& corners) {
    return !(area(surface, corners).norm() > kFlat * longest_side2(surface, corners));
  });
  if (surface.faces.empty())
    return fail("the mesh has no triangle with an area", mesh.name, "give it faces, or let its convex hull collide");
  join_neighbours(surface);
  plant_tree(surface);
  return surface;
}

void TriangleSurface::search(const Vector3d& low, const Vector3d& high, std::vector<std::int32_t>& found) const {
  if (is_height_field()) {
    search_cells(*this, low, high, found);
    return;
  }
  const std::size_t begin = found.size();
  const std::int32_t end = static_cast<std::int32_t>(tree.size());
  for (std::int32_t at = 0; at < end;) {
    const Node& node = tree[static_cast<std::size_t>(at)];
    if (!((node.low.array() <= high.array()).all() && (low.array() <= node.high.array()).all())) {
      at = node.skip;
      continue;
    }
    for (std::int32_t k = node.first; k < node.first + node.count; ++k) {
      const std::int32_t t = tree_triangles[static_cast<std::size_t>(k)];
      const Vector3d least = corner(t, 0).cwiseMin(corner(t, 1)).cwiseMin(corner(t, 2));
      const Vector3d most = corner(t, 0).cwiseMax(corner(t, 1)).cwiseMax(corner(t, 2));
      if ((least.array() <= high.array()).all() && (low.array() <= most.array()).all()) found.push_back(t);
    }
    ++at;
  }
  std::sort(found.begin() + static_cast<std::ptrdiff_t>(begin), found.end());
}

}  // namespace tribo
