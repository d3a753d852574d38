// Primitives fitted to a mesh: <geom type="capsule" mesh="arm"/>.
#pragma once

#include "io/mjcf/context.hpp"

namespace tribo {

// Sets size and pose of the geom: the box of equal inertia, or with fitaabb the box around the mesh in its principal axes,
// turned into the shape asked for, times fitscale.
void fit_to_mesh(MjcfContext& context, const XmlFields& fields, Index asset, Geom& geom);

}  // namespace tribo
