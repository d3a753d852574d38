// The way of a string from one point to another round a sphere or an endless cylinder, in the frame of that body (cylinder: along z).
// Both are wrapped in a plane: that through the points and the centre of the sphere, or across the cylinder. In this plane, with the
// circle of radius r around the origin, points d₀ and d₁ outside it and the direction s of a side site:
//     no side       wraps where the straight line cuts the circle, the way with the shorter chord
//     side outside  wraps on the side of s: where the line cuts the circle or passes it on the other side               (1)
//     side inside   the string runs through the circle: where the line misses it, it touches the circle from inside, in the point that
//                   makes the way shortest                                                                              (2)
// Along the cylinder the string climbs in proportion to its way across: then it is a geodesic.
// Source    the definitions of MuJoCo's documentation, "tendon/spatial/geom"; the solution of (2) is ours.
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo {

struct Wrap {
  bool touches = false;                                        // false: the straight line
  Vector3d first = Vector3d::Zero(), last = Vector3d::Zero();  // where the string meets the body and leaves it
  double arc = 0.0;                                            // m, on the body in between
};

// `side`: the side site, nullptr: none.
Wrap wrap_sphere(const Vector3d& a, const Vector3d& b, double radius, const Vector3d* side);
Wrap wrap_cylinder(const Vector3d& a, const Vector3d& b, double radius, const Vector3d* side);

}  // namespace tribo
