// Clipping of an incident face against the side planes of a reference face.
#pragma once

#include "collision/polytope_axes.hpp"

namespace tribo {

// The points of `incident`'s face i over face r of `reference` with gap <= margin, halfway between the faces, turned to the world
// by the pose of the reference. Points are named by `kind` (0 or 1: which body has the reference face), r and what crossed there.
// Corners that stand out by 1e-7 of the size stay what they are: those on top of one another are the same corners while bodies at
// rest move by rounding.
void clip_face(const Polytope& reference, int r, const Polytope& incident, int i, const Relative& incident_in_reference,
               const PlacedShape& placed, std::uint32_t kind, double margin, Manifold& out);

}  // namespace tribo
