#include "multibody/wrap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace tribo {
namespace {

using Point = Eigen::Vector2d;

constexpr double kTooSmall = 1e-15;  // m: shorter vectors have no direction
constexpr double kTangent = 1e-7;  // rad: a line that touches leaves an arc of ± the root of rounding, not a full turn
constexpr int kHalvings = 53;      // of an angle: to the last bit

double cross(const Point& a, const Point& b) { return a.x() * b.y() - a.y() * b.x(); }

struct FlatWrap {
  bool touches = false;
  Point first, last;
  double arc = 0.0;
};

Point turned(const Point& p, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * p.x() - s * p.y(), s * p.x() + c * p.y()};
}

// The point of the segment that is nearest to the origin.
Point nearest_of(const Point& a, const Point& b) {
  const Point way = b - a;
  return a + std::clamp(-way.dot(a) / way.squaredNorm(), 0.0, 1.0) * way;
}

bool segments_meet(const Point& a, const Point& b, const Point& c, const Point& d) {
  const Point ab = b - a, cd = d - c;
  const double area = cross(ab, cd);
  if (std::abs(area) < kTooSmall) return false;
  const double along_ab = cross(c - a, cd) / area, along_cd = cross(c - a, ab) / area;
  return along_ab >= 0.0 && along_ab <= 1.0 && along_cd >= 0.0 && along_cd <= 1.0;
}

// From a to b counter-clockwise (sign 1) or clockwise (−1) round the circle.
FlatWrap wind(const Point& a, const Point& b, double radius, double sign) {
  const double at_a = std::acos(radius / a.norm()), at_b = std::acos(radius / b.norm());
  FlatWrap way;
  way.first = turned(a * (radius / a.norm()), sign * at_a);
  way.last = turned(b * (radius / b.norm()), -sign * at_b);
  way.touches = !segments_meet(a, way.first, b, way.last);  // crossed lines: this way round there is nothing to wrap
  double angle = sign * std::atan2(cross(way.first, way.last), way.first.dot(way.last));
  if (angle < -kTangent) angle += 2.0 * std::numbers::pi;
  way.arc = radius * std::max(0.0, angle);
  return way;
}

// (1); `side` is zero where there is none.
FlatWrap wrap_outside(const Point& a, const Point& b, double radius, const Point& side) {
  const bool sided = !side.isZero();
  if (a.norm() < radius || b.norm() < radius || (b - a).squaredNorm() < kTooSmall) return {};
  const Point near = nearest_of(a, b);
  if (near.norm() > radius && (!sided || side.dot(near) >= 0.0)) return {};
  const FlatWrap clockwise = wind(a, b, radius, -1.0), counter = wind(a, b, radius, 1.0);
  if (!clockwise.touches || !counter.touches) return clockwise.touches ? clockwise : counter;
  const auto calc_merit = [&](const FlatWrap& way) {
    return sided ? side.dot((way.first + way.last).normalized()) : -(way.first - way.last).squaredNorm();
  };
  return calc_merit(clockwise) > calc_merit(counter) ? clockwise : counter;
}

// (2): with the angle φ between a point at distance d and the one on the circle, the string has the length s(φ)² = d² + r² − 2 d r cos φ
// and s′ = d r sin φ / s. The sum of both is least where the slopes are equal; bisection between the two points.
FlatWrap touch_inside(const Point& a, const Point& b, double radius) {
  const double d_a = a.norm(), d_b = b.norm();
  if (d_a <= radius || d_b <= radius || radius < kTooSmall) return {};
  if ((b - a).squaredNorm() > kTooSmall && nearest_of(a, b).norm() <= radius) return {};
  const double between = std::atan2(cross(a, b), a.dot(b)), sign = between < 0.0 ? -1.0 : 1.0;
  const auto calc_slope = [&](double d, double angle) {
    return d * radius * std::sin(angle) / std::sqrt(d * d + radius * radius - 2.0 * d * radius * std::cos(angle));
  };
  double low = 0.0, high = std::abs(between);
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (calc_slope(d_a, middle) < calc_slope(d_b, std::abs(between) - middle) ? low : high) = middle;
  }
  FlatWrap way;
  way.touches = true;
  way.first = way.last = turned(a * (radius / d_a), sign * 0.5 * (low + high));
  return way;
}

FlatWrap wrap_flat(const Point& a, const Point& b, double radius, const Point* side) {
  if (side == nullptr) return wrap_outside(a, b, radius, Point::Zero());
  if (side->norm() < radius) return touch_inside(a, b, radius);
  return wrap_outside(a, b, radius, *side);
}

}  // namespace

Wrap wrap_sphere(const Vector3d& a, const Vector3d& b, double radius, const Vector3d* side) {
  if (a.norm() < kTooSmall || b.norm() < kTooSmall || radius < kTooSmall) return {};
  const Vector3d x = a.normalized();
  Vector3d normal = a.cross(b);
  if (normal.norm() < kTooSmall) normal = x.unitOrthogonal();  // any plane through the line will do
  const Vector3d y = normal.normalized().cross(x);
  const auto project = [&](const Vector3d& p) { return Point(x.dot(p), y.dot(p)); };
  const Point flat_side = side == nullptr ? Point(0.0, 0.0) : project(*side);
  const FlatWrap way = wrap_flat(project(a), project(b), radius, side == nullptr ? nullptr : &flat_side);
  if (!way.touches) return {};
  const auto lift = [&](const Point& p) -> Vector3d { return p.x() * x + p.y() * y; };
  return {true, lift(way.first), lift(way.last), way.arc};
}

Wrap wrap_cylinder(const Vector3d& a, const Vector3d& b, double radius, const Vector3d* side) {
  if (a.norm() < kTooSmall || b.norm() < kTooSmall || radius < kTooSmall) return {};
  const Point flat_a = a.head<2>(), flat_b = b.head<2>();
  const Point flat_side = side == nullptr ? Point(0.0, 0.0) : Point(side->head<2>());
  const FlatWrap way = wrap_flat(flat_a, flat_b, radius, side == nullptr ? nullptr : &flat_side);
  if (!way.touches) return {};
  const double before = (way.first - flat_a).norm(), after = (flat_b - way.last).norm();
  const double climb = (b.z() - a.z()) / (before + way.arc + after);
  Wrap wrap;
  wrap.touches = true;
  wrap.first << way.first, a.z() + climb * before;
  wrap.last << way.last, a.z() + climb * (before + way.arc);
  wrap.arc = way.arc * std::sqrt(1.0 + climb * climb);
  return wrap;
}

}  // namespace tribo
