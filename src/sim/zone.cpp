#include "sim/zone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo {

namespace {

// The part of a line, from t = first to last, that is in a set. Empty: first > last.
struct Part {
  double first = -std::numeric_limits<double>::infinity(), last = std::numeric_limits<double>::infinity();
  void cut(const Part& other) {
    first = std::max(first, other.first);
    last = std::min(last, other.last);
  }
};

constexpr Part kEmpty{1.0, -1.0};

// |x| ≤ half along one axis.
Part in_slab(double from, double direction, double half) {
  if (direction == 0.0) return std::abs(from) <= half ? Part{} : kEmpty;
  const double a = (-half - from) / direction, b = (half - from) / direction;
  return {std::min(a, b), std::max(a, b)};
}

// |p|² ≤ radius², in two or three dimensions.
template <typename Vector>
Part in_ball(const Vector& from, const Vector& direction, double radius) {
  const double a = direction.squaredNorm(), b = from.dot(direction), c = from.squaredNorm() - radius * radius;
  if (a == 0.0) return c <= 0.0 ? Part{} : kEmpty;
  const double root = b * b - a * c;
  if (root < 0.0) return kEmpty;
  return {(-b - std::sqrt(root)) / a, (-b + std::sqrt(root)) / a};
}

bool is_ahead(const Part& part) { return part.first <= part.last && part.last >= 0.0; }

}  // namespace

bool meets_zone(const Shape& zone, const Vector3d& from, const Vector3d& direction) {
  const Vector3d& size = zone.size;
  const auto in_tube = [&] {
    Part part = in_ball(Eigen::Vector2d(from.head<2>()), Eigen::Vector2d(direction.head<2>()), size.x());
    part.cut(in_slab(from.z(), direction.z(), size.y()));
    return part;
  };
  switch (zone.type) {
    case ShapeType::kSphere:
      return is_ahead(in_ball(from, direction, size.x()));
    case ShapeType::kEllipsoid:
      return is_ahead(in_ball(Vector3d(from.cwiseQuotient(size)), Vector3d(direction.cwiseQuotient(size)), 1.0));
    case ShapeType::kCylinder:
      return is_ahead(in_tube());
    case ShapeType::kCapsule: {
      const Vector3d end(0.0, 0.0, size.y());
      return is_ahead(in_tube()) || is_ahead(in_ball(Vector3d(from - end), direction, size.x())) ||
             is_ahead(in_ball(Vector3d(from + end), direction, size.x()));
    }
    case ShapeType::kBox: {
      Part part;
      for (int k = 0; k < 3; ++k) part.cut(in_slab(from(k), direction(k), size(k)));
      return is_ahead(part);
    }
    default:
      return false;  // no zone of a site (Model::make)
  }
}

}  // namespace tribo
