// Products of spatial vectors (angular, linear) about one point, and velocities seen from another point.
#pragma once

#include "tribo/multibody/data.hpp"

namespace tribo {

// How a motion fixed in something that moves with V changes: V × S.
inline SpatialVector cross_motion(const SpatialVector& V, const SpatialVector& S) {
  SpatialVector out;
  out.head<3>() = V.head<3>().cross(S.head<3>());
  out.tail<3>() = V.head<3>().cross(S.tail<3>()) + V.tail<3>().cross(S.head<3>());
  return out;
}

// How a force fixed in something that moves with V changes: V ×* F.
inline SpatialVector cross_force(const SpatialVector& V, const SpatialVector& F) {
  SpatialVector out;
  out.head<3>() = V.head<3>().cross(F.head<3>()) + V.tail<3>().cross(F.tail<3>());
  out.tail<3>() = V.head<3>().cross(F.tail<3>());
  return out;
}

// The same motion about the point `to` instead of `from`.
inline SpatialVector move_motion(const SpatialVector& V, const Vector3d& from, const Vector3d& to) {
  SpatialVector out = V;
  out.tail<3>() += V.head<3>().cross(to - from);
  return out;
}

inline SpatialInertia& add(SpatialInertia& sum, const SpatialInertia& other) {
  sum.mass += other.mass;
  sum.moment += other.moment;
  sum.xx += other.xx;
  sum.xy += other.xy;
  sum.xz += other.xz;
  sum.yy += other.yy;
  sum.yz += other.yz;
  sum.zz += other.zz;
  return sum;
}

// Momentum of a motion.
inline SpatialVector multiply(const SpatialInertia& I, const SpatialVector& V) {
  const Vector3d w = V.head<3>(), v = V.tail<3>();
  SpatialVector out;
  out.head<3>() = I.moment.cross(v);
  out(0) += I.xx * w(0) + I.xy * w(1) + I.xz * w(2);
  out(1) += I.xy * w(0) + I.yy * w(1) + I.yz * w(2);
  out(2) += I.xz * w(0) + I.yz * w(1) + I.zz * w(2);
  out.tail<3>() = I.mass * v - I.moment.cross(w);
  return out;
}

// A free joint has the world's axes as its first three motions and the columns of R, through the origin, as the others. Its
// products with a force are then the force itself and its couple along the columns. The order of the sums is that of the dot
// product of six numbers, so that both give the same bits.
inline double dot_column(const Matrix3d& R, int k, const double* couple) {
  return (R(0, k) * couple[0] + R(2, k) * couple[2]) + R(1, k) * couple[1];
}

}  // namespace tribo
