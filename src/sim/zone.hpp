// Zones of touch sensors: does a ray meet a convex shape?
#pragma once

#include "tribo/geometry/shape.hpp"

namespace tribo {

// In the frame of the shape (sphere, capsule, ellipsoid, cylinder or box): whether from + t · direction, t ≥ 0, meets it. A ray that
// begins inside does.
bool meets_zone(const Shape& zone, const Vector3d& from, const Vector3d& direction);

}  // namespace tribo
