#include "tribo/multibody/free_turn.hpp"

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

// x turned by a rotation vector.
Vector3d turn(const Vector3d& by, const Vector3d& x) {
  const double angle = by.norm();
  return angle > 0.0 ? Vector3d(Eigen::AngleAxisd(angle, by / angle) * x) : x;
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

namespace {

// Of the centre of mass in the body, times the mass: the block of M between turning and moving is m [c]× Rᵀ.
Vector3d calc_moment(const MatrixXd& M, const Matrix3d& R) {
  const Matrix3d mixed = M.block<3, 3>(3, 0) * R;
  return {mixed(2, 1), mixed(0, 2), mixed(1, 0)};
}

}  // namespace

void calc_free_change(const MatrixXd& M, const Matrix3d& R, const VectorIn& v, double h, double lead,
                      Eigen::Ref<VectorXd> change) {
  const Vector3d w = v.tail<3>();
  change.setZero();
  if (w.isZero(0.0)) return;
  const Matrix3d I = M.bottomRightCorner<3, 3>();
  if (v.size() == 3) {
    change = calc_free_spin(I, w, h) - w;
    return;
  }
  const double m = M(0, 0);
  const Vector3d c = calc_moment(M, R) / m;
  const Matrix3d arm = cross_matrix(c);
  const Vector3d next = calc_free_spin(I + m * arm * arm, w, h);
  // The centre of mass goes on as it is, the body's own point about it: R is on the way from the first to the last orientation.
  change.head<3>() = R * (turn(-lead * h * w, w.cross(c)) - turn((1.0 - lead) * h * next, next.cross(c)));
  change.tail<3>() = next - w;
}

void calc_turning_force(const MatrixXd& M, const Matrix3d& R, const VectorIn& v, double h, double lead,
                        Eigen::Ref<VectorXd> force) {
  const Vector3d w = v.tail<3>();
  force.setZero();
  if (w.isZero(0.0)) return;
  Eigen::Matrix<double, 6, 1> change;
  calc_free_change(M, R, v, h, lead, change.tail(v.size()));
  force.noalias() = M * change.tail(v.size());
  force /= h;
  // In the place of the bias.
  force.tail<3>() += w.cross(M.bottomRightCorner<3, 3>() * w);
  if (v.size() == 6) force.head<3>() += R * w.cross(w.cross(calc_moment(M, R)));
}

}  // namespace tribo
