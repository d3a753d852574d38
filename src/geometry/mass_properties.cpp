#include "tribo/geometry/mass_properties.hpp"

#include <limits>

#include <Eigen/Eigenvalues>

namespace tribo {
namespace {

// mass (|d|² 1 − d dᵀ): what the inertia about com gains when it is taken about a point d away.
Matrix3d calc_shift(double mass, const Vector3d& d) {
  return mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
}

}  // namespace

MassProperties MassProperties::seen_from(const Pose& pose) const {
  const Matrix3d R = pose.q.toRotationMatrix();
  const Matrix3d turned = R * inertia * R.transpose();
  return {mass, pose * com, 0.5 * (turned + turned.transpose())};
}

MassProperties MassProperties::operator+(const MassProperties& other) const {
  const double total = mass + other.mass;
  if (total == 0.0) return {0.0, com, inertia + other.inertia};
  MassProperties sum;
  sum.mass = total;
  sum.com = (mass * com + other.mass * other.com) / total;
  sum.inertia = inertia + other.inertia + calc_shift(mass, com - sum.com) + calc_shift(other.mass, other.com - sum.com);
  return sum;
}

PrincipalInertia calc_principal(const MassProperties& properties) {
  PrincipalInertia principal;
  principal.frame.p = properties.com;
  if (!properties.inertia.allFinite()) {
    principal.moments.setConstant(std::numeric_limits<double>::quiet_NaN());
    return principal;
  }
  const Matrix3d symmetric = 0.5 * (properties.inertia + properties.inertia.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(symmetric);
  principal.moments = solver.eigenvalues().reverse();
  Matrix3d axes = solver.eigenvectors().rowwise().reverse();
  if (axes.determinant() < 0.0) axes.col(2) = -axes.col(2);
  principal.frame.q = Quaterniond(axes).normalized();
  return principal;
}

}  // namespace tribo
