// What gives way where two geoms touch: the law of problem/contact_law.hpp by shape and material.
//     a round one (sphere, ellipsoid, capsule, cylinder)   Hertz, with the radii of both
//     two flat ones (box, mesh, plane, height field)       a punch of the smaller one's width; a face rests on four points, and each
//                                                          is a quarter of it
// A cylinder counts as round also where it stands on its face, an ellipsoid as the sphere of its volume, and plates do not bend.
// All this only orders the stiffness: what a real joint of two rough faces has may be a tenth of it.
#pragma once

#include "tribo/collision/collision_model.hpp"
#include "tribo/core/expected.hpp"
#include "tribo/multibody/model.hpp"
#include "tribo/problem/contact_law.hpp"

#include <string>
#include <vector>

namespace tribo {

class ContactStiffness {
 public:
  // `material`: of geoms whose own material has no name that is known. Fails where there is none of that name.
  static Expected<ContactStiffness> make(const Model& model, const CollisionModel& collision,
                                         const std::string& material);
  LawRow at(Index geom_a, Index geom_b, double gap) const;

 private:
  struct Side {
    Material material;
    double radius = 0.0;  // m; 0: flat
    double size = 0.0;    // m, > 0; infinite: a plane
    double weight = 0.0;  // N, > 0, of its tree; infinite: it does not move
  };
  std::vector<Side> sides_;  // per geom
};

}  // namespace tribo
