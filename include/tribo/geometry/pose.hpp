// Pose: where a frame B is in a frame A: x_A = p + R(q) x_B.
#pragma once

#include "tribo/linalg/types.hpp"

#include <Eigen/Geometry>

namespace tribo {

// Not aligned: Eigen would align it by the vector instructions of whoever compiles, and library and caller may differ.
using Quaterniond = Eigen::Quaternion<double, Eigen::DontAlign>;

struct Pose {
  Vector3d p = Vector3d::Zero();            // m
  Quaterniond q = Quaterniond::Identity();  // unit; Quaterniond(w, x, y, z)

  Pose operator*(const Pose& inner) const { return {p + q * inner.p, q * inner.q}; }
  Vector3d operator*(const Vector3d& x) const { return p + q * x; }
  Pose inverse() const { return {q.conjugate() * -p, q.conjugate()}; }
};

}  // namespace tribo
