// A disc gives points exactly on its rim: eight fixed to its own axes as far as they lie over the other patch, the crossings of the
// rim with the other's boundary, the other's corners within, and the lowest point of the rim where the disc leans.
#include "collision/convex_overlap.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

using Kind = Patch::Kind;
using Vector2d = Eigen::Vector2d;

constexpr int kRimPoints = 8;
constexpr double kSlack = 1e-12;        // of the size: how far outside still counts as inside
constexpr double kLeaning = 1e-9;       // sine: below it a disc has no lowest point
constexpr double kParallel = 1e-5;      // sine of the angle up to which two sharp lines are parallel
constexpr double kNearParallel = 0.15;  // the same where a side is round: the other end may touch next

// Collects with the roles of a and b exchanged when `swapped`.
struct Sink {
  PatchContacts& out;
  bool swapped;
  void add(const Vector3d& on_first, const Vector3d& on_second, std::uint32_t name, double extra = 0.0) {
    if (swapped) {
      out.add(on_second, on_first, name, extra);
    } else {
      out.add(on_first, on_second, name, extra);
    }
  }
};

// The signed distance of x outside edge k of the polygon, seen along n.
double outside(const Patch& polygon, std::size_t k, const Vector3d& x, const Vector3d& n) {
  const Vector3d from = polygon.corner(k), along = polygon.corner(k + 1) - from;
  const Vector3d side = polygon.normal.dot(n) > 0.0 ? along.cross(n) : n.cross(along);
  return side.dot(x - from) / side.norm();
}

bool covers(const Patch& patch, const Vector3d& x, const Vector3d& n) {
  if (patch.kind == Kind::kDisc) return (patch.over(x, n) - patch.p).norm() <= patch.radius * (1.0 + kSlack);
  for (std::size_t k = 0; k < patch.corners(); ++k)
    if (outside(patch, k, x, n) > kSlack * patch.core->polytope->radius) return false;
  return true;
}

void overlap_point(const Patch& point, const Patch& other, const Vector3d& n, Sink out) {
  if (other.kind == Kind::kPoint) {
    out.add(point.p, other.p, 0);
  } else if (other.kind == Kind::kSegment) {
    const Vector3d along = other.q - other.p, flat = along - along.dot(n) * n;
    const double length = flat.squaredNorm();
    const double t = length > 0.0 ? std::clamp(flat.dot(point.p - other.p) / length, 0.0, 1.0) : 0.0;
    out.add(point.p, other.p + t * along, 0);
  } else if (covers(other, point.p, n)) {
    out.add(point.p, other.over(point.p, n), 0);
  }
}

void overlap_segment_polygon(const Patch& segment, const Patch& polygon, const Vector3d& n, Sink out) {
  double from = 0.0, to = 1.0;
  std::uint32_t from_name = 0, to_name = 1;
  for (std::size_t k = 0; k < polygon.corners(); ++k) {
    const double slack = kSlack * polygon.core->polytope->radius;
    const double d_p = outside(polygon, k, segment.p, n) - slack, d_q = outside(polygon, k, segment.q, n) - slack;
    if (d_p > 0.0 && d_q > 0.0) return;
    if (d_p <= 0.0 && d_q <= 0.0) continue;
    const double t = d_p / (d_p - d_q);
    const auto name = static_cast<std::uint32_t>(2 + 2 * k);
    if (d_p > 0.0 && t > from) {
      from = t;
      from_name = name;
    } else if (d_q > 0.0 && t < to) {
      to = t;
      to_name = name + 1;
    }
  }
  if (from > to) return;
  const Vector3d along = segment.q - segment.p;
  const Vector3d first = segment.p + from * along, last = segment.p + to * along;
  out.add(first, polygon.over(first, n), from_name);
  if (to > from) out.add(last, polygon.over(last, n), to_name);
}

// Parameters where p + t d crosses the circle of this radius; false where it passes by.
bool cross_circle(const Vector2d& p, const Vector2d& d, double radius, double& first, double& last) {
  const double a = d.squaredNorm(), b = p.dot(d), c = p.squaredNorm() - radius * radius;
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0.0) || !(a > 0.0)) return false;
  const double root = std::sqrt(discriminant);
  // The root without cancellation first, the other by the product of both.
  const double far = b > 0.0 ? -(b + root) / a : (root - b) / a;
  const double near = far != 0.0 ? c / (a * far) : 0.0;
  first = std::min(near, far);
  last = std::max(near, far);
  return true;
}

Vector2d flat(const Patch& disc, const Vector3d& x, const Vector3d& n) {
  const Vector3d r = disc.over(x, n) - disc.p;
  return {disc.x.dot(r), disc.y.dot(r)};
}
Vector3d lift(const Patch& disc, const Vector2d& x) { return disc.p + x.x() * disc.x + x.y() * disc.y; }

