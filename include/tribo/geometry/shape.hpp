// Shape: what a body looks like to others, in its own frame. Lengths in m; sizes are halves, as in MJCF.
#pragma once

#include "tribo/linalg/types.hpp"

#include <cstdint>

namespace tribo {

enum class ShapeType : std::uint8_t {
  kPlane,        // the half space z <= 0; size: half lengths for drawing, 0 = infinite
  kHeightField,  // index: which
  kSphere,       // radius
  kCapsule,      // radius, half length of the segment along z
  kEllipsoid,    // three half axes
  kCylinder,     // radius, half height along z
  kBox,          // three half lengths
  kMesh,         // index: which; the file's coordinates
};

struct Shape {
  ShapeType type = ShapeType::kSphere;
  Vector3d size = Vector3d::Zero();
  Index index = -1;  // into the meshes or height fields of the model
};

const char* name_of(ShapeType type);

}  // namespace tribo
