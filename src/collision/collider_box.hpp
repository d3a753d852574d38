// A box along the axes of the world about a placed shape.
#pragma once

#include "tribo/collision/collider.hpp"

#include <array>

namespace tribo {

// `bounds`: the box along the axes of the shape's own frame that holds it. Exact for round shapes and boxes.
void enclose(const PlacedShape& placed, const std::array<Vector3d, 2>& bounds, double margin, Vector3d& low,
             Vector3d& high);

}  // namespace tribo
