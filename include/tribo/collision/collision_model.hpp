// CollisionModel (constant): shapes on bodies and who may touch whom. Knows poses, not masses.
#pragma once

#include "tribo/collision/polytope.hpp"
#include "tribo/core/expected.hpp"
#include "tribo/geometry/mesh.hpp"
#include "tribo/geometry/pose.hpp"
#include "tribo/geometry/shape.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tribo {

struct TriangleSurface;  // of a height field or an exact mesh, ready to be searched; private to the layer

struct CollisionShape {
  std::string name;
  Shape shape;
  Index body = 0;
  Pose pose;                         // in the body's frame
  int contype = 1, conaffinity = 1;  // two shapes may touch when contype_a & conaffinity_b or contype_b & conaffinity_a
  bool exact_mesh = false;           // kMesh on a body that never moves: its triangles instead of its hull
};

struct CollisionInput {
  std::vector<CollisionShape> shapes;
  std::vector<Mesh> meshes;
  std::vector<HeightField> height_fields;
  // Per body: bodies of the same group are one rigid thing (welded together) and never touch; parents: the group it hangs on by
  // joints, -1: none. filter_parents: a group and its parent never touch, unless the parent is group 0, the world.
  std::vector<Index> group, parent_group;
  bool filter_parents = true;
  std::vector<std::uint8_t> fixed;             // per body or empty: no contact moves it; two of these never touch
  std::vector<std::array<Index, 2>> excludes;  // bodies that never touch
  std::vector<std::array<Index, 2>> pairs;     // shapes that may touch whatever the rules above say
};

class CollisionModel {
 public:
  static Expected<CollisionModel> make(CollisionInput input);

  const CollisionInput& input() const { return input_; }
  const std::vector<CollisionShape>& shapes() const { return input_.shapes; }
  // Decided once for all pairs, unless there are very many shapes.
  bool may_touch(Index shape_a, Index shape_b) const;
  // Hulls of boxes and meshes, per shape; null for round shapes, planes, height fields and exact meshes.
  const Polytope* polytope(Index shape) const;
  // Triangles of height fields and exact meshes; null for the others.
  const TriangleSurface* surface(Index shape) const;
  // Radius of a ball about the shape's frame that holds it; infinite for planes.
  double radius(Index shape) const { return radius_[static_cast<std::size_t>(shape)]; }
  // Corners of a box along the axes of the shape's frame that holds it; zero for planes.
  const std::array<Vector3d, 2>& bounds(Index shape) const { return bounds_[static_cast<std::size_t>(shape)]; }
  // On the world or welded to it.
  bool is_static(Index shape) const;

 private:
  CollisionModel() = default;
  Checked add_shape(std::size_t shape);
  bool is_convex(Index shape) const;
  bool decide(Index shape_a, Index shape_b) const;

  CollisionInput input_;
  std::vector<bool> may_touch_;  // row by row, symmetric; empty: too many shapes
  std::vector<Polytope> polytopes_;
  std::vector<std::shared_ptr<const TriangleSurface>> surfaces_;
  std::vector<Index> polytope_of_, surface_of_, mesh_polytope_, mesh_surface_, field_surface_;  // -1: none
  std::vector<double> radius_;
  std::vector<std::array<Vector3d, 2>> bounds_;
  std::vector<std::array<Index, 2>> excludes_, pairs_;  // sorted, the lower index first
};

}  // namespace tribo
