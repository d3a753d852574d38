// The normal equations of RowFactor: for many rows on few columns.
#include <cmath>
#include <limits>

#include "solve/compliant/lower_factor.hpp"
#include "solve/compliant/row_factor.hpp"

namespace tribo::compliant {

// u and y by Cholesky's method on I + Bᵀ B, then corrected by the residuals of both equations of (1). False where corrections do
// not shrink to rounding: too stiff for the square of B. B and b are left as they are.
bool RowFactor::solve_normal(double* y_out, double* u_out) {
  constexpr double kEnough = 1e-14;  // of the correction made; what is left is a hundredth
  constexpr int kCorrections = 4;
  const Index n = n_;
  Eigen::Map<VectorXd> y(y_out, m_), u(u_out, n), step(norms_.data(), n);
  const auto H = [this, n](Index i, Index j) -> double& { return T_[static_cast<std::size_t>(j * n + i)]; };
  // By groups of rows that stay in the fastest memory.
  const auto by_groups = [this](const auto& visit) {
    constexpr Index kGroup = 128;
    for (Index first = 0; first < m_; first += kGroup) visit(first, std::min(kGroup, m_ - first));
  };
  const auto part = [this](Index j, Index first, Index size) {
    return Eigen::Map<const VectorXd>(B_.data() + j * m_ + first, size);
  };
  std::fill_n(T_.begin(), n * n, 0.0);
  by_groups([&](Index first, Index size) {
    for (Index j = 0; j < n; ++j) {
      for (Index i = j; i < n; ++i) H(i, j) += part(j, first, size).dot(part(i, first, size));
    }
  });
  for (Index j = 0; j < n; ++j) H(j, j) += 1.0;
  if (!factor_lower(T_.data(), n)) return false;
  y.setZero();
  u.setZero();
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kCorrections; ++k) {
    step = -u;
    by_groups([&](Index first, Index size) {  // what is missing of y = −(B u + b), and Bᵀ (y + missing) − u
      Eigen::Map<VectorXd> missing(scratch_.data() + first, size);
      missing = -Eigen::Map<const VectorXd>(b_.data() + first, size) - y.segment(first, size);
      for (Index j = 0; j < n; ++j) missing -= u(j) * part(j, first, size);
      y.segment(first, size) += missing;
      for (Index j = 0; j < n; ++j) step(j) += part(j, first, size).dot(y.segment(first, size));
    });
    solve_lower(T_.data(), n, step.data());
    u += step;
    by_groups([&](Index first, Index size) {
      for (Index j = 0; j < n; ++j) y.segment(first, size) -= step(j) * part(j, first, size);
    });
    const double size = step.norm();
    if (!std::isfinite(size) || !(size <= 0.01 * last)) return false;
    if (k > 0 && size <= kEnough * u.norm()) return true;
    last = size;
  }
  return false;
}

bool RowFactor::solve_normal_again(double* y, double* u) {
  Eigen::Map<VectorXd> out(y, m_), velocity(u, n_);
  out = -Eigen::Map<const VectorXd>(b_.data(), m_);
  for (Index j = 0; j < n_; ++j) velocity(j) = Eigen::Map<const VectorXd>(column(j), m_).dot(out);
  solve_lower(T_.data(), n_, u);
  for (Index j = 0; j < n_; ++j) out -= velocity(j) * Eigen::Map<const VectorXd>(column(j), m_);
  return std::isfinite(out.sum()) && std::isfinite(velocity.sum());
}

}  // namespace tribo::compliant
