// Contacts of a convex shape with a surface of triangles, without ghosts: a normal at an inner edge or vertex is kept only if it
// points out of the surface there; points that neighbours find twice become one.
#pragma once

#include <array>
#include <vector>

#include "collision/narrow.hpp"
#include "collision/triangle_surface.hpp"

namespace tribo {

struct SurfaceContact {
  Vector3d point = Vector3d::Zero();
  Vector3d normal = Vector3d::UnitZ();  // out of the surface, to the shape
  double gap = 0.0;
  std::uint64_t feature = 0;  // triangle · 2³² + feature of the manifold
};

struct SurfaceCorner {
  Vector3d x = Vector3d::Zero();
  std::uint32_t name = 0;
};

// Everything temporary; grows until the most has been seen.
struct SurfaceScratch {
  SurfaceScratch() {
    for (auto* corners : {&support, &polygon, &clipped}) corners->reserve(64);  // polygon and clipped change places
  }
  std::vector<std::int32_t> triangles;
  std::vector<SurfaceCorner> support, polygon, clipped;
  std::vector<SurfaceContact> contacts, reduced;
  std::vector<std::size_t> order, hull, group;
  Polytope triangle;
  Manifold manifold;
};

// The contacts come in scratch.reduced, in the world, sorted by feature. `bounds` as in collider_box.hpp.
void collide_surface(const PlacedShape& shape, const std::array<Vector3d, 2>& bounds, const TriangleSurface& surface,
                     const Pose& pose, double margin, SurfaceScratch& scratch);

// Steps of it, in the frame of the surface.
// The corners of the shape that are furthest along `direction`: a face, the ends of an edge or one point, in order around.
void find_support(const PlacedShape& shape, const Vector3d& direction, std::vector<SurfaceCorner>& support);
// scratch.contacts → scratch.reduced: of contacts in one plane only the corners of their hull; none twice.
void reduce_contacts(double size, SurfaceScratch& scratch);

}  // namespace tribo
