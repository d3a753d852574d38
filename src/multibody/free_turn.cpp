#include "multibody/free_turn.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace tribo {

namespace {

constexpr int kMostSteps = 20;
constexpr double kConverged = 1e-15;

Matrix3d cross_matrix(const Vector3d& a) {
  Matrix3d result;
  result << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return result;
}

// ω' of (1) by Newton's method, from ω.
Vector3d calc_free_spin(const Matrix3d& I, const Vector3d& w, double h) {
  Vector3d next = w;
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector3d sum = w + next, Isum = I * sum;
    const Vector3d defect = I * (next - w) + 0.25 * h * sum.cross(Isum);
    const Matrix3d slope = I + 0.25 * h * (cross_matrix(sum) * I - cross_matrix(Isum));
    const Vector3d change = slope.inverse() * defect;
    if (!change.allFinite()) return w;
    next -= change;
    if (change.squaredNorm() <= kConverged * kConverged * w.squaredNorm()) break;
  }
  return next;
}

}  // namespace

bool turns_freely(const Model& model, Index tree) {
  const Index start = model.trees().start(tree), size = model.trees().size(tree);
  const Index body = model.dof_body(start);
  if (model.joint_count(body) != 1 || model.dof_body(start + size - 1) != body) return false;
  const JointType type = model.joints()[model.first_joint(body)].type;
  return type == JointType::kFree || type == JointType::kBall;
}

void calc_turning_force(const MatrixXd& M, const Matrix3d& R, const VectorIn& v, double h, Eigen::Ref<VectorXd> force) {
  const Vector3d w = v.tail<3>();
  force.setZero();
  if (w.isZero(0.0)) return;
  const Matrix3d I = M.bottomRightCorner<3, 3>();
  if (v.size() == 3) {
    force = w.cross(I * w) + I * (calc_free_spin(I, w, h) - w) / h;
    return;
  }
  // The block of M between turning and moving is m [c]× Rᵀ, c the centre of mass in the body.
  const double m = M(0, 0);
  const Matrix3d mixed = M.block<3, 3>(3, 0) * R;
  const Vector3d c = Vector3d(mixed(2, 1), mixed(0, 2), mixed(1, 0)) / m;
  const Matrix3d arm = cross_matrix(c);
  const Vector3d next = calc_free_spin(I + m * arm * arm, w, h);
  // The centre of mass goes on as it is, the body's own point about it.
  const double angle = h * next.norm();
  const Vector3d axis = next.normalized(), swing = next.cross(c);
  const Vector3d turned = angle > 0.0 ? Vector3d(Eigen::AngleAxisd(angle, axis) * swing) : swing;
  Eigen::Matrix<double, 6, 1> change;
  change.head<3>() = R * (w.cross(c) - turned);
  change.tail<3>() = next - w;
  change /= h;
  force.noalias() = M * change;
  force.head<3>() += m * (R * w.cross(w.cross(c)));
  force.tail<3>() += w.cross(I * w);
}

}  // namespace tribo
