// Collider: from poses of bodies to contact points, in an order and with numbers that depend on nothing but the poses.
//     broad phase   boxes along the axes, sorted along one of them
//     narrow phase  closed forms for round shapes; separating axes and clipping of faces for polytopes; GJK/EPA for the rest
// Allocates only until the most contacts have been seen.
#pragma once

#include "tribo/collision/collision_model.hpp"
#include "tribo/collision/manifold.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tribo {

struct FoundContact {
  Index shape_a = 0, shape_b = 0;  // shape_a < shape_b
  Vector3d point = Vector3d::Zero();
  Vector3d normal = Vector3d::UnitZ();  // from b to a
  double gap = 0.0;                     // m
  std::uint64_t feature = 0;            // with the shapes: the same contact from step to step
};

// Convex against convex, in the world; points with gap <= margin. Shapes must not be planes, height fields or exact meshes.
struct PlacedShape {
  const Shape* shape = nullptr;
  const Polytope* polytope = nullptr;  // boxes and meshes
  Pose pose;
  Matrix3d R = Matrix3d::Identity();  // of pose.q
};
void collide(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out);
// The half space below the plane b (its frame's z = 0).
void collide_plane(const PlacedShape& a, const Pose& plane, double margin, Manifold& out);

struct SurfaceScratch;  // temporaries of height fields and meshes; private to the layer

// One object serves one thread. The model must outlive it.
class Collider {
 public:
  explicit Collider(const CollisionModel& model);
  // `bodies`: poses in the world. Contacts with gap <= margin, sorted by shapes, then by feature. `reach`, one for each shape or
  // none: how far beyond the margin it may go by itself; a pair is looked at up to the margin and what both reach.
  void find(std::span<const Pose> bodies, double margin, std::vector<FoundContact>& contacts,
            std::span<const double> reach = {});

 private:
  struct Box {
    Vector3d low, high;
  };
  void place(std::span<const Pose> bodies, double margin, std::span<const double> reach);
  void sort_along_axis();
  void find_pairs(double margin, std::span<const double> reach);
  void touch_pair(Index a, Index b, double margin, std::vector<FoundContact>& contacts);

  const CollisionModel& model_;
  std::vector<PlacedShape> placed_;
  std::vector<Box> boxes_;
  std::vector<Index> shapes_, planes_;  // those that may touch anything at all, by kind
  std::vector<Index> order_, active_;   // shapes_ along the axis of the last call
  Index axis_ = -1;
  std::vector<std::array<Index, 2>> pairs_;
  Manifold manifold_;
  std::shared_ptr<SurfaceScratch> scratch_;
};

}  // namespace tribo
