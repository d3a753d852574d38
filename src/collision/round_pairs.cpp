// Spheres and capsules among themselves: nearest points of centres and axes, in closed form.
#include <algorithm>
#include <cmath>

#include "collision/narrow.hpp"
#include "collision/round_segment.hpp"

namespace tribo {
namespace {

// One contact between balls about x (of a) and y (of b). `other` is the normal where the centres coincide.
void touch_balls(const Vector3d& x, double radius_a, const Vector3d& y, double radius_b, const Vector3d& other,
                 double margin, Manifold& out) {
  out.clear();
  const Vector3d r = x - y;
  const double distance = r.norm();
  const double gap = distance - radius_a - radius_b;
  if (!(gap <= margin)) return;
  out.normal = distance > 1e-12 * (radius_a + radius_b) ? Vector3d(r / distance) : other;
  out.add(x - (radius_a + 0.5 * gap) * out.normal, gap, 0);
}

}  // namespace

void collide_spheres(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out) {
  touch_balls(a.pose.p, a.shape->size(0), b.pose.p, b.shape->size(0), Vector3d::UnitZ(), margin, out);
}

void collide_sphere_capsule(const PlacedShape& sphere, const PlacedShape& capsule, double margin, Manifold& out) {
  const Segment axis = axis_of(capsule);
  const Vector3d nearest_centre = axis.at(nearest_parameter(axis, sphere.pose.p));
  touch_balls(sphere.pose.p, sphere.shape->size(0), nearest_centre, capsule.shape->size(0), capsule.R.col(0), margin,
              out);
}

void collide_capsules(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out) {
  const Segment axis_a = axis_of(a), axis_b = axis_of(b);
  const double radius_a = a.shape->size(0), radius_b = b.shape->size(0), radius = radius_a + radius_b;
  const SegmentNearest found = nearest(axis_a, axis_b);
  const Vector3d x = axis_a.at(found.s), y = axis_b.at(found.t);
  const Vector3d dir_a = a.R.col(2), dir_b = b.R.col(2);
  const Vector3d cross = dir_a.cross(dir_b);

  Vector3d across = any_orthogonal(dir_a);  // the normal where the axes meet
  if (cross.norm() > 1e-6) {
    across = cross.normalized();
    if (across.dot(axis_a.centre - axis_b.centre) < 0.0) across = -across;
  }
  touch_balls(x, radius_a, y, radius_b, across, margin, out);
  if (out.count == 0) return;

  // Side by side: the ends of the stretch where they run along one another carry as well. The nearest point stays only if it
  // is nearer than both ends, so that nothing jumps when the axes turn through parallel.
  constexpr double kSideBySide = 0.1;  // sine of the angle between the axes
  if (cross.norm() > kSideBySide || std::abs(out.normal.dot(dir_a)) > kSideBySide) return;
  // Measured along the direction between the two axes, so that neither comes first.
  const Vector3d along = (dir_a.dot(dir_b) < 0.0 ? Vector3d(dir_a - dir_b) : Vector3d(dir_a + dir_b)).normalized();
  const double slope_a = along.dot(dir_a), slope_b = along.dot(dir_b);
  const double half_a = a.shape->size(1), half_b = b.shape->size(1);
  const double apart = along.dot(axis_b.centre - axis_a.centre);
  const double low = std::max(-half_a * std::abs(slope_a), apart - half_b * std::abs(slope_b));
  const double high = std::min(half_a * std::abs(slope_a), apart + half_b * std::abs(slope_b));
  if (!(high - low > 1e-9 * std::min(half_a, half_b))) return;
  const Vector3d normal = out.normal;
  const ManifoldPoint least = out.points[0];
  double end_gap[2];
  Vector3d end_point[2];
  for (int k = 0; k < 2; ++k) {
    const double at = k == 0 ? low : high;
    const Vector3d on_a = axis_a.centre + (at / slope_a) * dir_a,
                   on_b = axis_b.centre + ((at - apart) / slope_b) * dir_b;
    end_gap[k] = normal.dot(on_a - on_b) - radius;
    const Vector3d outer_a = on_a - radius_a * normal, outer_b = on_b + radius_b * normal;
    end_point[k] = 0.5 * (outer_a + outer_b);
  }
  out.clear();
  for (int k = 0; k < 2; ++k) {
    if (end_gap[k] <= margin) out.add(end_point[k], end_gap[k], static_cast<std::uint32_t>(k + 1));
  }
  if (least.gap < std::min(end_gap[0], end_gap[1]) - 1e-9 * radius) out.add(least.point, least.gap, least.feature);
}

}  // namespace tribo
