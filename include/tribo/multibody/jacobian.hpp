// Velocities of points and frames as functions of v, and their change.
#pragma once

#include "tribo/multibody/data.hpp"

namespace tribo {

// Velocity of a point of a body, angular velocity of the body; world axes.
struct PointMotion {
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
};
PointMotion calc_velocity(const Data& data, Index body, const Vector3d& point);
// Acceleration with v̇ = 0: J̇ v.
PointMotion calc_bias_acceleration(const Data& data, Index body, const Vector3d& point);

// Rows 0–2: velocity of the point, rows 3–5: angular velocity; 6 × nv.
void calc_jacobian(const Model& model, const Data& data, Index body, const Vector3d& point, Eigen::Ref<MatrixXd> J);

// dir · (velocity of the point) + turn · (angular velocity) as a row over the coordinates of the body's tree, added to
// `row` with the factor `sign`. Nothing happens for bodies that do not move.
void add_row(const Model& model, const Data& data, Index body, const Vector3d& point, const Vector3d& dir,
             const Vector3d& turn, double sign, double* row);

}  // namespace tribo
