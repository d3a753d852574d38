// The pair functions behind collide(): one per pair of kinds. Every one clears `out` first, keeps all points with gap <= margin,
// and gives the normal from b to a; without points, an axis that separates them, as far as one is known. Where the kinds differ, the
// first argument is the kind named first; collide() turns the rest.
#pragma once

#include "tribo/collision/collider.hpp"

namespace tribo {

// Boxes and hulls (also flat ones: two faces back to back): separating axes, then clipping.
void collide_polytopes(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out);
// Any pair with a cylinder or an ellipsoid: GJK/EPA for the normal, then the features there. Takes every convex kind.
void collide_convex(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out);

void collide_spheres(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out);
void collide_sphere_capsule(const PlacedShape& sphere, const PlacedShape& capsule, double margin, Manifold& out);
void collide_capsules(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out);
void collide_sphere_polytope(const PlacedShape& sphere, const PlacedShape& polytope, double margin, Manifold& out);
void collide_capsule_polytope(const PlacedShape& capsule, const PlacedShape& polytope, double margin, Manifold& out);

// A triangle as a flat polytope: face 0 is turned counter-clockwise (a, b, c), face 1 is its back. Allocates on first use of `out`.
void set_triangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, Polytope& out);

// Names a contact by up to four small numbers; exact while kind < 4, x < 1024, y < 512, z < 2048, otherwise mixed.
std::uint32_t feature_of(std::uint32_t kind, std::uint32_t x, std::uint32_t y, std::uint32_t z);

}  // namespace tribo
