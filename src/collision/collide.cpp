// Convex against convex: which function knows the pair.
#include "collision/narrow.hpp"

namespace tribo {
namespace {

using PairFunction = void (*)(const PlacedShape&, const PlacedShape&, double, Manifold&);

enum Family { kBall, kPill, kHull, kOther };

Family family_of(const PlacedShape& shape) {
  if (shape.polytope != nullptr) return kHull;
  if (shape.shape->type == ShapeType::kSphere) return kBall;
  if (shape.shape->type == ShapeType::kCapsule) return kPill;
  return kOther;
}

}  // namespace

void collide(const PlacedShape& a, const PlacedShape& b, double margin, Manifold& out) {
  static constexpr PairFunction kTable[4][4] = {
      {collide_spheres, collide_sphere_capsule, collide_sphere_polytope, collide_convex},
      {nullptr, collide_capsules, collide_capsule_polytope, collide_convex},
      {nullptr, nullptr, collide_polytopes, collide_convex},
      {nullptr, nullptr, nullptr, collide_convex},
  };
  const Family first = family_of(a), second = family_of(b);
  if (first <= second) {
    kTable[first][second](a, b, margin, out);
  } else {
    kTable[second][first](b, a, margin, out);
    out.normal = -out.normal;
  }
}

}  // namespace tribo
