// Collider: from poses of bodies to contact points, in an order and with numbers that depend on nothing but the poses.
//     broad phase   boxes along the axes, sorted along one of them
//     kept          contacts of a pair of which neither shape has moved by a bit; the axis that separated a pair in the last search:
//                   where it still does, the pair is done
//     narrow phase  closed forms for round shapes; separating axes and clipping of faces for polytopes; GJK/EPA for the rest. Hulls
//                   are asked for their distance by GJK first, and near ones alone for a manifold
// A kept axis only proves that a pair has no contacts, and kept contacts are those of the same poses: what is found does not depend
// on earlier searches.
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

// How a shape moves while contacts of a search matter.
struct ShapeMotion {
  Vector3d way = Vector3d::Zero();  // m, of its frame's origin
  double more = 0.0;                // m, of any of its points beyond that, in any direction
  bool operator==(const ShapeMotion&) const = default;
};

// A pair within range whose motions do not close the gap along its normal.
struct PassingPair {
  Index shape_a = 0, shape_b = 0;
  Vector3d normal = Vector3d::UnitZ();  // from b to a
  double gap = 0.0;                     // m, the distance of the shapes
};

// What a search did, in pairs of shapes.
struct CollisionCounts {
  Index pairs = 0;  // whose boxes meet and that may touch
  Index distances =
      0;  // of these, those whose distance was computed: they moved, and the kept axis does not separate them
  Index manifolds = 0;  // of these, near enough for contacts

  CollisionCounts& operator+=(const CollisionCounts& more) {
    pairs += more.pairs;
    distances += more.distances;
    manifolds += more.manifolds;
    return *this;
  }
};

struct SurfaceScratch;  // temporaries of height fields and meshes; private to the layer

// One object serves one thread. The model must outlive it.
class Collider {
 public:
  explicit Collider(const CollisionModel& model);
  // `bodies`: poses in the world. Contacts with gap <= margin, sorted by shapes, then by feature. `reach`, one for each shape or
  // none: how far beyond the margin it may go by itself; a pair is looked at up to the margin and what both reach. `margins`, one
  // for each shape or none: a pair has the smallest of its two and `margin`. `motions`, one for each shape or none: pairs with a
  // hull, a cylinder or an ellipsoid whose motions leave a gap above the margin come in passing() and have no contacts.
  void find(std::span<const Pose> bodies, double margin, std::vector<FoundContact>& contacts,
            std::span<const double> reach = {}, std::span<const double> margins = {},
            std::span<const ShapeMotion> motions = {});
  const std::vector<PassingPair>& passing() const { return passing_; }
  const CollisionCounts& counts() const { return counts_; }  // of the last search

 private:
  struct Box {
    Vector3d low, high;
  };
  struct Pair {
    Index a, b;                         // a < b
    Vector3d apart = Vector3d::Zero();  // unit, from b to a, world: separated them in the last search; zero: unknown
    double range = -1.0;                // m, of the last search; -1: none
    std::size_t first = 0, count = 0;   // their contacts in found_
  };
  void place(std::span<const Pose> bodies, std::span<const double> reach);
  void sort_along_axis();
  void find_pairs(std::span<const double> reach);
  void recall_pairs();
  bool rests(const Pair& pair, double range) const;
  bool passes(const Pair& pair, double range);
  bool is_apart(const Pair& pair, double range) const;
  void touch_pair(Pair& pair, double range);

  const CollisionModel& model_;
  std::vector<PlacedShape> placed_;
  std::vector<Box> boxes_;
  std::vector<Index> shapes_, planes_;  // those that may touch anything at all, by kind
  std::vector<Index> order_, active_;   // shapes_ along the axis of the last call
  Index axis_ = -1;
  std::vector<std::uint8_t> keeps_axis_;    // per shape: distances take long
  std::vector<std::uint8_t> moved_;         // per shape: since the last search
  std::vector<double> margins_, around_;    // m, per shape: margin; added to its box
  std::vector<std::array<Index, 2>> near_;  // pairs of this search, sorted
  std::vector<Pair> pairs_, last_pairs_;    // the same with what is kept of them
  std::vector<ShapeMotion> motions_;        // per shape; empty: not given
  std::vector<PassingPair> passing_;
  std::vector<FoundContact> found_, last_found_;
  CollisionCounts counts_;
  Manifold manifold_;
  std::shared_ptr<SurfaceScratch> scratch_;
};

}  // namespace tribo
