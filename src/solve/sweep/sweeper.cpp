#include "solve/sweep/sweeper.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/add_columns.hpp"

namespace tribo {

void Sweeper::reserve(Index n) {
  product_.reserve(n);
  backward_error_.reserve(n);
  if (z.size() >= n) return;
  for (VectorXd* v : {&z, &w, &root_, &default_lo}) v->setZero(n);
  default_hi.setConstant(n, std::numeric_limits<double>::infinity());
}

bool Sweeper::start(const MatrixXd& M, const VectorXd& q, const VectorXd& lo, const VectorXd& hi, const VectorXd& warm,
                    SolveReport& report) {
  TRIBO_REQUIRE(M.rows() == q.size() && M.cols() == q.size() && lo.size() >= q.size() && hi.size() >= q.size(),
                "PGS: sizes of M, q, lo and hi must match");
  TRIBO_REQUIRE(warm.size() == 0 || warm.size() == q.size(), "PGS: a warm start needs one value per row");
  M_ = &M;
  q_ = &q;
  lo_ = &lo;
  hi_ = &hi;
  n_ = q.size();
  speed_ = 0.0;
  size_ = 0.0;
  z.setZero();
  w.setZero();
  if (!M.allFinite() || !q.allFinite()) {
    report.detail = "the problem is not finite";
    return false;
  }
  for (Index i = 0; i < n_; ++i) {
    if (M(i, i) < 0.0) {
      report.index = i;
      report.detail = "a diagonal entry is negative";
      return false;
    }
    root_(i) = std::sqrt(M(i, i));
    if (root_(i) > 0.0) speed_ = std::max(speed_, std::abs(q(i)) / root_(i));
    const double guess = warm.size() > 0 && std::isfinite(warm(i)) ? warm(i) : 0.0;
    z(i) = std::clamp(guess, lo(i), hi(i));
    size_ = std::max(size_, root_(i) * std::abs(z(i)));
  }
  size_ = std::max(size_, speed_);
  return true;
}

void Sweeper::sweep() {
  for (Index i = 0; i < n_; ++i) {
    if (root_(i) == 0.0) continue;
    // M is symmetric: its column is its row, and contiguous.
    const double w_i = M_->col(i).dot(z.head(n_)) + (*q_)(i);
    z(i) = std::clamp(z(i) - w_i / (root_(i) * root_(i)), lo(i), hi(i));
  }
}

double Sweeper::residual() {
  w.head(n_) = *q_;
  add_columns(n_, z.data(), n_, w.data(), [this](Index j) { return M_->col(j).data(); });
  double worst = 0.0;
  for (Index i = 0; i < n_; ++i) {
    if (root_(i) == 0.0) continue;
    const double target = std::clamp(z(i) - w(i) / (root_(i) * root_(i)), lo(i), hi(i));
    worst = std::max(worst, std::abs(z(i) - target) * root_(i));
  }
  return speed_ > 0.0 ? worst / speed_ : worst;
}

double Sweeper::objective(const VectorXd& z_in, VectorXd& scratch) const {
  // φ = ½ zᵀ (M z + 2 q)
  scratch.head(n_) = 2.0 * *q_;
  add_columns(n_, z_in.data(), n_, scratch.data(), [this](Index j) { return M_->col(j).data(); });
  return 0.5 * z_in.head(n_).dot(scratch.head(n_));
}

void Sweeper::finish(bool converged, SolveReport& report) {
  constexpr double kOnBound = 1e-13;  // what rounding leaves of the distance to a bound
  report.iterations = report.sweeps;
  for (Index i = 0; i < n_; ++i) {
    if (root_(i) == 0.0) continue;
    const double to_lo = std::abs(z(i) - lo(i)) * root_(i), to_hi = std::abs(z(i) - hi(i)) * root_(i);
    if (std::min(to_lo, to_hi) <= kOnBound * size_) z(i) = to_lo <= to_hi ? lo(i) : hi(i);
  }
  product_(*M_, z.head(n_), *q_, w.head(n_));
  const double error = backward_error_(*M_, *q_, lo_->head(n_), hi_->head(n_), z.head(n_), w.head(n_));
  if (error <= kClaim) {
    report.status = Status::kSolved;
  } else if (converged) {
    report.status = Status::kBreakdown;
    report.detail = "the residual is small only on the scale of the largest rows";
  } else {
    report.status = Status::kIterationLimit;
    report.detail = "the limit of sweeps was reached";
  }
}

}  // namespace tribo
