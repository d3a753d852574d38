#include "tribo/geometry/shape.hpp"

namespace tribo {

const char* name_of(ShapeType type) {
  switch (type) {
    case ShapeType::kPlane:
      return "plane";
    case ShapeType::kHeightField:
      return "hfield";
    case ShapeType::kSphere:
      return "sphere";
    case ShapeType::kCapsule:
      return "capsule";
    case ShapeType::kEllipsoid:
      return "ellipsoid";
    case ShapeType::kCylinder:
      return "cylinder";
    case ShapeType::kBox:
      return "box";
    case ShapeType::kMesh:
      return "mesh";
  }
  return "unknown";
}

}  // namespace tribo
