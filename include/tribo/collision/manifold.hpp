// Manifold: where two convex shapes touch, or come nearer than a margin: one normal, all corners of the touching polygon.
#pragma once

#include "tribo/geometry/pose.hpp"

#include <array>
#include <cstdint>

namespace tribo {

inline constexpr int kMostPoints = 16;

struct ManifoldPoint {
  Vector3d point = Vector3d::Zero();  // m, world; halfway between the surfaces
  double gap = 0.0;                   // m along the normal; negative: overlap
  std::uint32_t feature = 0;          // which corners, edges and faces made it; the same while they do
};

struct Manifold {
  Vector3d normal = Vector3d::UnitZ();  // unit, from b to a, world; without points: an axis that may separate them
  int count = 0;
  std::array<ManifoldPoint, kMostPoints> points;

  void clear() { count = 0; }
  // Beyond kMostPoints the shallowest is dropped.
  void add(const Vector3d& point, double gap, std::uint32_t feature);
};

}  // namespace tribo
