// A shape on many small triangles of one plane touches at the corners of all their clipped polygons. Its height over the plane is
// linear there, so that the corners of the hull say the same: they alone are kept. What two neighbours found at their common edge
// becomes one contact.
#include <algorithm>

#include "collision/triangle_contact.hpp"

namespace tribo {
namespace {

constexpr double kSamePlane = 1e-9;  // of directions, and of distances over the size
constexpr double kSamePoint = 1e-7;  // of the size

// Contacts listed in scratch.order lie in one plane: those at the corners of their hull stay. Begins with two far points and
// puts in the furthest point beyond any side until there is none: with points on a line, or twice at one place, sorting by a
// coordinate would go wrong by rounding.
void keep_hull(double size, SurfaceScratch& scratch) {
  const std::vector<std::size_t>& order = scratch.order;
  const std::vector<SurfaceContact>& contacts = scratch.contacts;
  const std::size_t n = order.size();
  const double tiny = kSamePoint * size;
  const Vector3d normal = contacts[order[0]].normal;
  // The index that is furthest by the measure; of equals the first.
  const auto furthest = [&](const auto& measure) {
    std::size_t best = n;
    double most = tiny;
    for (std::size_t i = 0; i < n; ++i) {
      const double d = measure(contacts[order[i]].point);
      if (d <= most) continue;
      most = best == n ? d : d + tiny;
      best = i;
    }
    return best;
  };
  const auto point = [&](std::size_t i) -> const Vector3d& { return contacts[order[i]].point; };
  std::vector<std::size_t>& hull = scratch.hull;
  hull.clear();
  std::size_t first = furthest([&](const Vector3d& x) { return (x - point(0)).norm(); });
  if (first == n) first = 0;
  hull.push_back(first);
  const std::size_t second = furthest([&](const Vector3d& x) { return (x - point(first)).norm(); });
  if (second != n) hull.push_back(second);
  for (std::size_t k = 0; hull.size() > 1 && k < hull.size();) {
    const Vector3d& from = point(hull[k]);
    const Vector3d side = point(hull[k + 1 < hull.size() ? k + 1 : 0]) - from;
    const Vector3d along = side.normalized(), outward = along.cross(normal);
    double most = tiny, reach = 0.0;
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i) {
      const double d = outward.dot(point(i) - from), at = along.dot(point(i) - from);
      // Of those equally far out the last along the side: one in the middle of the next side is no corner.
      if (d <= most - tiny || d <= tiny || (best != n && d <= most + tiny && at <= reach + tiny)) continue;
      most = std::max(most, d);
      reach = at;
      best = i;
    }
    if (best == n || hull.size() > n)
      ++k;
    else
      hull.insert(hull.begin() + static_cast<std::ptrdiff_t>(k) + 1, best);
  }
  for (const std::size_t i : hull) scratch.reduced.push_back(contacts[order[i]]);
}

bool same(const SurfaceContact& a, const SurfaceContact& b, double size) {
  return (a.point - b.point).squaredNorm() <= kSamePoint * size * kSamePoint * size &&
         a.normal.dot(b.normal) > 1.0 - 1e-6;
}

}  // namespace

void reduce_contacts(double size, SurfaceScratch& scratch) {
  std::vector<SurfaceContact>& contacts = scratch.contacts;
  std::vector<SurfaceContact>& reduced = scratch.reduced;
  reduced.clear();
  // Groups of contacts in one plane, named by their first.
  const std::size_t n = contacts.size();
  scratch.group.assign(n, n);
  for (std::size_t first = 0; first < n; ++first) {
    if (scratch.group[first] != n) continue;
    const SurfaceContact& lead = contacts[first];
    const double level = lead.normal.dot(lead.point) - 0.5 * lead.gap;
    scratch.order.clear();
    for (std::size_t i = first; i < n; ++i) {
      if (scratch.group[i] != n || (contacts[i].normal - lead.normal).norm() > kSamePlane) continue;
      if (std::abs(lead.normal.dot(contacts[i].point) - 0.5 * contacts[i].gap - level) > kSamePlane * size) continue;
      scratch.group[i] = first;
      scratch.order.push_back(i);
    }
    keep_hull(size, scratch);
  }
  std::sort(reduced.begin(), reduced.end(),
            [](const SurfaceContact& a, const SurfaceContact& b) { return a.feature < b.feature; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < reduced.size(); ++i) {
    const auto begin = reduced.begin(), end = begin + static_cast<std::ptrdiff_t>(kept);
    if (std::any_of(begin, end, [&](const SurfaceContact& other) { return same(reduced[i], other, size); })) continue;
    reduced[kept++] = reduced[i];
  }
  reduced.resize(kept);
}

}  // namespace tribo
