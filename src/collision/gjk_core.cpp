// Support points of the convex cores: in closed form, those of polytopes by their table of directions.
#include <cmath>

#include "collision/gjk.hpp"
#include "collision/polytope_support.hpp"

namespace tribo {

Core make_core(const PlacedShape& shape, const Matrix3d& R, const Vector3d& t) {
  Core core;
  core.type = shape.shape != nullptr ? shape.shape->type : ShapeType::kMesh;
  if (shape.polytope != nullptr) core.type = ShapeType::kMesh;
  if (shape.shape != nullptr) core.size = shape.shape->size;
  core.polytope = shape.polytope;
  core.R = R;
  core.t = t;
  if (core.type == ShapeType::kSphere || core.type == ShapeType::kCapsule) core.radius = core.size(0);
  return core;
}

Vector3d Core::support(const Vector3d& n, int* vertex) const {
  if (vertex != nullptr) *vertex = -1;
  const Vector3d m = R.transpose() * n;
  switch (type) {
    case ShapeType::kCapsule:
      return t + R.col(2) * (m.z() < 0.0 ? -size(1) : size(1));
    case ShapeType::kEllipsoid: {
      const Vector3d scaled = size.cwiseProduct(m);
      const double length = scaled.norm();
      if (!(length > 0.0)) return t + R.col(0) * size(0);
      return t + R * size.cwiseProduct(scaled / length);
    }
    case ShapeType::kCylinder: {
      const double length = std::hypot(m.x(), m.y());
      const Vector3d rim = length > 0.0 ? Vector3d(size(0) * m.x() / length, size(0) * m.y() / length, 0.0)
                                        : Vector3d(size(0), 0.0, 0.0);
      return t + R * Vector3d(rim.x(), rim.y(), m.z() < 0.0 ? -size(1) : size(1));
    }
    case ShapeType::kMesh: {
      const std::int32_t best = find_farthest(*polytope, m);
      if (vertex != nullptr) *vertex = best;
      return t + R * polytope->vertices[static_cast<std::size_t>(best)];
    }
    default:
      return t;
  }
}

Matrix3d Core::support_slope(const Vector3d& n) const {
  const Vector3d m = R.transpose() * n;
  if (type == ShapeType::kEllipsoid) {
    const Vector3d squares = size.cwiseProduct(size);
    const double length = size.cwiseProduct(m).norm();
    const Vector3d p = squares.cwiseProduct(m) / length;
    const Matrix3d slope = (Matrix3d(squares.asDiagonal()) - p * p.transpose()) / length;
    return R * slope * R.transpose();
  }
  if (type == ShapeType::kCylinder) {
    const double length = std::hypot(m.x(), m.y());
    if (!(length > 1e-6)) return Matrix3d::Zero();
    const Vector3d around = R * Vector3d(-m.y() / length, m.x() / length, 0.0);
    return size(0) / length * around * around.transpose();
  }
  return Matrix3d::Zero();
}

double Core::extent() const {
  switch (type) {
    case ShapeType::kCapsule:
      return size(0) + size(1);
    case ShapeType::kEllipsoid:
      return size.maxCoeff();
    case ShapeType::kCylinder:
      return std::hypot(size(0), size(1));
    case ShapeType::kMesh:
      return polytope->radius;
    default:
      return size(0);
  }
}

}  // namespace tribo
