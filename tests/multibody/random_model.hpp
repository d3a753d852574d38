// Random mechanisms and states for tests: every joint type, several joints per body, branches, several trees.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/multibody/model.hpp"

#include <cmath>
#include <string>

namespace tribo::testing {

inline Vector3d random_vector(Random& random, double scale = 1.0) {
  const double x = random.normal(), y = random.normal(), z = random.normal();
  return scale * Vector3d(x, y, z);
}
inline Quaterniond random_quaternion(Random& random) {
  const double w = random.normal();
  const Vector3d v = random_vector(random);
  return Quaterniond(w, v(0), v(1), v(2)).normalized();
}
inline Pose random_pose(Random& random, double scale = 0.3) {
  const Vector3d p = random_vector(random, scale);
  return {p, random_quaternion(random)};
}

// Second moments of matter along three axes are positive, whatever the matter: so is what follows from them.
inline MassProperties random_inertia(Random& random) {
  MassProperties out;
  out.mass = random.uniform(0.2, 2.0);
  out.com = random_vector(random, 0.1);
  const double a = random.uniform(0.01, 0.1), b = random.uniform(0.01, 0.1), c = random.uniform(0.01, 0.1);
  const Matrix3d R = random_quaternion(random).toRotationMatrix();
  out.inertia = R * Vector3d(b + c, a + c, a + b).asDiagonal() * R.transpose();
  return out;
}

struct Mechanism {
  Index bodies = 6;
  bool floating = false;  // one tree on a free joint, no gravity, no armature there
  bool springs = false;
  bool one_dof_joints = false;  // hinges and slides alone
};

inline Joint random_joint(Random& random, const Mechanism& kind, Index body) {
  constexpr JointType kTypes[] = {JointType::kHinge, JointType::kSlide, JointType::kBall, JointType::kPlanar};
  Joint joint;
  joint.type = kTypes[random.integer(0, kind.one_dof_joints ? 1 : 3)];
  joint.body = body;
  joint.anchor = random_vector(random, 0.2);
  joint.axis = random_vector(random).normalized();
  joint.reference = random.uniform(-1.0, 1.0);
  joint.armature = random.uniform(0.05, 0.3);
  if (kind.springs) {
    joint.stiffness = random.uniform(0.5, 5.0);
    joint.spring_reference = random.uniform(-1.0, 1.0);
    joint.damping = random.uniform(0.1, 1.0);
  }
  return joint;
}

inline ModelDescription random_description(Random& random, const Mechanism& kind) {
  ModelDescription d;
  d.name = "random";
  d.gravity = kind.floating ? Vector3d(Vector3d::Zero()) : random_vector(random, 5.0);
  for (Index b = 1; b <= kind.bodies; ++b) {
    Body body;
    body.name = "body " + std::to_string(b);
    body.pose = random_pose(random);
    body.inertia = random_inertia(random);
    // Depth first: the parent is the body before or one on its way to the world.
    body.parent = b - 1;
    while (body.parent > 0 && random.chance(0.35)) body.parent = d.bodies[body.parent].parent;
    if (kind.floating && b > 1 && body.parent == 0) body.parent = 1;
    d.bodies.push_back(body);
    const bool root = d.bodies[b].parent == 0;
    if (kind.floating ? b == 1 : root && !kind.one_dof_joints && random.chance(0.4)) {
      Joint joint = random_joint(random, kind, b);
      joint.type = JointType::kFree;
      joint.armature = kind.floating ? 0.0 : random.uniform(0.0, 0.2);
      d.joints.push_back(joint);
      continue;
    }
    const std::int64_t joints = random.chance(0.15) && b > 1 ? 0 : random.integer(1, 3);  // none: fixed to its parent
    for (std::int64_t k = 0; k < joints; ++k) d.joints.push_back(random_joint(random, kind, b));
  }
  for (std::size_t j = 0; j < d.joints.size(); ++j) d.joints[j].name = "joint " + std::to_string(j);
  return d;
}

inline State random_state(const Model& model, Random& random) {
  State state = make_state(model);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const JointType type = model.joints()[j].type;
    Index at = model.q_start(static_cast<Index>(j));
    if (type == JointType::kFree) {
      state.q.segment<3>(at) = random_vector(random);
      at += 3;
    }
    if (type == JointType::kFree || type == JointType::kBall) {
      const Quaterniond q = random_quaternion(random);
      state.q.segment<4>(at) << q.w(), q.x(), q.y(), q.z();
    } else {
      for (int k = 0; k < calc_nq(type); ++k) state.q(at + k) = random.normal();
    }
  }
  for (Index i = 0; i < model.nv(); ++i) state.v(i) = random.normal();
  return state;
}

inline VectorXd random_numbers(Index size, Random& random) {
  VectorXd x(size);
  for (Index i = 0; i < size; ++i) x(i) = random.normal();
  return x;
}

// The state after a time t at constant v.
inline State moved(const Model& model, const State& state, const VectorXd& v, double t) {
  State out = state;
  integrate(model, v, t, out.q);
  return out;
}

// |a − b| over the size of what is compared, not below one.
inline double relative_error(const MatrixXd& a, const MatrixXd& b) {
  return a.size() == 0 ? 0.0 : (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

}  // namespace tribo::testing
