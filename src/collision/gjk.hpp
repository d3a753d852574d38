// GJK: the distance of two convex cores by support points alone, in fixed memory.
//     v_k = nearest point of the simplex W_k ⊂ A − B to the origin,   w = support of A − B along −v_k                       (1)
//     stop when  |v|² − v·w <= 1e-12 |v|²,  the duality gap: the distance lies between v·w/|v| and |v|                        (2)
// A core plus a radius makes spheres and capsules: the cores are a point and a segment.
// Source  [Gilbert, Johnson, Keerthi 1988]; nearest points of simplices by their Voronoi regions.
#pragma once

#include <array>

#include "collision/narrow.hpp"

namespace tribo {

// b seen from a: x_a = t + R x_b.
struct Relative {
  Matrix3d R;
  Vector3d t;
  Relative inverse() const { return {R.transpose(), -(R.transpose() * t)}; }
};

// A convex core in the common frame: x = t + R x_core.
struct Core {
  ShapeType type = ShapeType::kSphere;
  Vector3d size = Vector3d::Zero();
  const Polytope* polytope = nullptr;
  Matrix3d R = Matrix3d::Identity();
  Vector3d t = Vector3d::Zero();
  double radius = 0.0;  // around the core

  // The point of the core farthest along n (any length); `vertex` is its number for polytopes.
  Vector3d support(const Vector3d& n, int* vertex = nullptr) const;
  // d support / d n at a unit n where the surface is smooth there; zero at corners, edges and flat parts.
  Matrix3d support_slope(const Vector3d& n) const;
  double extent() const;  // a length: the core's size
};

Core make_core(const PlacedShape& shape, const Matrix3d& R, const Vector3d& t);

struct SimplexPoint {
  Vector3d w, on_a, on_b;
  int id_a = -1, id_b = -1;
};

inline SimplexPoint support_of_difference(const Core& a, const Core& b, const Vector3d& n) {
  SimplexPoint s;
  s.on_a = a.support(n, &s.id_a);
  s.on_b = b.support(-n, &s.id_b);
  s.w = s.on_a - s.on_b;
  return s;
}

struct Distance {
  bool overlap = false;  // the cores share a point: the simplex holds the origin (or touches it)
  double distance = 0.0;
  Vector3d normal = Vector3d::UnitZ();  // unit, from b to a; undefined for overlap
  Vector3d on_a = Vector3d::Zero(), on_b = Vector3d::Zero();
  std::array<SimplexPoint, 4> simplex;
  int size = 0;
  int iterations = 0;
};

// `limit`: ends early, with that lower bound as the distance, once the cores are proved farther apart.
Distance gjk(const Core& a, const Core& b, double limit);

}  // namespace tribo
