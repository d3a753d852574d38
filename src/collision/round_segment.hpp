// Nearest points of segments, and of a point and a convex polytope. The segments are given by centre and half vector, so that
// nothing depends on which end is called the first.
#pragma once

#include "tribo/collision/collider.hpp"
#include "tribo/collision/polytope.hpp"

namespace tribo {

struct Segment {
  Vector3d centre = Vector3d::Zero();
  Vector3d half = Vector3d::Zero();
  Vector3d at(double t) const { return centre + t * half; }  // t in [-1, 1]
};

// The axis of a capsule, in the world.
Segment axis_of(const PlacedShape& capsule);

// Parameter in [-1, 1] of the point of the segment that is nearest to x.
double nearest_parameter(const Segment& segment, const Vector3d& x);

struct SegmentNearest {
  double s = 0.0, t = 0.0;  // on the first and the second
  double distance = 0.0;
};
// Parallel segments have many answers; one of those with an end is given.
SegmentNearest nearest(const Segment& a, const Segment& b);

struct PolytopeNearest {
  Vector3d point = Vector3d::Zero();    // on the surface
  Vector3d normal = Vector3d::UnitZ();  // outward, from `point` to x or, with x inside, of the nearest face
  double distance = 0.0;                // negative inside
};
// x in the polytope's frame. Gives up and returns false when x is further than `limit`.
bool nearest_on_polytope(const Polytope& polytope, const Vector3d& x, double limit, PolytopeNearest& out);

// Some unit vector orthogonal to u, by a fixed rule.
Vector3d any_orthogonal(const Vector3d& u);

}  // namespace tribo
