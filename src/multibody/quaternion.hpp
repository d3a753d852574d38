// Quaternions as four numbers of q, w first.
#pragma once

#include "tribo/geometry/pose.hpp"

#include <cmath>

namespace tribo {

inline Quaterniond read_quaternion(const double* q) { return Quaterniond(q[0], q[1], q[2], q[3]); }
inline void write_quaternion(const Quaterniond& quaternion, double* q) {
  q[0] = quaternion.w();
  q[1] = quaternion.x();
  q[2] = quaternion.y();
  q[3] = quaternion.z();
}

// exp: the rotation about `angle` by its length.
inline Quaterniond make_rotation(const Vector3d& angle) {
  const double length = angle.norm();
  // sin(x/2)/x; below 1e-4 the series is exact to the last bit.
  const double half = length < 1e-4 ? 0.5 - length * length / 48.0 : std::sin(0.5 * length) / length;
  Quaterniond turned;
  turned.w() = std::cos(0.5 * length);
  turned.vec() = half * angle;
  return turned;
}

// log: the shortest rotation vector.
inline Vector3d rotation_vector(const Quaterniond& rotation) {
  const double sign = rotation.w() < 0.0 ? -1.0 : 1.0;
  const double sine = rotation.vec().norm(), cosine = sign * rotation.w();
  const double factor = sine < 1e-8 ? 2.0 : 2.0 * std::atan2(sine, cosine) / sine;
  return sign * factor * rotation.vec();
}

// q ← q exp(h omega), omega in the axes of the turning body; unit to the last bit. What does not turn keeps every bit.
inline void turn(const Vector3d& omega, double h, double* q) {
  if (omega.isZero(0.0)) return;
  Quaterniond next = read_quaternion(q) * make_rotation(h * omega);
  next.normalize();
  write_quaternion(next, q);
}

// From one to the other, in the axes of the first.
inline Vector3d rotation_between(const double* from, const double* to) {
  return rotation_vector(read_quaternion(from).conjugate() * read_quaternion(to));
}

}  // namespace tribo
