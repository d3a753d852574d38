#include "tribo/multibody/jacobian.hpp"

#include "tribo/core/assert.hpp"

#include "multibody/spatial.hpp"

namespace tribo {

PointMotion calc_velocity(const Data& data, Index body, const Vector3d& point) {
  const SpatialVector& V = data.V[body];
  return {V.tail<3>() + V.head<3>().cross(point - data.origin[body]), V.head<3>()};
}

PointMotion calc_bias_acceleration(const Data& data, Index body, const Vector3d& point) {
  const SpatialVector& A = data.A[body];
  const PointMotion velocity = calc_velocity(data, body, point);
  // A says how the velocity at a fixed point changes; matter there moves on: + ω × ṗ.
  return {A.tail<3>() + A.head<3>().cross(point - data.origin[body]) + velocity.angular.cross(velocity.linear),
          A.head<3>()};
}

void calc_jacobian(const Model& model, const Data& data, Index body, const Vector3d& point, Eigen::Ref<MatrixXd> J) {
  TRIBO_REQUIRE(J.rows() == 6 && J.cols() == model.nv(), "the Jacobian has six rows and a column per dof");
  J.setZero();
  const Vector3d arm = point - data.origin[body];
  for (Index dof = model.last_dof(body); dof >= 0; dof = model.parent_dof(dof)) {
    const SpatialVector& S = data.S[dof];
    J.col(dof).head<3>() = S.tail<3>() + S.head<3>().cross(arm);
    J.col(dof).tail<3>() = S.head<3>();
  }
}

void add_row(const Model& model, const Data& data, Index body, const Vector3d& point, const Vector3d& dir,
             const Vector3d& turn, double sign, double* row) {
  const Index tree = model.tree(body);
  if (tree < 0) return;
  const Index start = model.trees().start(tree);
  SpatialVector force;  // the force `dir` at the point and the couple `turn`, about the tree's origin
  force.head<3>() = sign * ((point - data.origin[body]).cross(dir) + turn);
  force.tail<3>() = sign * dir;
  if (model.is_free(tree)) {
    for (int k = 0; k < 3; ++k) {
      row[k] += force(3 + k);
      row[3 + k] += dot_column(data.R[model.first_body(tree)], k, force.data());
    }
    return;
  }
  for (Index dof = model.last_dof(body); dof >= 0; dof = model.parent_dof(dof))
    row[dof - start] += data.S[dof].dot(force);
}

}  // namespace tribo
