// Separating axes of two convex polytopes: the largest separation over the face normals of both and over the cross products of
// edges. Positive: that far apart along the axis at least; negative: this is the least overlap.
#pragma once

#include "collision/gjk.hpp"

namespace tribo {

struct FaceAxis {
  double separation = -1e300;
  int face = -1;
};
struct EdgeAxis {
  double separation = -1e300;
  int edge_a = -1, edge_b = -1;
  Vector3d normal = Vector3d::UnitZ();  // unit, from b to a, in a's frame
};
struct Axes {
  FaceAxis face_a, face_b;
  EdgeAxis edge;
};

// False as soon as an axis separates them by more than `margin`. `distance`: what GJK found, both in a's frame. Pairs of edges with
// less separation than the best face are left out.
bool find_axes(const Polytope& a, const Polytope& b, const Relative& b_in_a, const Distance& distance, double margin,
               Axes& axes);
// The fifteen axes of two boxes, whose polytopes must come from make_box.
bool find_box_axes(const Vector3d& half_a, const Vector3d& half_b, const Relative& b_in_a, double margin, Axes& axes);

}  // namespace tribo
