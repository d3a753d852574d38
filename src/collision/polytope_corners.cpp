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

#include "collision/polytope_depth.hpp"
#include "collision/polytope_support.hpp"

namespace tribo {
namespace {

constexpr double kFacing = 1e-3;        // cosine: steeper faces show nothing along n
constexpr double kStandOutOver = 1e-7;  // of the size: a vertex this far outside is still over the other body
constexpr double kClearlyBeside =
    1e-5;  // of the size: a vertex this far beside is not over it, whatever kStandOutOver says
constexpr double kRoundingOver = 1e-12;  // of the size: of heights
constexpr double kSamePlace = 1e-4;      // of the smaller size: corners nearer than this are one
// Of each body; of finer hulls only the deepest part is looked at.
constexpr std::size_t kMostEdges = 64, kMostDeep = 512;

struct SideVertex {
  std::int32_t index;
  Vector3d x;     // in a's frame
  double height;  // above the deepest one, away from the other body
};

struct SideEdge {
  std::int32_t index;
  Vector3d from, along;  // in a's frame
  double low;            // height of the lower end
  double most;           // height of a point on it whose gap may still be listed
};

// One body seen along n: what of it lies within reach of the other one. Keeps its memory.
struct Side {
  const Polytope* polytope = nullptr;
  Relative pose{Matrix3d::Identity(), Vector3d::Zero()};  // in a's frame
  Vector3d outward = Vector3d::UnitZ();                   // unit, towards the other body, in the polytope's own frame
  double offset = 0.0;                                    // of the pose along it
  double deepest = 0.0;                                   // of all vertices, the most −n·x (of a) or n·x (of b)
  std::vector<SideVertex> vertices;                       // ascending
  std::vector<SideEdge> edges;                            // ascending; they face the other body
  std::int32_t face = 0;                                  // that a vertex of the other body was over last
  std::vector<double> lows;                               // of the edges
  DepthSearch search;

