// Spheres and capsules against polytopes: the nearest point of the polytope to the centre or axis, by its faces, edges and
// vertices. A capsule that lies along a face or an edge touches at the two ends of the stretch it lies on.
#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/convex_pair.hpp"
#include "collision/narrow.hpp"
#include "collision/polytope_support.hpp"
#include "collision/round_segment.hpp"

namespace tribo {
namespace {

// A triangle given as two faces back to back has no faces at its sides.
bool is_flat(const Polytope& polytope) { return polytope.normals.size() == 2; }

// More than GJK takes.
bool has_many_faces(const Polytope& polytope) { return polytope.normals.size() > 12; }

const Vector3d& vertex(const Polytope& polytope, std::int32_t i) {
  return polytope.vertices[static_cast<std::size_t>(i)];
}

double support(const Polytope& polytope, const Vector3d& direction) {
  return direction.dot(vertex(polytope, find_farthest(polytope, direction)));
}

// The part of the segment inside all faces; empty when low > high.
struct Stretch {
  double low = -1.0, high = 1.0;
  // Keeps the side where value(t) = at_centre + t · along <= 0.
  void keep(double at_centre, double along) {
    if (at_centre - std::abs(along) > 0.0) {
      low = 1.0;
      high = -1.0;
    } else if (at_centre + std::abs(along) > 0.0) {
      if (along > 0.0)
        high = std::min(high, -at_centre / along);
      else
        low = std::max(low, -at_centre / along);
    }
  }
  bool empty() const { return low > high; }
};

// Cuts off what lies beyond the sides of a face.
void keep_over_face(const Polytope& polytope, std::size_t face, const Segment& axis, Stretch& stretch) {
  const std::span<const std::int32_t> corners = polytope.face(face);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector3d& from = vertex(polytope, corners[i]);
    const Vector3d& to = vertex(polytope, corners[i + 1 < corners.size() ? i + 1 : 0]);
    const Vector3d outward = (to - from).cross(polytope.normals[face]).normalized();
    stretch.keep(outward.dot(axis.centre - from), outward.dot(axis.half));
  }
}

// Nearest points of axis and polytope: the normal out of the polytope, the signed distance, and where on the axis.
struct AxisNearest {
  Vector3d normal = Vector3d::UnitZ();
  double distance = 0.0;
  double t = 0.0;
};

// The axis passes through: the direction of the shortest way out, by separating axes. A face is preferred to an edge unless the
// edge is clearly better: the choice must not change to and fro.
AxisNearest way_out(const Polytope& polytope, const Segment& axis) {
  AxisNearest best;
  best.distance = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < polytope.normals.size(); ++f) {
    const Vector3d& normal = polytope.normals[f];
    const double along = normal.dot(axis.half);
    const double d = normal.dot(axis.centre) - polytope.offsets[f] - std::abs(along);
    if (d > best.distance + 1e-12 * polytope.radius) {
      best = {normal, d, along > 0.0 ? -1.0 : 1.0};
    }
  }
  const double length = axis.half.norm();
  if (!(length > 0.0)) return best;
  const double clearly = best.distance + 1e-3 * std::abs(best.distance) + 1e-9 * polytope.radius;
  double bar = clearly;
  for (const Polytope::Edge& edge : polytope.edges) {
    const Segment side{0.5 * (vertex(polytope, edge.to) + vertex(polytope, edge.from)),
                       0.5 * (vertex(polytope, edge.to) - vertex(polytope, edge.from))};
    Vector3d normal = side.half.cross(axis.half);
    const double size = normal.norm();
    if (size <= 1e-6 * side.half.norm() * length) continue;
    normal /= size;
    if (normal.dot(side.centre - polytope.centre) < 0.0) normal = -normal;
    const double d = normal.dot(axis.centre) - support(polytope, normal);
    if (d <= bar) continue;
    bar = d;
    best = {normal, d, nearest(axis, side).s};
  }
  return best;
}

