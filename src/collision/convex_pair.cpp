// Two convex shapes of any kind, in a's frame: GJK, or EPA where the cores overlap; the normal to its last digits; then the patches
// of both that face each other and all corners of their common region. Where they have none, the nearest points alone.
#include "collision/convex_pair.hpp"

#include <algorithm>
#include <cmath>

#include "collision/convex_normal.hpp"
#include "collision/convex_overlap.hpp"
#include "collision/epa.hpp"

namespace tribo {
namespace {

constexpr double kDistanceRounding = 1e-12;  // of the size: of a distance by GJK
constexpr double kTouching =
    1e-9;  // of the size: nearer than this the direction of v is lost to rounding, and EPA is asked
constexpr double kLost = 0.02;  // of the overlap: EPA and the refined normal may differ by this
constexpr double kMissed =
    1e-9;  // of the size: patches whose nearest points are farther apart than the shapes have missed it
constexpr double kTilt = 0.15;  // sine: faces, caps and edges that lean less still count

struct Found {
  Vector3d point;
  double gap;
  std::uint32_t name;
};

// More than a manifold holds: the deepest, and the outermost in fifteen directions.
void keep_most(std::array<Found, PatchContacts::kMost>& found, int& count, const Vector3d& n) {
  if (count <= kMostPoints) return;
  std::array<bool, PatchContacts::kMost> keep{};
  int deepest = 0;
  for (int k = 1; k < count; ++k)
    if (found[static_cast<std::size_t>(k)].gap < found[static_cast<std::size_t>(deepest)].gap) deepest = k;
  keep[static_cast<std::size_t>(deepest)] = true;
  const Vector3d u = n.unitOrthogonal(), v = n.cross(u);
  for (int d = 0; d + 1 < kMostPoints; ++d) {
    const double angle = 2.0 * M_PI * d / (kMostPoints - 1);
    const Vector3d along = std::cos(angle) * u + std::sin(angle) * v;
    int outermost = deepest;
    for (int k = 0; k < count; ++k)
      if (along.dot(found[static_cast<std::size_t>(k)].point) >
          along.dot(found[static_cast<std::size_t>(outermost)].point))
        outermost = k;
    keep[static_cast<std::size_t>(outermost)] = true;
  }
  int kept = 0;
  for (int k = 0; k < count; ++k)
    if (keep[static_cast<std::size_t>(k)]) found[static_cast<std::size_t>(kept++)] = found[static_cast<std::size_t>(k)];
  count = kept;
}

void touch(const PlacedShape& a, const CorePair& cores, Distance& found, double margin, double tilt, Manifold& out) {
  out.clear();
  const Core &core_a = cores.a, &core_b = cores.b;
  const double radius = cores.radius, size = cores.size;
  out.normal = a.R * found.normal;
  if (!found.overlap && found.distance - radius > margin) return;
  if (found.overlap || found.distance <= kTouching * size) epa(core_a, core_b, found);
  Vector3d n = found.normal;
  double s = refine_normal(core_a, core_b, n);
  // EPA's face bounds the truth from above: far from it, its hull was lost to slivers.
  if (s < found.distance + kLost * std::min(0.0, s) - 1e-6 * size) {
    Vector3d other = n;
    const double searched = search_normal(core_a, core_b, other);
    if (searched > s) {
      s = searched;
      n = other;
    }
  }
  out.normal = a.R * n;
  if (s - radius > margin) return;

  const Patch patch_a = find_patch(core_a, -n, tilt), patch_b = find_patch(core_b, n, tilt);
  PatchContacts contacts;
  overlap(patch_a, patch_b, n, contacts);
  std::array<Found, PatchContacts::kMost> points;
  int count = 0;
  double least = 1e300;
  for (int k = 0; k < contacts.count; ++k) {
    const PatchContact& c = contacts.points[static_cast<std::size_t>(k)];
    const double gap = n.dot(c.on_a - c.on_b) - radius + c.extra;
    if (!(gap <= margin)) continue;
    least = std::min(least, gap);
    points[static_cast<std::size_t>(count++)] = {0.5 * (c.on_a + c.on_b + (core_b.radius - core_a.radius) * n), gap,
                                                 c.name};
  }
  keep_most(points, count, n);
  const auto kinds = static_cast<std::uint32_t>(patch_a.kind) * 4 + static_cast<std::uint32_t>(patch_b.kind);
  const std::uint32_t pair = patch_a.name * 64 + patch_b.name % 64;
  if (count == 0 || least > s - radius + kMissed * size) {
    // A corner is exact; otherwise the nearest points as GJK or EPA left them.
    Vector3d on_a = found.on_a;
    if (patch_a.kind == Patch::Kind::kPoint) {
      on_a = patch_a.p;
    } else if (patch_b.kind == Patch::Kind::kPoint) {
      on_a = patch_b.p + s * n;
    }
    const double gap = s - radius;
    if (count == kMostPoints) --count;
    points[static_cast<std::size_t>(count++)] = {on_a - (core_a.radius + 0.5 * gap) * n, gap, 511};
  }
  for (int k = 0; k < count; ++k) {
    const Found& f = points[static_cast<std::size_t>(k)];
    out.add(a.pose.p + a.R * f.point, f.gap, feature_of(3, pair, f.name, 1024 + kinds));
  }
}

}  // namespace

CorePair::CorePair(const PlacedShape& shape_a, const PlacedShape& shape_b, const Relative& b_in_a)
    : a(make_core(shape_a, Matrix3d::Identity(), Vector3d::Zero())),
      b(make_core(shape_b, b_in_a.R, b_in_a.t)),
      radius(a.radius + b.radius),
      size(a.extent() + b.extent()) {}

Distance CorePair::measure(double margin) const { return gjk(a, b, std::max(0.0, 2.0 * margin + radius)); }

bool CorePair::proves_apart(const Distance& found, double margin) const {
  return !found.overlap && found.distance - radius > margin + kDistanceRounding * size;
}

bool are_apart(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out) {
  const CorePair cores(a, b);
  const Distance found = cores.measure(margin);
  out.normal = a.R * found.normal;
  return cores.proves_apart(found, margin);
}

void touch_nearest_features(const PlacedShape& a, const CorePair& cores, Distance found, double margin, Manifold& out) {
  touch(a, cores, found, margin, 1e-7, out);
}

void collide_convex(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out) {
  const CorePair cores(a, b);
  Distance found = cores.measure(margin);
  touch(a, cores, found, margin, kTilt, out);
}

}  // namespace tribo
