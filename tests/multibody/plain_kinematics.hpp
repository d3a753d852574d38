// Poses of bodies as a recursive product of homogeneous matrices: slow, obvious, and nothing shared with the library.
#pragma once

#include "tribo/multibody/model.hpp"

#include <cmath>
#include <vector>

namespace tribo::testing {

using Matrix4d = Eigen::Matrix4d;

inline Matrix4d translation(const Vector3d& p) {
  Matrix4d T = Matrix4d::Identity();
  T.topRightCorner<3, 1>() = p;
  return T;
}
// Rodrigues.
inline Matrix4d rotation(const Vector3d& axis, double angle) {
  Matrix3d K;
  K << 0.0, -axis(2), axis(1), axis(2), 0.0, -axis(0), -axis(1), axis(0), 0.0;
  Matrix4d T = Matrix4d::Identity();
  T.topLeftCorner<3, 3>() = Matrix3d::Identity() + std::sin(angle) * K + (1.0 - std::cos(angle)) * K * K;
  return T;
}
// w first.
inline Matrix4d rotation(double w, double x, double y, double z) {
  Matrix4d T = Matrix4d::Identity();
  const double n = w * w + x * x + y * y + z * z;
  T.topLeftCorner<3, 3>() << w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),
      2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
      w * w - x * x - y * y + z * z;
  T.topLeftCorner<3, 3>() /= n;
  return T;
}
inline Matrix4d to_matrix(const Pose& pose) {
  return translation(pose.p) * rotation(pose.q.w(), pose.q.x(), pose.q.y(), pose.q.z());
}

// What one joint does to the frame of its body.
inline Matrix4d joint_matrix(const Joint& joint, const double* q) {
  const auto about_anchor = [&](const Matrix4d& R) -> Matrix4d {
    return translation(joint.anchor) * R * translation(-joint.anchor);
  };
  const Vector3d axis = joint.axis.normalized();
  switch (joint.type) {
    case JointType::kHinge:
      return about_anchor(rotation(axis, q[0] - joint.reference));
    case JointType::kSlide:
      return translation((q[0] - joint.reference) * axis);
    case JointType::kBall:
      return about_anchor(rotation(q[0], q[1], q[2], q[3]));
    case JointType::kPlanar: {
      const double c = axis(2);  // the shortest way from z to the axis turns about z × axis
      Vector3d x, y;
      const Vector3d about = Vector3d::UnitZ().cross(axis).normalized();
      const Matrix3d R = rotation(about, std::acos(c)).topLeftCorner<3, 3>();
      x = R.col(0);
      y = R.col(1);
      return translation(q[0] * x + q[1] * y) * about_anchor(rotation(axis, q[2]));
    }
    case JointType::kFree:
      return translation(Vector3d(q[0], q[1], q[2])) * rotation(q[3], q[4], q[5], q[6]);
  }
  return Matrix4d::Identity();
}

inline std::vector<Matrix4d> calc_plain_poses(const Model& model, const State& state) {
  std::vector<Matrix4d> poses(static_cast<std::size_t>(model.nb()), Matrix4d::Identity());
  for (Index b = 1; b < model.nb(); ++b) {
    const Body& body = model.bodies()[b];
    Matrix4d pose = poses[body.parent] * to_matrix(body.pose);
    if (const Index k = model.kinematic_index(b); k >= 0) pose = to_matrix(state.kinematic[k].pose);
    for (std::size_t j = 0; j < model.joints().size(); ++j) {
      const Joint& joint = model.joints()[j];
      if (joint.body != b) continue;
      const Matrix4d moved = joint_matrix(joint, state.q.data() + model.q_start(static_cast<Index>(j)));
      pose = joint.type == JointType::kFree ? moved : Matrix4d(pose * moved);
    }
    poses[b] = pose;
  }
  return poses;
}

}  // namespace tribo::testing
