// Mass, centre of mass and inertia: of shapes by density, of meshes, of sums; seen from other frames.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/geometry/mesh.hpp"
#include "tribo/geometry/pose.hpp"
#include "tribo/geometry/shape.hpp"

namespace tribo {

struct MassProperties {
  double mass = 0.0;                    // kg
  Vector3d com = Vector3d::Zero();      // m
  Matrix3d inertia = Matrix3d::Zero();  // kg m², about com, in the axes of the frame

  // The same matter seen from frame A, where `pose` is this frame in A.
  MassProperties seen_from(const Pose& pose) const;
  MassProperties operator+(const MassProperties& other) const;
  MassProperties scaled(double factor) const { return {mass * factor, com, inertia * factor}; }
};

// A frame at com whose axes are principal: pose in the frame of `properties`, moments with the largest first.
struct PrincipalInertia {
  Pose frame;
  Vector3d moments = Vector3d::Zero();
};
PrincipalInertia calc_principal(const MassProperties& properties);

// How the volume of a mesh is counted.
enum class MeshInertia {
  kLegacy,  // |V| of tetrahedra on the area-weighted centre of the faces (MuJoCo's default; overcounts folds)
  kExact,   // signed volumes: right for closed meshes that turn outward
  kConvex,  // of the convex hull
  kShell,   // area in place of volume
};

// Density 1 (kg/m³; shells kg/m²). Planes and height fields: zero. Fails, with the reason, where a volume is zero or negative.
Expected<MassProperties> calc_mass_properties(const Mesh& mesh, MeshInertia how);
// Of any shape but a mesh. `shell`: all of the mass on the surface, density per area.
MassProperties calc_mass_properties(const Shape& shape, bool shell = false);

}  // namespace tribo
