// The pieces of collide_convex that polytopes use as well.
#pragma once

#include "collision/polytope_axes.hpp"

namespace tribo {

// Replaces `out` by the nearest features of two convex shapes: normal by GJK or EPA, points where the features lie over each other.
void touch_nearest_features(const PlacedShape& a, const PlacedShape& b, const Relative& b_in_a, double margin,
                            Manifold& out);

}  // namespace tribo
