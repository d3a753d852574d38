#include "collision/collider_box.hpp"

#include <cmath>

namespace tribo {

void enclose(const PlacedShape& placed, const std::array<Vector3d, 2>& bounds, double margin, Vector3d& low,
             Vector3d& high) {
  const Vector3d& size = placed.shape->size;
  const Vector3d centre = placed.pose.p + placed.R * (0.5 * (bounds[0] + bounds[1]));
  Vector3d half;
  switch (placed.shape->type) {
    case ShapeType::kSphere:
      half.setConstant(size(0));
      break;
    case ShapeType::kCapsule:
      half = placed.R.col(2).cwiseAbs() * size(1) + Vector3d::Constant(size(0));
      break;
    case ShapeType::kCylinder:
      for (Index k = 0; k < 3; ++k)
        half(k) = std::abs(placed.R(k, 2)) * size(1) + std::hypot(placed.R(k, 0), placed.R(k, 1)) * size(0);
      break;
    case ShapeType::kEllipsoid:
      for (Index k = 0; k < 3; ++k) half(k) = placed.R.row(k).transpose().cwiseProduct(size).norm();
      break;
    case ShapeType::kBox:
    case ShapeType::kMesh:
    case ShapeType::kPlane:
    case ShapeType::kHeightField:
      half = placed.R.cwiseAbs() * (0.5 * (bounds[1] - bounds[0]));
      break;
  }
  half.array() += 0.5 * margin;
  // A hair more than rounding can take away: a pair at the margin must not be lost here.
  half += 1e-12 * (half + centre.cwiseAbs());
  low = centre - half;
  high = centre + half;
}

}  // namespace tribo
