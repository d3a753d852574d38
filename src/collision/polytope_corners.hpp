// All places where two polytopes may touch within a step, seen along one direction.
#pragma once

#include "collision/polytope_axes.hpp"

namespace tribo {

// Sine of the angle by which two bodies turn against each other within a step, at most. A place that lies farther away than such
// a turn about the deepest point can reach is not listed: it is listed in time, in one of the next steps.
inline constexpr double kMostTurn = 0.15;

// n: unit, from b to a, in a's frame; `out` has it, or its opposite, as its normal and holds the deepest points. Adds the other
// corners of the gap along n with gap <= margin that such a turn reaches. Flat polytopes add nothing: their neighbours in the
// surface do.
void touch_corners(const PlacedShape& a, const PlacedShape& b, const Relative& b_in_a, const Vector3d& n, double margin,
                   Manifold& out);

}  // namespace tribo
