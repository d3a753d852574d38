// The pieces of collide_convex that polytopes use as well.
#pragma once

#include "collision/gjk.hpp"

namespace tribo {

// Two convex shapes in a's frame.
struct CorePair {
  CorePair(const PlacedShape& shape_a, const PlacedShape& shape_b, const Relative& b_in_a);
  CorePair(const PlacedShape& shape_a, const PlacedShape& shape_b)
      : CorePair(shape_a, shape_b,
                 {shape_a.R.transpose() * shape_b.R, shape_a.R.transpose() * (shape_b.pose.p - shape_a.pose.p)}) {}
  // How far apart they are: exact up to twice the margin, else a bound with the axis that proves it. Twice, because an axis that
  // proves barely enough would prove it in this step alone.
  Distance measure(double margin) const;
  // Farther apart than the margin, and not by rounding alone.
  bool proves_apart(const Distance& found, double margin) const;

  Core a, b;
  double radius, size;  // m, of both: around the cores; a length that rounding is measured by
};

// Replaces `out` by the nearest features of two convex shapes: normal by GJK (`found`) or EPA, points where the features lie over
// each other.
void touch_nearest_features(const PlacedShape& a, const CorePair& cores, Distance found, double margin, Manifold& out);

// True: they are farther apart than `margin`, to rounding. out.normal separates them, where they do not overlap. For closed forms
// that look at all faces.
bool are_apart(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out);

}  // namespace tribo
