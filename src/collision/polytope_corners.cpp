// Over the plane ⟂ n the gap between a's underside and b's top,
//     g(x) = low_a(x) − top_b(x),                                                                                          (1)
// is convex and linear in pieces. A small motion of the bodies adds an affine function to it, so that wherever they come to touch,
// they touch in a corner of the pieces first:
//     a vertex of a over b  ·  a vertex of b over a  ·  an edge of a across an edge of b                                   (2)
// Listing (2), and not the deepest point alone, is what keeps bodies from overlapping where nothing was listed before.
#include "collision/polytope_corners.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tribo {
namespace {

constexpr double kFacing = 1e-3;         // cosine: steeper faces show nothing along n
constexpr double kStandOutOver = 1e-7;   // of the size: a vertex this far outside is still over the other body
constexpr double kRoundingOver = 1e-12;  // of the size: of heights
constexpr double kSamePlace = 1e-4;      // of the smaller size: corners nearer than this are one
// Of each body; of finer hulls only the deepest part is looked at.
constexpr std::size_t kMostEdges = 64, kMostDeep = 512;

// One body seen along n: heights of its vertices above its deepest one, away from the other body.
struct Side {
  const Polytope* polytope = nullptr;
  double sign = 1.0;               // heights are sign · n·x − deepest
  double deepest = 0.0;            // least sign · n·x
  std::vector<Vector3d> x;         // vertices in a's frame
  std::vector<double> height;      // of each, >= 0
  std::vector<std::size_t> edges;  // that face the other body and begin or end within reach
};

void look(const Polytope& polytope, const Relative* pose, const Vector3d& n, double sign, Side& side) {
  side.polytope = &polytope;
  side.sign = sign;
  side.x.resize(polytope.vertices.size());
  side.height.resize(polytope.vertices.size());
  side.deepest = std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < side.x.size(); ++v) {
    side.x[v] = pose == nullptr ? polytope.vertices[v] : Vector3d(pose->t + pose->R * polytope.vertices[v]);
    side.height[v] = sign * n.dot(side.x[v]);
    side.deepest = std::min(side.deepest, side.height[v]);
  }
  for (double& height : side.height) height -= side.deepest;
}

// How deep vertices are looked at.
double limit_reach(const Side& side, double reach) {
  const auto count = [&] {
    return std::count_if(side.height.begin(), side.height.end(), [&](double height) { return height <= reach; });
  };
  // Many in one plane stay many.
  for (int k = 0; k < 40 && count() > static_cast<std::ptrdiff_t>(kMostDeep); ++k) reach *= 0.5;
  return reach;
}

// `outward`: towards the other body, in the polytope's own frame.
void find_edges_within(const Vector3d& outward, double reach, Side& side) {
  const Polytope& p = *side.polytope;
  do {
    side.edges.clear();
    for (std::size_t e = 0; e < p.edges.size() && side.edges.size() <= kMostEdges; ++e) {
      const Polytope::Edge& edge = p.edges[e];
      if (std::min(side.height[static_cast<std::size_t>(edge.from)], side.height[static_cast<std::size_t>(edge.to)]) >
          reach)
        continue;
      if (outward.dot(p.normals[static_cast<std::size_t>(edge.left)]) > kFacing ||
          outward.dot(p.normals[static_cast<std::size_t>(edge.right)]) > kFacing)
        side.edges.push_back(e);
    }
    reach *= 0.5;
  } while (side.edges.size() > kMostEdges && reach > 0.0);
}

// How far x is from the polytope's surface along `outward` (both in its frame), the surface being below x where outward is up;
// false where x is not over it, or farther than `limit`.
bool distance_over(const Polytope& p, const Vector3d& x, const Vector3d& outward, double limit, double& distance) {
  const double slack = kStandOutOver * p.radius;
  double top = std::numeric_limits<double>::infinity(), wide_top = top, wide_bottom = -top;
  for (std::size_t f = 0; f < p.normals.size(); ++f) {
    const double lean = outward.dot(p.normals[f]), room = p.offsets[f] - p.normals[f].dot(x);
    if (lean > kFacing) {
      top = std::min(top, room / lean);
      if (-top > limit) return false;
      wide_top = std::min(wide_top, (room + slack) / lean);
    } else if (lean < -kFacing) {
      wide_bottom = std::max(wide_bottom, (room + slack) / lean);
    } else if (room < -slack) {
      return false;
    }
    if (wide_top < wide_bottom) return false;
  }
  distance = -top;
  return true;
}

// The corners found so far, and which of the rest are worth listing.
struct Corners {
  const PlacedShape& placed;  // a
  const Vector3d& n;
  double margin, same;
  Vector3d deepest;  // in a's frame
  double least;
  Manifold& out;