void overlap_segment_disc(const Patch& segment, const Patch& disc, const Vector3d& n, Sink out) {
  const Vector2d p = flat(disc, segment.p, n), d = flat(disc, segment.q, n) - p;
  double from = 0.0, to = 0.0;
  if (!cross_circle(p, d, disc.radius * (1.0 + kSlack), from, to)) return;
  const std::uint32_t from_name = from > 0.0 ? 2 : 0, to_name = to < 1.0 ? 3 : 1;
  from = std::max(from, 0.0);
  to = std::min(to, 1.0);
  if (from > to) return;
  const Vector3d along = segment.q - segment.p;
  const Vector3d first = segment.p + from * along, last = segment.p + to * along;
  out.add(first, disc.over(first, n), from_name);
  if (to > from) out.add(last, disc.over(last, n), to_name);
}

// Round sides bend away from each other, or from a sharp edge, where the lines are not over each other.
double calc_bend(const Patch& a, const Patch& b, const Vector3d& n, const Vector3d& between) {
  const double aside = (between - between.dot(n) * n).squaredNorm();
  if (a.radius > 0.0 && b.radius > 0.0) {
    const double height = between.dot(n) + a.radius + b.radius;
    return std::sqrt(height * height + aside) - std::abs(height);
  }
  const double radius = std::max(a.radius, b.radius);
  return radius - std::sqrt(std::max(0.0, radius * radius - aside));
}

void overlap_segments(const Patch& a, const Patch& b, const Vector3d& n, PatchContacts& out) {
  const Vector3d u = a.q - a.p, v = b.q - b.p;
  const Vector3d u_flat = u - u.dot(n) * n, v_flat = v - v.dot(n) * n;
  const double area = u_flat.cross(v_flat).dot(n);
  const double sine = std::abs(area) / (u_flat.norm() * v_flat.norm());
  const bool round = a.radius > 0.0 || b.radius > 0.0;
  if (!(sine > (round ? kNearParallel : kParallel))) {
    // The common part of both along a: its two ends.
    const double length = u_flat.squaredNorm();
    const double at_p = u_flat.dot(b.p - a.p) / length, at_q = u_flat.dot(b.q - a.p) / length;
    const double low = std::max(0.0, std::min(at_p, at_q)), high = std::min(1.0, std::max(at_p, at_q));
    if (!(low <= high) || at_p == at_q) return;
    double least_extra = 1e300;
    for (int end = 0; end < 2; ++end) {
      const double s = end == 0 ? low : high;
      const Vector3d on_a = a.p + s * u, on_b = b.p + (s - at_p) / (at_q - at_p) * v;
      const double extra = round ? calc_bend(a, b, n, on_a - on_b) : 0.0;
      least_extra = std::min(least_extra, extra);
      const bool own = end == 0 ? low == 0.0 : high == 1.0;
      out.add(on_a, on_b, static_cast<std::uint32_t>(1 + end + (own ? 0 : 2)), extra);
    }
    if (!(least_extra > 1e-7 * (a.radius + b.radius))) return;
  }
  const Vector3d between = b.p - a.p;
  const double s = between.cross(v_flat).dot(n) / area, t = between.cross(u_flat).dot(n) / area;
  if (s < -kSlack || s > 1.0 + kSlack || t < -kSlack || t > 1.0 + kSlack) return;
  out.add(a.p + s * u, b.p + t * v, 0);
}

// A round side that leaves the polygon over an edge it is nearly parallel to lies along that edge with the rest of its line.
void overlap_side_edges(const Patch& side, const Patch& polygon, const Vector3d& n, Sink out) {
  const Vector3d u = (side.q - side.p).normalized();
  for (std::size_t k = 0; k < polygon.corners() && side.radius > 0.0; ++k) {
    Patch edge;
    edge.kind = Kind::kSegment;
    edge.p = polygon.corner(k);
    edge.q = polygon.corner(k + 1);
    if (u.cross(edge.q - edge.p).norm() > kNearParallel * (edge.q - edge.p).norm()) continue;
    if (outside(polygon, k, side.p, n) <= 0.0 && outside(polygon, k, side.q, n) <= 0.0) continue;
    PatchContacts along;
    overlap_segments(side, edge, n, along);
    for (int c = 0; c < along.count; ++c) {
      const PatchContact& contact = along.points[static_cast<std::size_t>(c)];
      out.add(contact.on_a, contact.on_b, 128 + 8 * static_cast<std::uint32_t>(k) + contact.name, contact.extra);
    }
  }
}

