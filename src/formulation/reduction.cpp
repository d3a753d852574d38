#include "formulation/reduction.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

constexpr double kIndependent = 1e-8;  // τ of FIND-INDICES, relative to the row's own norm

}  // namespace

Reduction::Reduction(const BlockCholesky& factor, const VectorXd& u0, const BlockRows& E, const VectorXd& b_E)
    : factor_(&factor), u_(u0), equalities_(E.rows()) {
  const Index m = u0.size();
  factor.whiten_velocity(u_);
  const MatrixXd Eh = whitened(E);
  qr_.reserve(m, std::min(m, E.rows()));
  // (1) Rows that bring much are taken first: a row of which only 1e-7 is new makes R ill-conditioned and the forces along it
  // huge, and a later row often has the same direction in full. The order changes the distribution of forces, not v⁺.
  std::vector<char> taken(static_cast<std::size_t>(E.rows()), 0);
  for (const double share : {1e-2, 1e-5, kIndependent}) {
    for (Index i = 0; i < E.rows() && qr_.size() < qr_.capacity(); ++i) {
      if (taken[i]) continue;
      const VectorXd row = Eh.row(i);
      if (!(qr_.test(row) > share * row.norm())) continue;
      qr_.append();
      accepted_.push_back(i);
      taken[i] = 1;
    }
  }
  IndexList rejected;
  for (Index i = 0; i < E.rows(); ++i) {
    if (!taken[i]) rejected.push_back(i);
  }
  Q_ = qr_.Q();

  VectorXd shift(qr_.size());  // (2)
  for (Index k = 0; k < shift.size(); ++k) shift(k) = b_E(accepted_[k]);
  qr_.solve_lower(shift);
  u_p_ = u_ - Q_ * (Q_.transpose() * u_ + shift);
  speed_ = std::max(u_.norm(), u_p_.norm());

  for (const Index i : rejected) {
    const double defect = Eh.row(i).dot(u_p_) + b_E(i);
    if (std::abs(defect) <= kConsistent * (Eh.row(i).norm() * speed_ + std::abs(b_E(i)))) continue;
    // The row is a combination α of the accepted ones: y = ±(e_i − α).
    VectorXd alpha = Q_.transpose() * Eh.row(i).transpose();
    qr_.solve_upper(alpha);
    contradiction_ = VectorXd::Zero(E.rows());
    contradiction_(i) = 1.0;
    for (Index k = 0; k < alpha.size(); ++k) contradiction_(accepted_[k]) -= alpha(k);
    if (contradiction_.dot(b_E) > 0.0) contradiction_ = -contradiction_;
    return;
  }
}

MatrixXd Reduction::whitened(const BlockRows& rows) const { return rows.whitened(*factor_).to_dense(); }

MatrixXd Reduction::projected(const MatrixXd& whitened) const {
  if (Q_.cols() == 0) return whitened;
  MatrixXd rows = whitened;
  for (int pass = 0; pass < 2; ++pass) rows -= (rows * Q_) * Q_.transpose();  // twice, as in Gram–Schmidt
  return rows;
}

VectorXd Reduction::velocity(const MatrixXd& projected, const VectorXd& f) const {
  VectorXd v = u_p_ + projected.transpose() * f;
  factor_->unwhiten_velocity(v);
  return v;
}

VectorXd Reduction::equality_forces(const VectorXd& v_next, const MatrixXd& whitened, const VectorXd& f) const {
  VectorXd u_next = v_next;
  factor_->whiten_velocity(u_next);
  VectorXd force = Q_.transpose() * (u_next - u_ - whitened.transpose() * f);
  qr_.solve_upper(force);
  VectorXd all = VectorXd::Zero(equalities_);
  for (Index k = 0; k < force.size(); ++k) all(accepted_[k]) = force(k);
  return all;
}

VectorXd without_dust(VectorXd y) {
  const double largest = y.size() > 0 ? y.cwiseAbs().maxCoeff() : 0.0;
  for (Index i = 0; i < y.size(); ++i) {
    if (std::abs(y(i)) <= 1e-13 * largest) y(i) = 0.0;
  }
  return y;
}

VectorXd Reduction::balance(const MatrixXd& whitened, const VectorXd& y) const {
  VectorXd alpha = -(Q_.transpose() * (whitened.transpose() * y));
  qr_.solve_upper(alpha);
  VectorXd y_e = VectorXd::Zero(equalities_);
  for (Index k = 0; k < alpha.size(); ++k) y_e(accepted_[k]) = alpha(k);
  return y_e;
}

}  // namespace tribo
