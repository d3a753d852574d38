// Meshes with known volumes for the tests of this folder.
#pragma once

#include "tribo/geometry/mesh.hpp"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace tribo::testing {

// A box of half lengths s around the origin, faces outward.
inline Mesh make_box_mesh(const Vector3d& s) {
  Mesh mesh;
  mesh.name = "box";
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.emplace_back((i & 1) ? s.x() : -s.x(), (i & 2) ? s.y() : -s.y(), (i & 4) ? s.z() : -s.z());
  }
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// The surface of a shape of revolution around z: rings of `count` points, closed by two poles.
inline Mesh make_lathe(const std::vector<std::array<double, 2>>& profile, int count) {
  Mesh mesh;
  mesh.name = "lathe";
  const auto rings = static_cast<int>(profile.size()) - 2;
  mesh.vertices.emplace_back(0.0, 0.0, profile.front()[1]);
  for (int r = 1; r <= rings; ++r) {
    for (int k = 0; k < count; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / count;
      mesh.vertices.emplace_back(profile[r][0] * std::cos(angle), profile[r][0] * std::sin(angle), profile[r][1]);
    }
  }
  mesh.vertices.emplace_back(0.0, 0.0, profile.back()[1]);
  const auto at = [&](int r, int k) { return static_cast<std::int32_t>(1 + r * count + k % count); };
  for (int k = 0; k < count; ++k) {
    mesh.faces.push_back({0, at(0, k + 1), at(0, k)});
    for (int r = 0; r + 1 < rings; ++r) {
      mesh.faces.push_back({at(r, k), at(r, k + 1), at(r + 1, k)});
      mesh.faces.push_back({at(r, k + 1), at(r + 1, k + 1), at(r + 1, k)});
    }
    mesh.faces.push_back({at(rings - 1, k), at(rings - 1, k + 1), static_cast<std::int32_t>(mesh.vertices.size()) - 1});
  }
  return mesh;
}

inline Mesh moved(Mesh mesh, const Eigen::Matrix3d& R, const Vector3d& p) {
  for (Vector3d& vertex : mesh.vertices) vertex = R * vertex + p;
  return mesh;
}

}  // namespace tribo::testing
