// What gives way where two geoms touch: the law of problem/contact_law.hpp by shape and material.
//     a round one (sphere, ellipsoid, capsule, cylinder)   Hertz, with the radii of both; a cylinder on a flat one: as flat
//     two flat ones (box, mesh, plane, height field)       a punch of the smaller one's width; each of the points that a face rests
//                                                          on, four or more, is its part of it
// A cylinder on a flat one, or face on face with another, is a punch of its radius a, F = 2 E* a d, which is exact where it stands.
// Lying on a line of length l it has half of that at two points, within a factor of two of (π/4) E* l for l = 0.7 a … 2.5 a.
// An ellipsoid counts as the sphere of its volume, and plates do not bend.
// All this only orders the stiffness: what a real joint of two rough faces has may be a tenth of it. Who knows better says so:
// SurfaceLaw::stiffness is that of a linear spring at each contact point, SurfaceLaw::damping that of its damper.
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
  // At one of `points` points where the two touch. `own`: of combine_surfaces.
  LawRow at(Index geom_a, Index geom_b, Index points, double gap, const SurfaceLaw& own) const;
  // Along the tangents, over that along the normal: [Mindlin 1949], of a circle that sticks. 2 (1 − ν)/(2 − ν) for one material.
  double tangential_ratio(Index geom_a, Index geom_b) const;

 private:
  // What gives way, and the depth (m) from which on its tangent is taken.
  struct Law {
    ForceLaw force;
    double floor = 0.0;
  };
  Law find_law(Index geom_a, Index geom_b, Index points) const;

  struct Side {
    Material material;
    double radius = 0.0;     // m; 0: flat
    bool has_faces = false;  // a cylinder: flat towards what is flat
    double size = 0.0;       // m, > 0; infinite: a plane
    double weight = 0.0;     // N, > 0, of its tree; infinite: it does not move
  };
  std::vector<Side> sides_;  // per geom
};

}  // namespace tribo
