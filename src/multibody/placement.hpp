// Places one body: frame, centre of mass and inertia, once its position and quaternion are known.
#pragma once

#include "tribo/multibody/data.hpp"

#include "multibody/spatial.hpp"

namespace tribo {

// Inertia of a body about `origin`, from R_WB, its centre and its matrix about the centre in body axes.
inline void place_inertia(const MassProperties& body, const Matrix3d& R, const Vector3d& arm, SpatialInertia& out) {
  const Matrix3d I = R * body.inertia * R.transpose();
  const double m = body.mass;
  out.mass = m;
  out.moment = m * arm;
  out.xx = I(0, 0) + m * (arm(1) * arm(1) + arm(2) * arm(2));
  out.yy = I(1, 1) + m * (arm(0) * arm(0) + arm(2) * arm(2));
  out.zz = I(2, 2) + m * (arm(0) * arm(0) + arm(1) * arm(1));
  out.xy = I(0, 1) - m * arm(0) * arm(1);
  out.xz = I(0, 2) - m * arm(0) * arm(2);
  out.yz = I(1, 2) - m * arm(1) * arm(2);
}

inline void place_body(const Model& model, Index b, Data& data) {
  const MassProperties& body = model.bodies()[b].inertia;
  data.R[b] = data.quat[b].toRotationMatrix();
  data.com[b] = data.p[b] + data.R[b] * body.com;
  place_inertia(body, data.R[b], data.com[b] - data.origin[b], data.inertia[b]);
}

// A body that no joint moves, `pose` in its parent. Parents come first.
inline void place_fixed(const Model& model, Index b, const Pose& pose, Data& data) {
  const Index parent = model.bodies()[b].parent;
  if (b > 0) {
    data.p[b] = data.p[parent] + data.R[parent] * pose.p;
    data.quat[b] = (data.quat[parent] * pose.q).normalized();
  }
  data.origin[b] = data.p[b];
  place_body(model, b, data);
}

// All bodies; calc_positions without the tendons.
void place_bodies(const Model& model, const State& state, Data& data);

}  // namespace tribo
