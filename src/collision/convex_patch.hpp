// Patch: the part of a core's surface that faces a direction, in its simplest form: a corner, a line, a polygon or a disc.
#pragma once

#include "collision/gjk.hpp"

namespace tribo {

struct Patch {
  enum class Kind : std::uint8_t { kPoint, kSegment, kPolygon, kDisc };
  Kind kind = Kind::kPoint;
  std::uint32_t name = 0;                                 // vertex, edge, face or cap
  Vector3d p = Vector3d::Zero();                          // the point; the segment's start; the disc's centre
  Vector3d q = Vector3d::Zero();                          // the segment's end
  Vector3d normal = Vector3d::UnitZ();                    // of polygon and disc, outward
  Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY();  // the disc's own axes
  double radius = 0.0;                                    // of the disc; of the cylinder that a segment is the side of
  const Core* core = nullptr;                             // of the polygon

  std::size_t corners() const { return core->polytope->face(name).size(); }
  Vector3d corner(std::size_t k) const;
  // The point of the patch's plane over x along n.
  Vector3d over(const Vector3d& point, const Vector3d& n) const {
    return point + normal.dot(p - point) / normal.dot(n) * n;
  }
};

// `tilt`: sine of the angle up to which a face, a cap or an edge that leans away still counts. Cylinder sides and capsules always
// give their line, unless they stand upright.
Patch find_patch(const Core& core, const Vector3d& outward, double tilt);

}  // namespace tribo