  void look(const Polytope& p, const Relative& p_in_a, const Vector3d& towards) {
    polytope = &p;
    pose = p_in_a;
    outward = p_in_a.R.transpose() * towards;
    offset = towards.dot(p_in_a.t);
    const std::int32_t vertex = find_farthest(p, outward);
    deepest = outward.dot(p.vertices[static_cast<std::size_t>(vertex)]) + offset;
    double most = -1.0;
    for (const std::int32_t e : p.edges_of(vertex)) {
      const std::int32_t f = p.edges[static_cast<std::size_t>(e)].left;
      const double lean = outward.dot(p.normals[static_cast<std::size_t>(f)]);
      if (lean > most) face = f;
      most = std::max(most, lean);
    }
  }
  Vector3d at(std::int32_t v) const { return pose.t + pose.R * polytope->vertices[static_cast<std::size_t>(v)]; }
  double height(std::int32_t v) const {
    return deepest - outward.dot(polytope->vertices[static_cast<std::size_t>(v)]) - offset;
  }
  bool faces_other(std::int32_t f) const {
    return outward.dot(polytope->normals[static_cast<std::size_t>(f)]) > kFacing;
  }
  void find_vertices(double reach);
  template <typename MostHeight>
  void find_edges(double reach, const MostHeight& most_height);
  void drop_high(double reach);
};

void Side::find_vertices(double reach) {
  vertices.clear();
  for (const std::int32_t v : search.find(*polytope, -outward, reach - deepest + offset))
    if (const double h = height(v); h <= reach) vertices.push_back({v, at(v), h});
}

// Edges that begin or end within reach and face the other body. `most_height` of the points between two whose gap may be listed.
template <typename MostHeight>
void Side::find_edges(double reach, const MostHeight& most_height) {
  edges.clear();
  for (const SideVertex& vertex : vertices) {
    for (const std::int32_t e : polytope->edges_of(vertex.index)) {
      const Polytope::Edge& edge = polytope->edges[static_cast<std::size_t>(e)];
      const bool first = edge.from == vertex.index;
      const std::int32_t other = first ? edge.to : edge.from;
      const double high = height(other);
      if (!first && high <= reach) continue;  // met at its other end
      if (!faces_other(edge.left) && !faces_other(edge.right)) continue;
      const Vector3d x = at(other);
      const double low = std::min(vertex.height, high), most = most_height(vertex.x, x);
      if (low > most) continue;
      edges.push_back({e, first ? vertex.x : x, first ? Vector3d(x - vertex.x) : Vector3d(vertex.x - x), low, most});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const SideEdge& x, const SideEdge& y) { return x.index < y.index; });
}

// Of many only the deepest are looked at. Many in one plane stay many.
void Side::drop_high(double reach) {
  if (edges.size() > kMostEdges) {
    lows.clear();
    for (const SideEdge& edge : edges) lows.push_back(edge.low);
    const auto first_out = lows.begin() + kMostEdges;
    std::nth_element(lows.begin(), first_out, lows.end());
    double limit = reach;
    while (limit >= *first_out && limit > 0.0) limit *= 0.5;
    std::erase_if(edges, [&](const SideEdge& edge) { return edge.low > limit; });
  }
  for (int k = 0; k < 40 && vertices.size() > kMostDeep; ++k) {
    reach *= 0.5;
    std::erase_if(vertices, [&](const SideVertex& vertex) { return vertex.height > reach; });
  }
}

// The plane of face f over x: its distance from x along −outward.
double calc_room(const Polytope& p, const Vector3d& outward, std::int32_t f, const Vector3d& x) {
  const Vector3d& normal = p.normals[static_cast<std::size_t>(f)];
  return (p.offsets[static_cast<std::size_t>(f)] - normal.dot(x)) / outward.dot(normal);
}

enum class Place { kOver, kBeside, kUnclear };

// From face to face to the one that x is over: the surface is the least of the planes of all faces that look outward, and concave,
// so that a face with the least plane of all its neighbours has the least of all. kUnclear: near a border.
Place walk_over(Side& side, const Vector3d& x) {
  const Polytope& p = *side.polytope;
  const auto across = [&](std::int32_t f, std::size_t k) {
    return p.across[static_cast<std::size_t>(p.start[static_cast<std::size_t>(f)]) + k];
  };
  double room = calc_room(p, side.outward, side.face, x);
  for (std::int32_t last = -1; last != side.face;) {
    last = side.face;
    for (std::size_t k = 0; k < p.face(static_cast<std::size_t>(last)).size(); ++k) {
      const std::int32_t f = across(last, k);
      if (!side.faces_other(f)) continue;
      const double other = calc_room(p, side.outward, f, x);
      if (other >= room) continue;
      room = other;
      side.face = f;
    }
  }
  const auto corners = p.face(static_cast<std::size_t>(side.face));
  bool over = true;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vector3d& from = p.vertices[static_cast<std::size_t>(corners[k])];
    const Vector3d& to = p.vertices[static_cast<std::size_t>(corners[k + 1 == corners.size() ? 0 : k + 1])];
    const Vector3d beyond = (to - from).cross(side.outward);
    const double distance = beyond.dot(x - from);
    over = over && distance < 0.0;
    if (distance > kClearlyBeside * p.radius * beyond.norm() && !side.faces_other(across(side.face, k)))
      return Place::kBeside;
  }
  return over ? Place::kOver : Place::kUnclear;
}

// How far x is from the polytope's surface along `outward` (both in its frame), the surface being below x where outward is up;
// false where x is not over it, or farther than `limit`.
bool distance_over(Side& side, const Vector3d& x, double limit, double& distance) {
  const Polytope& p = *side.polytope;
  const Vector3d& outward = side.outward;
  if (side.faces_other(side.face)) {
    const Place place = walk_over(side, x);
    distance = -calc_room(p, outward, side.face, x);
    if (place == Place::kBeside || distance > limit) return false;
    if (place == Place::kOver) return true;
  }
  const double slack = kStandOutOver * p.radius;
  double top = std::numeric_limits<double>::infinity(), wide_top = top, wide_bottom = -top;
  for (std::size_t f = 0; f < p.normals.size(); ++f) {
    const double lean = outward.dot(p.normals[f]), room = p.offsets[f] - p.normals[f].dot(x);
    if (lean > kFacing) {
      top = std::min(top, room / lean);
      wide_top = std::min(wide_top, (room + slack) / lean);
      if (-top > limit) return false;
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
  for (const SideEdge& ea : a.edges) {
    const Vector3d across_u = n.cross(ea.along);
    for (const SideEdge& eb : b.edges) {
      if (ea.low + eb.low > std::min(ea.most, eb.most)) continue;
      // Which sides of a's line the ends of b's edge are on, and the other way round.
      const Vector3d between = eb.from - ea.from;
      const double d_from = across_u.dot(between), d_to = d_from + across_u.dot(eb.along);
      if (!(d_from * d_to < 0.0)) continue;
      const double t = d_from / (d_from - d_to);
      const Vector3d across_v = n.cross(eb.along);
      const double s = across_v.dot(between) / across_v.dot(ea.along);
      if (!(s > 0.0 && s < 1.0)) continue;
      const Vector3d on_a = ea.from + s * ea.along, on_b = eb.from + t * eb.along;
      corners.offer(0.5 * (on_a + on_b), n.dot(on_a - on_b),
                    feature_of(2, static_cast<std::uint32_t>(ea.index), 0, static_cast<std::uint32_t>(eb.index)));
    }
  }
}

}  // namespace

void touch_corners(const PlacedShape& a, const PlacedShape& b, const Relative& b_in_a, const Vector3d& n, double margin,
                   Manifold& out) {
  const Polytope &pa = *a.polytope, &pb = *b.polytope;
  if (pa.normals.size() < 4 || pb.normals.size() < 4 || out.count == 0) return;
  thread_local Side side_a, side_b;  // keep their memory
  side_a.look(pa, {Matrix3d::Identity(), Vector3d::Zero()}, -n);
  side_b.look(pb, b_in_a, n);
  const double apart = -(side_a.deepest + side_b.deepest);  // along n
  const double reach = margin - apart;
  if (!(reach >= 0.0)) return;
  const ManifoldPoint* first = &out.points[0];
  for (int k = 1; k < out.count; ++k)
    if (out.points[static_cast<std::size_t>(k)].gap < first->gap) first = &out.points[static_cast<std::size_t>(k)];
  Corners corners{
      a,          n,  margin, kSamePlace * std::min(pa.radius, pb.radius), a.R.transpose() * (first->point - a.pose.p),
      first->gap, out};
  // A gap over a point is the height of the point and `nearest` at least. Along an edge the largest limit is at an end.
  const double nearest = apart - kRoundingOver * (pa.radius + pb.radius);
  const auto most_height = [&](const Vector3d& x, const Vector3d& y) {
    return std::max(corners.calc_limit(x), corners.calc_limit(y)) - nearest;
  };
  for (Side* const side : {&side_a, &side_b}) {
    side->find_vertices(reach);
    side->find_edges(reach, most_height);
    std::erase_if(side->vertices, [&](const SideVertex& v) { return v.height > most_height(v.x, v.x); });
    side->drop_high(reach);
  }

  const Relative a_in_b = b_in_a.inverse();
  double distance = 0.0;
  for (const SideVertex& vertex : side_a.vertices) {
    if (!distance_over(side_b, a_in_b.t + a_in_b.R * vertex.x, corners.calc_limit(vertex.x), distance)) continue;
    corners.offer(vertex.x - 0.5 * distance * n, distance,
                  feature_of(3, static_cast<std::uint32_t>(vertex.index), 0, 1));
  }
  for (const SideVertex& vertex : side_b.vertices) {
    if (!distance_over(side_a, vertex.x, corners.calc_limit(vertex.x), distance)) continue;
    corners.offer(vertex.x + 0.5 * distance * n, distance,
                  feature_of(3, static_cast<std::uint32_t>(vertex.index), 0, 2));
  }
  offer_crossings(side_a, side_b, corners);
}

}  // namespace tribo
