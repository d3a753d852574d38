#include "collision/round_segment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo {

Segment axis_of(const PlacedShape& capsule) { return {capsule.pose.p, capsule.R.col(2) * capsule.shape->size(1)}; }

double nearest_parameter(const Segment& segment, const Vector3d& x) {
  const double length2 = segment.half.squaredNorm();
  if (!(length2 > 0.0)) return 0.0;
  return std::clamp(segment.half.dot(x - segment.centre) / length2, -1.0, 1.0);
}

SegmentNearest nearest(const Segment& a, const Segment& b) {
  SegmentNearest best;
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](double s, double t) {
    const double d2 = (a.at(s) - b.at(t)).squaredNorm();
    if (d2 < least) {
      least = d2;
      best.s = s;
      best.t = t;
    }
  };
  for (const double t : {-1.0, 1.0}) offer(nearest_parameter(a, b.at(t)), t);
  for (const double s : {-1.0, 1.0}) offer(s, nearest_parameter(b, a.at(s)));
  // The common normal of the two lines, if its feet lie inside both.
  const double aa = a.half.squaredNorm(), bb = b.half.squaredNorm(), ab = a.half.dot(b.half);
  const double determinant = a.half.cross(b.half).squaredNorm();
  if (determinant > 1e-20 * aa * bb) {
    const Vector3d r = b.centre - a.centre;
    const double ra = a.half.dot(r), rb = b.half.dot(r);
    const double s = (ra * bb - rb * ab) / determinant, t = (ra * ab - rb * aa) / determinant;
    if (std::abs(s) <= 1.0 && std::abs(t) <= 1.0) offer(s, t);
  }
  best.distance = std::sqrt(least);
  return best;
}

Vector3d any_orthogonal(const Vector3d& u) {
  Index k = 0;
  u.cwiseAbs().minCoeff(&k);
  return u.cross(Vector3d::Unit(k)).normalized();
}

bool nearest_on_polytope(const Polytope& polytope, const Vector3d& x, double limit, PolytopeNearest& out) {
  const std::size_t faces = polytope.normals.size();
  const double tiny = 1e-12 * polytope.radius;  // ties between faces go to the first
  double outermost = -std::numeric_limits<double>::infinity();
  std::size_t nearest_face = 0;
  for (std::size_t f = 0; f < faces; ++f) {
    const double d = polytope.normals[f].dot(x) - polytope.offsets[f];
    if (d > outermost + tiny) {
      outermost = d;
      nearest_face = f;
    }
  }
  if (outermost > limit) return false;
  out.normal = polytope.normals[nearest_face];
  out.distance = outermost;
  out.point = x - outermost * out.normal;
  const bool flat = faces == 2;  // a triangle as two faces back to back has no inside
  if (outermost <= 0.0 && !flat) return true;

  double least = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < faces; ++f) {
    const Vector3d& normal = polytope.normals[f];
    const double d = normal.dot(x) - polytope.offsets[f];
    if (d < 0.0 || (d == 0.0 && !flat)) continue;
    const std::span<const std::int32_t> corners = polytope.face(f);
    bool above = true;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vector3d& from = polytope.vertices[static_cast<std::size_t>(corners[i])];
      const Vector3d& to = polytope.vertices[static_cast<std::size_t>(corners[i + 1 < corners.size() ? i + 1 : 0])];
      const Vector3d along = to - from;
      if (along.cross(normal).dot(x - from) <= 0.0) continue;  // inside this side of the face
      above = false;
      const double t = std::clamp(along.dot(x - from) / along.squaredNorm(), 0.0, 1.0);
      const Vector3d point = from + t * along;
      const double d2 = (x - point).squaredNorm();
      if (d2 < least) {
        least = d2;
        out.point = point;
      }
    }
    if (above) {  // of a convex body: nothing else is nearer
      out.normal = normal;
      out.distance = d;
      out.point = x - d * normal;
      return d <= limit;
    }
  }
  const double distance = std::sqrt(least);
  if (distance > limit) return false;
  // So near to an edge that the direction is noise: the normal of the outermost face stays.
  if (distance > 1e-9 * polytope.radius) {
    out.normal = (x - out.point) / distance;
    out.distance = distance;
  }
  return true;
}

}  // namespace tribo
