// Two polytopes: the axis of largest separation decides.
//     a face      the most opposed face of the other body is clipped over it: all corners of the touching polygon
//     two edges   the point where they cross
//     corners     (apart, and nothing of the other body lies over the face): the nearest points, by GJK
//     fine hulls  (a thousand edges each): the nearest features at once, by GJK or EPA
// To edges and corners, and to faces of hulls whose neighbours lean little, come all places that may touch next, along the same
// normal (polytope_corners.hpp).
// Faces are preferred by a small bias, a's to b's and both to edges. Without it two faces that are parallel but for rounding would
// change roles from one step to the next. The bias costs no accuracy: gaps are measured on the chosen normal, and where bodies are
// apart the result is compared with the separation.
#include <algorithm>
#include <cmath>

#include "collision/clip.hpp"
#include "collision/convex_pair.hpp"
#include "collision/polytope_axes.hpp"
#include "collision/polytope_corners.hpp"
#include "collision/polytope_support.hpp"

namespace tribo {
namespace {

constexpr double kBias = 0.02;        // of the overlap
constexpr double kBiasOfSize = 1e-5;  // of the smaller body
// Pairs of edges above which trying them all takes longer than a step may: GJK and EPA then find the normal.
constexpr std::size_t kMostEdgePairs = 1'000'000;

// The face at the vertex farthest along n (in p's frame) that looks most along n.
int incident_face(const Polytope& p, const Vector3d& n) {
  std::int32_t best = 0;
  double cosine = -2.0;
  const auto offer = [&](std::int32_t f) {
    const double c = n.dot(p.normals[static_cast<std::size_t>(f)]);
    if (c > cosine || (c == cosine && f < best)) {
      cosine = c;
      best = f;
    }
  };
  for (const std::int32_t e : p.edges_of(find_farthest(p, n))) {
    const Polytope::Edge& edge = p.edges[static_cast<std::size_t>(e)];
    offer(edge.left);
    offer(edge.right);
  }
  return best;
}

int incident_box_face(const Vector3d& n) {
  int k = 0;
  for (const int other : {1, 2})
    if (std::abs(n(other)) > std::abs(n(k))) k = other;
  return 2 * k + (n(k) < 0.0 ? 1 : 0);
}

// Has a face beside f a normal that leans from n by little? Then the next turn may bring it down.
bool has_neighbour_along(const Polytope& p, int f, const Vector3d& n) {
  const double cosine = std::sqrt(1.0 - kMostTurn * kMostTurn);
  for (std::size_t other = 0; other < p.normals.size(); ++other)
    if (static_cast<int>(other) != f && n.dot(p.normals[other]) > cosine) return true;
  return false;
}

// The face of the reference body and what of the other lies over it; `kind` as in clip_face.
void touch_face(const PlacedShape& reference, int r, const PlacedShape& incident, const Relative& incident_in_reference,
                bool boxes, std::uint32_t kind, double margin, Manifold& out) {
  const Polytope &pr = *reference.polytope, &pi = *incident.polytope;
  const Vector3d& up = pr.normals[static_cast<std::size_t>(r)];
  const Vector3d n = -(incident_in_reference.R.transpose() * up);
  out.normal = kind == 0 ? Vector3d(-(reference.R * up)) : Vector3d(reference.R * up);
  const int i = boxes ? incident_box_face(n) : incident_face(pi, n);
  clip_face(pr, r, pi, i, incident_in_reference, reference, kind, margin, out);
  if (boxes || out.count == 0) return;
  if (has_neighbour_along(pr, r, up) || has_neighbour_along(pi, i, n))
    touch_corners(reference, incident, incident_in_reference, -up, margin, out);
}

// One point between the two edges; false where they do not cross and the bodies are apart.
bool touch_edges(const PlacedShape& a, const PlacedShape& b, const Relative& b_in_a, const EdgeAxis& axis,
                 double margin, Manifold& out) {
  const Polytope &pa = *a.polytope, &pb = *b.polytope;
  const Polytope::Edge& ea = pa.edges[static_cast<std::size_t>(axis.edge_a)];
  const Polytope::Edge& eb = pb.edges[static_cast<std::size_t>(axis.edge_b)];
  const Vector3d p = pa.vertices[static_cast<std::size_t>(ea.from)];
  const Vector3d u = pa.vertices[static_cast<std::size_t>(ea.to)] - p;
  const Vector3d q = b_in_a.t + b_in_a.R * pb.vertices[static_cast<std::size_t>(eb.from)];
  const Vector3d v =
      b_in_a.R * (pb.vertices[static_cast<std::size_t>(eb.to)] - pb.vertices[static_cast<std::size_t>(eb.from)]);
  // Feet of the common perpendicular n: p + s u − q − t v ∥ n.
  const Vector3d across = u.cross(v);
  const double squared = across.squaredNorm();
  const Vector3d between = q - p;
  const double s = between.cross(v).dot(across) / squared, t = between.cross(u).dot(across) / squared;
  const double slack = 1e-9;
  const bool inside = s >= -slack && s <= 1.0 + slack && t >= -slack && t <= 1.0 + slack;
  if (!inside && axis.separation > 0.0) return false;
  const Vector3d on_a = p + std::clamp(s, 0.0, 1.0) * u, on_b = q + std::clamp(t, 0.0, 1.0) * v;
  out.normal = a.R * axis.normal;
  if (axis.separation <= margin)
    out.add(a.pose.p + a.R * (0.5 * (on_a + on_b)), axis.separation,
            feature_of(2, static_cast<std::uint32_t>(axis.edge_a), 0, static_cast<std::uint32_t>(axis.edge_b)));
  return true;
}

// The face or the pair of edges that the axes choose. False where they are apart and it is neither.
bool touch_by_axes(const PlacedShape& a, const PlacedShape& b, const Relative& b_in_a, const Axes& axes, bool boxes,
                   double margin, Manifold& out) {
  const double size = std::min(a.polytope->radius, b.polytope->radius);
  const auto beats = [&](double candidate, double incumbent) {
    return candidate > incumbent + kBiasOfSize * size + kBias * std::max(0.0, -incumbent);
  };
  const bool by_b = beats(axes.face_b.separation, axes.face_a.separation);
  const double face = by_b ? axes.face_b.separation : axes.face_a.separation;
  const double largest = std::max({axes.face_a.separation, axes.face_b.separation, axes.edge.separation});
  if (axes.edge.edge_a >= 0 && beats(axes.edge.separation, face)) {
    if (!touch_edges(a, b, b_in_a, axes.edge, margin, out)) return false;
    touch_corners(a, b, b_in_a, axes.edge.normal, margin, out);
    return true;
  }
  if (by_b) {
    touch_face(b, axes.face_b.face, a, b_in_a.inverse(), boxes, 1, margin, out);
  } else {
    touch_face(a, axes.face_a.face, b, b_in_a, boxes, 0, margin, out);
  }
  double least = 1e300;
  for (int k = 0; k < out.count; ++k) least = std::min(least, out.points[static_cast<std::size_t>(k)].gap);
  // Overlapping, or as near as the separation says (to the bias, which only turns the normal a little): this is the truth.
  return out.count > 0 && (largest <= 0.0 || least <= largest + 2.0 * kBiasOfSize * size);
}

}  // namespace

void collide_polytopes(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out) {
  out.clear();
  const Polytope &pa = *a.polytope, &pb = *b.polytope;
  const Relative b_in_a{a.R.transpose() * b.R, a.R.transpose() * (b.pose.p - a.pose.p)};
  const bool boxes =
      a.shape != nullptr && b.shape != nullptr && a.shape->type == ShapeType::kBox && b.shape->type == ShapeType::kBox;
  Axes axes;
  Distance distance;
  const CorePair cores(a, b, b_in_a);
  bool fine = false;
  if (boxes) {
    if (!find_box_axes(a.shape->size, b.shape->size, b_in_a, margin, axes)) return;
  } else {
    distance = cores.measure(margin);
    if (cores.proves_apart(distance, margin)) {
      out.normal = a.R * distance.normal;
      return;
    }
    fine = pa.edges.size() * pb.edges.size() > kMostEdgePairs;
    if (!fine && !find_axes(pa, pb, b_in_a, distance, margin, axes)) return;
  }
  if (!fine && touch_by_axes(a, b, b_in_a, axes, boxes, margin, out)) return;
  if (boxes) distance = cores.measure(margin);
  touch_nearest_features(a, cores, distance, margin, out);
  touch_corners(a, b, b_in_a, a.R.transpose() * out.normal, margin, out);
}

}  // namespace tribo