// The eight points of the rim and its lowest point that lie over `other`.
void rim_points(const Patch& disc, const Patch& other, const Vector3d& n, Sink out) {
  const auto offer = [&](const Vector2d& x, std::uint32_t name) {
    const Vector3d on_rim = lift(disc, x);
    if (covers(other, on_rim, n)) out.add(on_rim, other.over(on_rim, n), name);
  };
  const double half = std::sqrt(0.5);
  const double cosine[kRimPoints] = {1.0, half, 0.0, -half, -1.0, -half, 0.0, half};
  for (std::uint32_t k = 0; k < kRimPoints; ++k)
    offer(disc.radius * Vector2d(cosine[k], cosine[(k + 6) % kRimPoints]), k);
  // The gap falls fastest against the other's normal, whichever body has the disc.
  const Vector2d lean(other.normal.dot(disc.x), other.normal.dot(disc.y));
  if (lean.norm() > kLeaning) offer(-disc.radius * lean.normalized(), kRimPoints);
}

void overlap_disc_polygon(const Patch& disc, const Patch& polygon, const Vector3d& n, Sink out) {
  rim_points(disc, polygon, n, out);
  for (std::size_t k = 0; k < polygon.corners(); ++k) {
    const Vector3d from = polygon.corner(k), along = polygon.corner(k + 1) - from;
    const Vector2d p = flat(disc, from, n), d = flat(disc, from + along, n) - p;
    const auto name = static_cast<std::uint32_t>(16 + 3 * k);
    if (p.norm() < disc.radius) out.add(lift(disc, p), from, name);
    double first = 0.0, last = 0.0;
    if (!cross_circle(p, d, disc.radius, first, last)) continue;
    if (first >= 0.0 && first <= 1.0) out.add(lift(disc, p + first * d), from + first * along, name + 1);
    if (last >= 0.0 && last <= 1.0 && last > first) out.add(lift(disc, p + last * d), from + last * along, name + 2);
  }
}

// Two discs: the smaller inside the larger, or a lens between the crossings of the rims (taken as if the discs were parallel).
void overlap_discs(const Patch& a, const Patch& b, const Vector3d& n, PatchContacts& out) {
  const Vector2d centre = flat(a, b.p, n);
  const double distance = centre.norm(), r_a = a.radius, r_b = b.radius;
  if (distance >= r_a + r_b) return;
  if (distance <= std::abs(r_a - r_b) + 1e-9 * std::max(r_a, r_b)) {
    if (r_a <= r_b) {
      rim_points(a, b, n, {out, false});
    } else {
      rim_points(b, a, n, {out, true});
    }
    return;
  }
  // Half angles of the lens, seen from both centres.
  const double half_a =
      std::acos(std::clamp((distance * distance + r_a * r_a - r_b * r_b) / (2.0 * distance * r_a), -1.0, 1.0));
  const double half_b =
      std::acos(std::clamp((distance * distance + r_b * r_b - r_a * r_a) / (2.0 * distance * r_b), -1.0, 1.0));
  const Vector2d u = centre / distance, v(-u.y(), u.x());
  for (int k = -2; k <= 2; ++k) {
    const double angle = half_a * k / 2.0;
    const Vector3d on_a = lift(a, r_a * (std::cos(angle) * u + std::sin(angle) * v));
    out.add(on_a, b.over(on_a, n), static_cast<std::uint32_t>(20 + k));
    if (k == -2 || k == 2) continue;
    const double other = half_b * k / 2.0;
    const Vector3d near_b = lift(a, centre + r_b * (-std::cos(other) * u + std::sin(other) * v));
    out.add(a.over(near_b, n), b.over(near_b, n), static_cast<std::uint32_t>(30 + k));
  }
}

}  // namespace

void overlap(const Patch& a, const Patch& b, const Vector3d& n, PatchContacts& out) {
  if (a.kind == Kind::kPoint) return overlap_point(a, b, n, {out, false});
  if (b.kind == Kind::kPoint) return overlap_point(b, a, n, {out, true});
  if (a.kind == Kind::kSegment && b.kind == Kind::kSegment) return overlap_segments(a, b, n, out);
  if (a.kind == Kind::kSegment && b.kind == Kind::kPolygon) {
    overlap_segment_polygon(a, b, n, {out, false});
    return overlap_side_edges(a, b, n, {out, false});
  }
  if (b.kind == Kind::kSegment && a.kind == Kind::kPolygon) {
    overlap_segment_polygon(b, a, n, {out, true});
    return overlap_side_edges(b, a, n, {out, true});
  }
  if (a.kind == Kind::kSegment) return overlap_segment_disc(a, b, n, {out, false});
  if (b.kind == Kind::kSegment) return overlap_segment_disc(b, a, n, {out, true});
  if (a.kind == Kind::kDisc && b.kind == Kind::kDisc) return overlap_discs(a, b, n, out);
  if (a.kind == Kind::kDisc && b.kind == Kind::kPolygon) return overlap_disc_polygon(a, b, n, {out, false});
  if (b.kind == Kind::kDisc && a.kind == Kind::kPolygon) return overlap_disc_polygon(b, a, n, {out, true});
}

}  // namespace tribo