// False when the distance is more than `limit`. `n`: unit, from the polytope to the axis, or zero. What lies below the axis by more
// than the best distance along it is skipped, which changes no answer, whatever n is.
bool nearest_to_axis(const Polytope& polytope, const Segment& axis, const Vector3d& n, double limit, AxisNearest& out) {
  Stretch inside;
  std::size_t front = 0;
  double outermost = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < polytope.normals.size(); ++f) {
    const double along = polytope.normals[f].dot(axis.half);
    const double at_centre = polytope.normals[f].dot(axis.centre) - polytope.offsets[f];
    const double d = at_centre - std::abs(along);
    if (d > limit) return false;
    if (d > outermost) {
      outermost = d;
      front = f;
    }
    inside.keep(at_centre, along);
  }
  if (is_flat(polytope) && !inside.empty()) keep_over_face(polytope, 0, axis, inside);
  if (!inside.empty()) {
    out = way_out(polytope, axis);
    return true;
  }
  // One side of the axis's ends, then every edge that the axis can see. The ends come first: where an edge is as near as they
  // are, the face's normal stays.
  const double tiny = 1e-12 * polytope.radius;
  out.distance = limit;
  bool found = false;
  PolytopeNearest end;
  const double low = n.dot(axis.centre) - std::abs(n.dot(axis.half)), top = support(polytope, n);
  for (const double t : {-1.0, 1.0}) {
    if (n.dot(axis.at(t)) - top > out.distance) continue;
    if (!nearest_on_polytope(polytope, axis.at(t), limit, end)) continue;
    if (found && end.distance >= out.distance - tiny) continue;
    out = {end.normal, end.distance, t};
    found = true;
  }
  const auto seen = [&](std::int32_t face) {
    const std::size_t f = static_cast<std::size_t>(face);
    return polytope.normals[f].dot(axis.centre) - polytope.offsets[f] + std::abs(polytope.normals[f].dot(axis.half)) >
           0.0;
  };
  for (const Polytope::Edge& edge : polytope.edges) {
    const double high = std::max(n.dot(vertex(polytope, edge.from)), n.dot(vertex(polytope, edge.to)));
    if (low - high > out.distance || (!seen(edge.left) && !seen(edge.right))) continue;
    const Segment side{0.5 * (vertex(polytope, edge.to) + vertex(polytope, edge.from)),
                       0.5 * (vertex(polytope, edge.to) - vertex(polytope, edge.from))};
    const SegmentNearest pair = nearest(axis, side);
    if (pair.distance > limit || (found && pair.distance >= out.distance - tiny)) continue;
    found = true;
    const bool noise = pair.distance <= 1e-9 * polytope.radius;
    out.normal = noise ? polytope.normals[front] : Vector3d((axis.at(pair.s) - side.at(pair.t)) / pair.distance);
    out.distance = pair.distance;
    out.t = pair.s;
  }
  return found;
}

// What of the polytope the axis lies along: the plane x ↦ normal·x = offset that the gaps are measured to, and the stretch.
struct Bed {
  Vector3d normal = Vector3d::UnitZ();
  double offset = 0.0;
  Stretch stretch;
  std::uint32_t name = 0;
  bool exists = false;
};

Bed face_under(const Polytope& polytope, const Segment& axis, const Vector3d& normal) {
  Bed bed;
  std::size_t face = 0;
  double most = -1.0;
  for (std::size_t f = 0; f < polytope.normals.size(); ++f) {
    const double cosine = polytope.normals[f].dot(normal);
    if (cosine <= most) continue;
    most = cosine;
    face = f;
  }
  constexpr double kAlongFace = 0.9;  // cosine; beyond it the other end is far above the face
  if (most < kAlongFace) return bed;
  bed.exists = true;
  bed.normal = polytope.normals[face];
  bed.offset = polytope.offsets[face];
  bed.name = static_cast<std::uint32_t>(face);
  keep_over_face(polytope, face, axis, bed.stretch);
  return bed;
}

