// Sutherland–Hodgman in the frame of the reference polytope. Every edge of the polygon knows where it comes from (an edge of the
// incident face or a side plane), so that every crossing has a name that lasts as long as the two that cross.
#include "collision/clip.hpp"

#include <array>
#include <cmath>

namespace tribo {
namespace {

constexpr double kStandOut = 1e-7;          // of the size
constexpr std::uint32_t kPlaneName = 1024;  // plane j is named kPlaneName + j, an incident edge by the vertex it leaves

struct Corner {
  Vector3d x;
  std::uint32_t edge;         // name of the edge that leaves this corner
  std::uint32_t first, last;  // what crosses here: plane + 1 (0: a vertex), vertex or edge
};

// Half of polygon `from` with n·x <= offset into `to`; returns its size. Corners that stand out by `slack` at most stay as they are.
std::size_t clip_by_plane(const Corner* from, std::size_t count, const Vector3d& n, double offset, double slack,
                          std::uint32_t plane, Corner* to) {
  std::size_t kept = 0;
  double d = n.dot(from[0].x) - offset;
  const double d_first = d;
  for (std::size_t k = 0; k < count; ++k) {
    const Corner& p = from[k];
    const bool last = k + 1 == count;
    const Corner& q = from[last ? 0 : k + 1];
    const double d_next = last ? d_first : n.dot(q.x) - offset;
    const bool in = d <= slack, next_in = d_next <= slack;
    if (in) to[kept++] = p;
    if (in && !next_in && d >= 0.0) {
      to[kept - 1].edge = kPlaneName + plane;  // it crosses where the corner is
    } else if (in != next_in && !(next_in && d_next >= 0.0)) {
      Corner& crossing = to[kept++];
      crossing.x = p.x + d / (d - d_next) * (q.x - p.x);
      crossing.edge = in ? kPlaneName + plane : p.edge;
      crossing.first = plane + 1;
      crossing.last = p.edge;
    }
    d = d_next;
  }
  return kept;
}

// More points than a manifold holds: the deepest and the outermost in fifteen directions fixed to the reference face.
void keep_outermost(const Corner* polygon, const double* gaps, std::uint8_t* keep, std::size_t count, double margin,
                    const Vector3d& u, const Vector3d& v) {
  std::size_t deepest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    keep[k] = 0;
    if (gaps[k] < gaps[deepest]) deepest = k;
  }
  keep[deepest] = 1;
  for (int direction = 0; direction + 1 < kMostPoints; ++direction) {
    const double angle = 2.0 * M_PI * direction / (kMostPoints - 1);
    const Vector3d along = std::cos(angle) * u + std::sin(angle) * v;
    std::size_t outermost = deepest;
    for (std::size_t k = 0; k < count; ++k)
      if (gaps[k] <= margin && along.dot(polygon[k].x) > along.dot(polygon[outermost].x)) outermost = k;
    keep[outermost] = 1;
  }
}

void clip_with(const Polytope& reference, int r, const Polytope& incident, int i, const Relative& pose,
               const PlacedShape& placed, std::uint32_t kind, double margin, Manifold& out, Corner* polygon,
               Corner* other, double* gaps, std::uint8_t* keep) {
  const auto ref = reference.face(static_cast<std::size_t>(r)), inc = incident.face(static_cast<std::size_t>(i));
  const Vector3d& n = reference.normals[static_cast<std::size_t>(r)];
  const double offset = reference.offsets[static_cast<std::size_t>(r)];
  const double stand_out = kStandOut * reference.radius;
  std::size_t count = inc.size();
  for (std::size_t k = 0; k < count; ++k) {
    const auto v = static_cast<std::uint32_t>(inc[k]);
    polygon[k] = {pose.t + pose.R * incident.vertices[v], v, 0, v};
  }
  for (std::size_t k = 0; k < ref.size() && count > 0; ++k) {
    const Vector3d& a = reference.vertices[static_cast<std::size_t>(ref[k])];
    const Vector3d& b = reference.vertices[static_cast<std::size_t>(ref[k + 1 == ref.size() ? 0 : k + 1])];
    const Vector3d side = (b - a).cross(n).normalized();
    const double limit = side.dot(a);
    bool all_in = true;
    for (std::size_t c = 0; c < count; ++c) all_in = all_in && side.dot(polygon[c].x) <= limit + stand_out;
    if (all_in) continue;
    count = clip_by_plane(polygon, count, side, limit, stand_out, static_cast<std::uint32_t>(k), other);
    std::swap(polygon, other);
  }
  std::size_t within = 0;
  for (std::size_t k = 0; k < count; ++k) {
    gaps[k] = n.dot(polygon[k].x) - offset;
    keep[k] = 1;
    within += gaps[k] <= margin ? 1 : 0;
  }
  if (within > static_cast<std::size_t>(kMostPoints)) {
    const Vector3d u =
        (reference.vertices[static_cast<std::size_t>(ref[1])] - reference.vertices[static_cast<std::size_t>(ref[0])])
            .normalized();
    keep_outermost(polygon, gaps, keep, count, margin, u, n.cross(u));
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (gaps[k] > margin || keep[k] == 0) continue;
    const Vector3d x = polygon[k].x - 0.5 * gaps[k] * n;
    out.add(placed.pose.p + placed.R * x, gaps[k],
            feature_of(kind, static_cast<std::uint32_t>(r), polygon[k].first, polygon[k].last));
  }
}

struct LargeBuffers {
  std::vector<Corner> first, second;
  std::vector<double> gaps;
  std::vector<std::uint8_t> keep;
};

}  // namespace

void clip_face(const Polytope& reference, int r, const Polytope& incident, int i, const Relative& incident_in_reference,
               const PlacedShape& placed, std::uint32_t kind, double margin, Manifold& out) {
  constexpr std::size_t kSmall = 32;
  const std::size_t most =
      reference.face(static_cast<std::size_t>(r)).size() + incident.face(static_cast<std::size_t>(i)).size() + 2;
  if (most <= kSmall) {
    Corner first[kSmall], second[kSmall];
    double gaps[kSmall];
    std::uint8_t keep[kSmall];
    clip_with(reference, r, incident, i, incident_in_reference, placed, kind, margin, out, first, second, gaps, keep);
    return;
  }
  // Faces with many corners (discs made of triangles): memory that stays with the thread.
  thread_local LargeBuffers large;
  if (large.first.size() < most) {
    large.first.resize(most);
    large.second.resize(most);
    large.gaps.resize(most);
    large.keep.resize(most);
  }
  clip_with(reference, r, incident, i, incident_in_reference, placed, kind, margin, out, large.first.data(),
            large.second.data(), large.gaps.data(), large.keep.data());
}

}  // namespace tribo
