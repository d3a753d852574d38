// The part of a convex shape that would lie on a plane: what is clipped to a triangle's sides.
#include <cmath>
#include <numbers>

#include "collision/triangle_contact.hpp"

namespace tribo {
namespace {

void support_of_polytope(const PlacedShape& shape, const Vector3d& direction, std::vector<SurfaceCorner>& support) {
  const Polytope& polytope = *shape.polytope;
  const Vector3d local = shape.R.transpose() * direction;
  std::size_t face = 0;
  double most = -2.0;
  for (std::size_t f = 0; f < polytope.normals.size(); ++f) {
    const double cosine = polytope.normals[f].dot(local);
    if (cosine <= most + 1e-9) continue;  // ties go to the first
    most = cosine;
    face = f;
  }
  for (const std::int32_t v : polytope.face(face))
    support.push_back(
        {shape.pose.p + shape.R * polytope.vertices[static_cast<std::size_t>(v)], static_cast<std::uint32_t>(v)});
}

// Lying: the lowest point of each cap. Standing: eight points fixed to the rim and, unless it stands straight, the lowest one
// in its place among them.
void support_of_cylinder(const PlacedShape& shape, const Vector3d& direction, std::vector<SurfaceCorner>& support) {
  const double radius = shape.shape->size(0), half = shape.shape->size(1);
  const Vector3d axis = shape.R.col(2);
  const double along = direction.dot(axis);
  const Vector3d down = direction - along * axis;
  const double tilt = down.norm();
  const bool standing = std::abs(along) > 0.9;
  if (!standing) {
    for (std::uint32_t cap = 0; cap < 2; ++cap)
      support.push_back({shape.pose.p + (cap == 0 ? -half : half) * axis + (radius / tilt) * down, cap});
    return;
  }
  const Vector3d centre = shape.pose.p + (along > 0.0 ? half : -half) * axis;
  constexpr int kRim = 8;
  double lowest = std::atan2(down.dot(shape.R.col(1)), down.dot(shape.R.col(0)));
  if (lowest < 0.0) lowest += 2.0 * std::numbers::pi;
  bool pending = tilt > 1e-6;
  for (int k = 0; k < kRim; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kRim;
    const Vector3d x = centre + radius * (std::cos(angle) * shape.R.col(0) + std::sin(angle) * shape.R.col(1));
    support.push_back({x, 2u + static_cast<std::uint32_t>(k)});
    if (pending && lowest < 2.0 * std::numbers::pi * (k + 1) / kRim) {
      support.push_back({centre + (radius / tilt) * down, 1u});
      pending = false;
    }
  }
}

}  // namespace

void find_support(const PlacedShape& shape, const Vector3d& direction, std::vector<SurfaceCorner>& support) {
  support.clear();
  const Vector3d& size = shape.shape->size;
  switch (shape.shape->type) {
    case ShapeType::kSphere:
      support.push_back({shape.pose.p + size(0) * direction, 0});
      break;
    case ShapeType::kCapsule:
      for (std::uint32_t end = 0; end < 2; ++end)
        support.push_back({shape.pose.p + (end == 0 ? -size(1) : size(1)) * shape.R.col(2) + size(0) * direction, end});
      break;
    case ShapeType::kCylinder:
      support_of_cylinder(shape, direction, support);
      break;
    case ShapeType::kEllipsoid: {
      const Vector3d stretched = size.cwiseProduct(shape.R.transpose() * direction);
      support.push_back({shape.pose.p + shape.R * size.cwiseProduct(stretched) / stretched.norm(), 0});
      break;
    }
    case ShapeType::kBox:
    case ShapeType::kMesh:
      support_of_polytope(shape, direction, support);
      break;
    case ShapeType::kPlane:
    case ShapeType::kHeightField:
      break;
  }
}

}  // namespace tribo