Bed edge_under(const Polytope& polytope, const Segment& axis, const Vector3d& normal) {
  Bed bed;
  const double top = support(polytope, normal);
  const double length = axis.half.norm();
  double most = 0.99;  // cosine between edge and axis
  for (std::size_t e = 0; e < polytope.edges.size(); ++e) {
    const Vector3d& from = vertex(polytope, polytope.edges[e].from);
    const Vector3d& to = vertex(polytope, polytope.edges[e].to);
    const Vector3d along = to - from;
    const double size = along.norm();
    const double cosine = std::abs(along.dot(axis.half)) / (size * length);
    if (cosine <= most || std::min(normal.dot(from), normal.dot(to)) < top - 0.1 * size) continue;
    most = cosine;
    const Vector3d unit = along / size;
    bed.exists = true;
    bed.normal = (normal - normal.dot(unit) * unit).normalized();
    bed.offset = bed.normal.dot(from);
    bed.name = static_cast<std::uint32_t>(e);
    bed.stretch = Stretch{};
    bed.stretch.keep(unit.dot(axis.centre - to), unit.dot(axis.half));
    bed.stretch.keep(unit.dot(from - axis.centre), -unit.dot(axis.half));
  }
  return bed;
}

}  // namespace

void collide_sphere_polytope(const PlacedShape& sphere, const PlacedShape& polytope, double margin, Manifold& out) {
  out.clear();
  if (has_many_faces(*polytope.polytope) && are_apart(sphere, polytope, margin, out)) return;
  const double radius = sphere.shape->size(0);
  const Vector3d centre = polytope.R.transpose() * (sphere.pose.p - polytope.pose.p);
  PolytopeNearest found;
  if (!nearest_on_polytope(*polytope.polytope, centre, radius + margin, found)) return;
  out.normal = polytope.R * found.normal;
  const double gap = found.distance - radius;
  out.add(sphere.pose.p - (radius + 0.5 * gap) * out.normal, gap, 0);
}

void collide_capsule_polytope(const PlacedShape& capsule, const PlacedShape& polytope, double margin, Manifold& out) {
  out.clear();
  const Polytope& body = *polytope.polytope;
  const bool fine = has_many_faces(body);
  if (fine && are_apart(capsule, polytope, margin, out)) return;
  const double radius = capsule.shape->size(0);
  const Segment axis{polytope.R.transpose() * (capsule.pose.p - polytope.pose.p),
                     polytope.R.transpose() * capsule.R.col(2) * capsule.shape->size(1)};
  const Vector3d n = fine ? Vector3d(polytope.R.transpose() * out.normal) : Vector3d(Vector3d::Zero());
  AxisNearest found;
  if (!nearest_to_axis(body, axis, n, radius + margin, found)) return;
  out.normal = polytope.R * found.normal;
  const auto add = [&](double t, double gap, std::uint32_t feature) {
    const Vector3d x = polytope.pose.p + polytope.R * axis.at(t);
    out.add(x - (radius + 0.5 * gap) * out.normal, gap, feature);
  };

  // Beside a face, along its rim, the edge is the bed.
  constexpr double kShort = 1e-9;  // of the half length
  Bed bed = face_under(body, axis, found.normal);
  std::uint32_t kind = 1;
  if ((!bed.exists || !(bed.stretch.high - bed.stretch.low > kShort)) && axis.half.norm() > 0.0) {
    bed = edge_under(body, axis, found.normal);
    kind = 2;
  }
  const double least = found.distance - radius;
  double least_added = std::numeric_limits<double>::infinity();
  if (bed.exists && bed.stretch.high - bed.stretch.low > kShort) {
    const double slope = bed.normal.dot(found.normal);
    for (int k = 0; k < 2; ++k) {
      const double t = k == 0 ? bed.stretch.low : bed.stretch.high;
      const double gap = (bed.normal.dot(axis.at(t)) - bed.offset) / slope - radius;
      least_added = std::min(least_added, gap);
      if (gap <= margin) add(t, gap, feature_of(kind, bed.name, static_cast<std::uint32_t>(k), 0));
    }
  }
  // Nearer than both ends of the stretch, or no stretch: the nearest point itself.
  if (least < least_added - 1e-9 * radius) add(found.t, least, 0);
}

}  // namespace tribo