  // The largest gap that is listed over x: what a turn about the deepest point may close.
  double calc_limit(const Vector3d& x) const {
    const Vector3d away = x - deepest;
    return std::min(margin, least + kMostTurn * (away - away.dot(n) * n).norm());
  }
  // x: halfway between the surfaces, in a's frame.
  void offer(const Vector3d& x, double gap, std::uint32_t feature) {
    if (!(gap <= calc_limit(x))) return;
    const Vector3d point = placed.pose.p + placed.R * x;
    for (int k = 0; k < out.count; ++k)
      if ((out.points[static_cast<std::size_t>(k)].point - point).squaredNorm() < same * same) return;
    out.add(point, gap, feature);
  }
};

void offer_crossings(const Side& a, const Side& b, Corners& corners) {
  const Vector3d& n = corners.n;
  for (const std::size_t i : a.edges) {
    const Polytope::Edge& ea = a.polytope->edges[i];
    const Vector3d& p = a.x[static_cast<std::size_t>(ea.from)];
    const Vector3d u = a.x[static_cast<std::size_t>(ea.to)] - p;
    const Vector3d across_u = n.cross(u);
    for (const std::size_t j : b.edges) {
      const Polytope::Edge& eb = b.polytope->edges[j];
      const Vector3d& q = b.x[static_cast<std::size_t>(eb.from)];
      const Vector3d& q_end = b.x[static_cast<std::size_t>(eb.to)];
      // Which sides of a's line the ends of b's edge are on, and the other way round.
      const double d_from = across_u.dot(q - p), d_to = across_u.dot(q_end - p);
      if (!(d_from * d_to < 0.0)) continue;
      const Vector3d v = q_end - q;
      const double t = d_from / (d_from - d_to);
      const Vector3d across_v = n.cross(v);
      const double s = across_v.dot(q - p) / across_v.dot(u);
      if (!(s > 0.0 && s < 1.0)) continue;
      const Vector3d on_a = p + s * u, on_b = q + t * v;
      corners.offer(0.5 * (on_a + on_b), n.dot(on_a - on_b),
                    feature_of(2, static_cast<std::uint32_t>(i), 0, static_cast<std::uint32_t>(j)));
    }
  }
}

}  // namespace

void touch_corners(const PlacedShape& a, const PlacedShape& b, const Relative& b_in_a, const Vector3d& n, double margin,
                   Manifold& out) {
  const Polytope &pa = *a.polytope, &pb = *b.polytope;
  if (pa.normals.size() < 4 || pb.normals.size() < 4 || out.count == 0) return;
  thread_local Side side_a, side_b;  // keep their memory
  look(pa, nullptr, n, 1.0, side_a);
  look(pb, &b_in_a, n, -1.0, side_b);
  const double reach = margin - (side_a.deepest + side_b.deepest);
  if (!(reach >= 0.0)) return;
  const Relative a_in_b = b_in_a.inverse();
  const Vector3d n_b = a_in_b.R * n;
  find_edges_within(-n, reach, side_a);
  find_edges_within(n_b, reach, side_b);

  const ManifoldPoint* first = &out.points[0];
  for (int k = 1; k < out.count; ++k)
    if (out.points[static_cast<std::size_t>(k)].gap < first->gap) first = &out.points[static_cast<std::size_t>(k)];
  Corners corners{
      a,          n,  margin, kSamePlace * std::min(pa.radius, pb.radius), a.R.transpose() * (first->point - a.pose.p),
      first->gap, out};
  // Over a vertex the gap is its height and `nearest` at least.
  const double nearest = side_a.deepest + side_b.deepest - kRoundingOver * (pa.radius + pb.radius);
  double distance = 0.0;
  const double reach_a = limit_reach(side_a, reach), reach_b = limit_reach(side_b, reach);
  for (std::size_t v = 0; v < side_a.x.size(); ++v) {
    const double limit = corners.calc_limit(side_a.x[v]);
    if (side_a.height[v] > reach_a || side_a.height[v] > limit - nearest) continue;
    if (!distance_over(pb, a_in_b.t + a_in_b.R * side_a.x[v], n_b, limit, distance)) continue;
    corners.offer(side_a.x[v] - 0.5 * distance * n, distance, feature_of(3, static_cast<std::uint32_t>(v), 0, 1));
  }
  for (std::size_t v = 0; v < side_b.x.size(); ++v) {
    const double limit = corners.calc_limit(side_b.x[v]);
    if (side_b.height[v] > reach_b || side_b.height[v] > limit - nearest) continue;
    if (!distance_over(pa, side_b.x[v], -n, limit, distance)) continue;
    corners.offer(side_b.x[v] + 0.5 * distance * n, distance, feature_of(3, static_cast<std::uint32_t>(v), 0, 2));
  }
  offer_crossings(side_a, side_b, corners);
}

}  // namespace tribo
