// Convex shapes on the half space below a plane. The points are corners, ends and rims of the shape itself, so that they stay
// the same ones while it stands.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "collision/narrow.hpp"
#include "collision/polytope_depth.hpp"

namespace tribo {
namespace {

struct Ground {
  Vector3d normal;
  double offset;
  double margin;
  double height(const Vector3d& x) const { return normal.dot(x) - offset; }
};

// A point x of the shape's surface.
void touch(const Ground& ground, const Vector3d& x, std::uint32_t feature, Manifold& out) {
  const double gap = ground.height(x);
  if (gap <= ground.margin) out.add(x - 0.5 * gap * ground.normal, gap, feature);
}

// More corners than a manifold holds: the outermost along directions fixed in the polytope's own frame (the choice does not
// change while the same corners are near), and the deepest.
void touch_outermost(const PlacedShape& a, const Ground& ground, std::span<const std::int32_t> near, Manifold& out) {
  const Polytope& polytope = *a.polytope;
  constexpr std::size_t kDirections = kMostPoints - 1;
  std::array<double, kDirections> furthest;
  std::array<std::size_t, kDirections> chosen{};
  std::array<double, 2 * kDirections> direction;
  furthest.fill(-std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k < kDirections; ++k) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(kDirections);
    direction[2 * k] = std::cos(angle);
    direction[2 * k + 1] = std::sin(angle);
  }
  const Vector3d down = a.R.transpose() * ground.normal;
  Index up = 0;
  down.cwiseAbs().maxCoeff(&up);
  const Index first = (up + 1) % 3, second = (up + 2) % 3;
  double least = std::numeric_limits<double>::infinity();
  std::size_t deepest = 0;
  for (const std::int32_t index : near) {
    const auto i = static_cast<std::size_t>(index);
    const Vector3d& v = polytope.vertices[i];
    const double gap = ground.height(a.pose.p + a.R * v);
    if (gap > ground.margin) continue;
    if (gap < least) {
      least = gap;
      deepest = i;
    }
    for (std::size_t k = 0; k < kDirections; ++k) {
      const double reach = direction[2 * k] * v(first) + direction[2 * k + 1] * v(second);
      if (reach <= furthest[k]) continue;
      furthest[k] = reach;
      chosen[k] = i;
    }
  }
  std::sort(chosen.begin(), chosen.end());
  const auto end = std::unique(chosen.begin(), chosen.end());
  double least_chosen = std::numeric_limits<double>::infinity();
  for (auto it = chosen.begin(); it != end; ++it) {
    const Vector3d x = a.pose.p + a.R * polytope.vertices[*it];
    least_chosen = std::min(least_chosen, ground.height(x));
    touch(ground, x, static_cast<std::uint32_t>(*it), out);
  }
  if (least < least_chosen - 1e-9 * polytope.radius)
    touch(ground, a.pose.p + a.R * polytope.vertices[deepest], static_cast<std::uint32_t>(deepest), out);
}

void touch_polytope(const PlacedShape& a, const Ground& ground, Manifold& out) {
  const Polytope& polytope = *a.polytope;
  thread_local DepthSearch search;  // keeps its memory
  const double hair = 1e-12 * (polytope.radius + a.pose.p.norm());
  const std::vector<std::int32_t>& near =
      search.find(polytope, a.R.transpose() * ground.normal, ground.margin - ground.height(a.pose.p) + hair);
  int count = 0;
  for (const std::int32_t i : near) {
    const Vector3d x = a.pose.p + a.R * polytope.vertices[static_cast<std::size_t>(i)];
    if (ground.height(x) > ground.margin) continue;
    if (++count > kMostPoints) {
      out.clear();
      touch_outermost(a, ground, near, out);
      return;
    }
    touch(ground, x, static_cast<std::uint32_t>(i), out);
  }
}

void touch_capsule(const PlacedShape& a, const Ground& ground, Manifold& out) {
  const double radius = a.shape->size(0), half = a.shape->size(1);
  for (int end = 0; end < 2; ++end) {
    const Vector3d centre = a.pose.p + (end == 0 ? -half : half) * a.R.col(2);
    touch(ground, centre - radius * ground.normal, static_cast<std::uint32_t>(end), out);
  }
}

// The lowest point of each cap, exact; and on the lower cap of a standing cylinder eight points fixed to its rim. While it stands
// straight the lowest point is left out: all rim points are equally low, and it would wander with every rounding.
void touch_cylinder(const PlacedShape& a, const Ground& ground, Manifold& out) {
  const double radius = a.shape->size(0), half = a.shape->size(1);
  const Vector3d axis = a.R.col(2);
  const double rise = ground.normal.dot(axis);
  const Vector3d down = rise * axis - ground.normal;  // in the plane of the caps
  const double tilt = down.norm();                    // sine of the angle between axis and normal
  const bool standing = std::abs(rise) > 0.9;
  const int lower = rise > 0.0 ? 0 : 1;  // cap 0 is the one at −z
  constexpr std::uint32_t kCap = 16;
  constexpr int kRim = 8;
  constexpr double kStraight =
      1e-6;  // the lowest of the rim points is then lower than the eight by less than 1e-7 radii
  for (int cap = 0; cap < 2; ++cap) {
    if (standing && cap != lower) continue;
    const Vector3d centre = a.pose.p + (cap == 0 ? -half : half) * axis;
    const std::uint32_t name = static_cast<std::uint32_t>(cap) * kCap;
    if (tilt > kStraight) touch(ground, centre + (radius / tilt) * down, name, out);
    if (!standing) continue;
    for (int k = 0; k < kRim; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kRim;
      const Vector3d x = centre + radius * (std::cos(angle) * a.R.col(0) + std::sin(angle) * a.R.col(1));
      touch(ground, x, name + 1u + static_cast<std::uint32_t>(k), out);
    }
  }
}

void touch_ellipsoid(const PlacedShape& a, const Ground& ground, Manifold& out) {
  const Vector3d stretched = a.shape->size.cwiseProduct(a.R.transpose() * ground.normal);
  const double reach = stretched.norm();
  if (!(reach > 0.0)) return;
  touch(ground, a.pose.p - a.R * a.shape->size.cwiseProduct(stretched) / reach, 0, out);
}

}  // namespace

void collide_plane(const PlacedShape& a, const Pose& plane, double margin, Manifold& out) {
  out.clear();
  Ground ground;
  ground.normal = plane.q * Vector3d::UnitZ();
  ground.offset = ground.normal.dot(plane.p);
  ground.margin = margin;
  out.normal = ground.normal;
  switch (a.shape->type) {
    case ShapeType::kSphere:
      touch(ground, a.pose.p - a.shape->size(0) * ground.normal, 0, out);
      break;
    case ShapeType::kCapsule:
      touch_capsule(a, ground, out);
      break;
    case ShapeType::kCylinder:
      touch_cylinder(a, ground, out);
      break;
    case ShapeType::kEllipsoid:
      touch_ellipsoid(a, ground, out);
      break;
    case ShapeType::kBox:
    case ShapeType::kMesh:
      if (a.polytope != nullptr) touch_polytope(a, ground, out);
      break;
    case ShapeType::kPlane:
    case ShapeType::kHeightField:
      break;  // neither is convex
  }
}

}  // namespace tribo
