#include "solve/pivot/active_set.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/add_columns.hpp"
#include "solve/pivot/rank_test.hpp"
#include "solve/residual.hpp"

namespace tribo {
void ActiveSetBase::reserve_base(Index n) {
  if (row_norm_.size() >= n) return;
  row_norm_.resize(n);
  row_inverse_.resize(n);
  active_.reserve(n);
  member_.resize(n);
}

void ActiveSetBase::start_base(Index n) {
  n_ = n;
  removals_ = 0;
  active_.clear();
  std::fill(member_.begin(), member_.begin() + n, char{0});
}

void ActiveSetBase::invert_norms() {
  for (Index i = 0; i < n_; ++i) row_inverse_(i) = 1.0 / row_norm_(i);
}

void ActiveSetBase::push(Index i) {
  active_.push_back(i);
  member_[i] = 1;
}

void ActiveSetBase::erase(Index position) {
  member_[active_[position]] = 0;
  active_.erase(active_.begin() + position);
  ++removals_;
}

double ActiveSetBase::combined_norm(Index i, const VectorXd& r) const {
  double sum = row_norm_(i);
  for (Index p = 0; p < size(); ++p) sum += std::abs(r(p)) * row_norm_(active_[p]);
  return sum;
}

// --- F as a matrix --------------------------------------------------------------------------------------------------

void GramActiveSet::reserve(Index n) {
  reserve_base(n);
  factor_.reserve(n);
  product_.reserve(n);
  if (column_.size() >= n) return;
  for (VectorXd* v : {&column_, &direction_, &full_, &step_}) v->setZero(n);
}

void GramActiveSet::start(const Lcp& lcp) {
  lcp_ = &lcp;
  start_base(lcp.size());
  factor_.clear();
  speed_ = 0.0;
  for (Index i = 0; i < n_; ++i) {
    row_norm_(i) = std::sqrt(std::max(0.0, lcp.M(i, i)));
    if (row_norm_(i) == 0.0) row_norm_(i) = 1.0;  // an empty row: any scale
    speed_ = std::max(speed_, std::abs(lcp.q(i)) / row_norm_(i));
  }
  invert_norms();
}

void GramActiveSet::clear() {
  start_base(n_);
  factor_.clear();
}

bool GramActiveSet::test(Index i) {
  const Index k = size();
  const double diagonal = lcp_->M(i, i);
  for (Index p = 0; p < k; ++p) column_(p) = lcp_->M(active_[p], i);
  schur_ = factor_.test(column_.head(k), diagonal);
  if (!(schur_ > kDependentGram * diagonal)) return false;
  if (schur_ > kSuspicious * diagonal) return true;
  const double size = combined_norm(i, direction());
  return schur_ > kRounding * size * size;
}

const VectorXd& GramActiveSet::direction() {
  const Index k = size();
  direction_.head(k) = column_.head(k);
  factor_.solve_upper(direction_.head(k));
  return direction_;
}

void GramActiveSet::append(Index i) {
  factor_.append(column_.head(size()), schur_);
  push(i);
}

void GramActiveSet::remove(Index position) {
  factor_.remove(position);
  erase(position);
  if (removals_ >= kRemovalsBeforeRefresh) refresh();
}

void GramActiveSet::refresh() {
  removals_ = 0;
  const Index k = size();
  factor_.clear();
  for (Index p = 0; p < k; ++p) {
    for (Index r = 0; r < p; ++r) column_(r) = lcp_->M(active_[r], active_[p]);
    const double diagonal = lcp_->M(active_[p], active_[p]);
    const double d2 = factor_.test(column_.head(p), diagonal);
    // Rows were independent when they came in; rounding alone must not make the factor fail.
    factor_.append(column_.head(p), std::max(d2, 1e-15 * diagonal));
  }
}

void GramActiveSet::solve(VectorXd& z) {
  const Index k = size();
  for (Index p = 0; p < k; ++p) z(p) = -lcp_->q(active_[p]);
  factor_.solve(z.head(k));
}

void GramActiveSet::slack(const VectorXd& z, VectorXd& w) {
  w.head(n_) = lcp_->q;
  add_columns(size(), z.data(), n_, w.data(), [this](Index p) { return lcp_->M.col(active_[p]).data(); });
  for (const Index i : active_) w(i) = 0.0;
}

double GramActiveSet::row_size(Index i, const VectorXd& z) const {
  double sum = std::abs(lcp_->q(i));
  for (Index p = 0; p < size(); ++p) sum += std::abs(lcp_->M(active_[p], i) * z(p));
  return sum;
}

bool GramActiveSet::is_negative(Index i, double w, const VectorXd& z) const {
  return w < 0.0 && w < -1e-12 * row_size(i, z);
}

bool GramActiveSet::is_noise(Index i, double w, const VectorXd& z) const { return w >= -1e-9 * row_size(i, z); }

void GramActiveSet::refine(VectorXd& z, VectorXd& w) {
  const Index k = size();
  for (int pass = 0; pass < 3; ++pass) {
    full_.head(n_).setZero();
    for (Index p = 0; p < k; ++p) full_(active_[p]) = z(p);
    product_(lcp_->M, full_.head(n_), lcp_->q, w.head(n_));
    if (pass == 2 || k == 0) break;
    for (Index p = 0; p < k; ++p) step_(p) = -w(active_[p]);
    factor_.solve(step_.head(k));
    z.head(k) += step_.head(k);
  }
}

bool GramActiveSet::farkas(Index p, VectorXd& y) {
  const Index k = size();
  y = VectorXd::Zero(n_);
  y(p) = 1.0;
  for (Index j = 0; j < k; ++j) y(active_[j]) = -direction_(j);
  const VectorXd zero = VectorXd::Zero(n_);
  VectorXd defect(n_);
  for (int pass = 0; pass < 2; ++pass) {
    product_(lcp_->M, y, zero, defect);
    for (Index j = 0; j < k; ++j) step_(j) = -defect(active_[j]);
    factor_.solve(step_.head(k));
    for (Index j = 0; j < k; ++j) y(active_[j]) += step_(j);
  }
  return is_null_direction(lcp_->M, y.cwiseMax(0.0));
}

// --- F = G Gᵀ -------------------------------------------------------------------------------------------------------

void FactoredActiveSet::reserve(Index n, Index m) {
  reserve_base(n);
  factor_.reserve(m, std::min(n, m));
  if (row_.size() < m) row_.setZero(m);
  if (t_.size() < m) t_.setZero(m);
  if (direction_.size() < n + 1) {
    direction_.setZero(n + 1);
    s_.setZero(n + 1);
  }
}

void FactoredActiveSet::start(const FactoredLcp& lcp) {
  lcp_ = &lcp;
  start_base(lcp.size());
  factor_.clear();
  speed_ = lcp.speed;
  for (Index i = 0; i < n_; ++i) row_norm_(i) = lcp.row_norm(i) > 0.0 ? lcp.row_norm(i) : 1.0;
  invert_norms();
}

void FactoredActiveSet::clear() {
  start_base(n_);
  factor_.clear();
}

bool FactoredActiveSet::test(Index i) {
  const Index m = lcp_->G.cols();
  row_.head(m) = lcp_->G.row(i);
  const double rest = factor_.test(row_.head(m));
  schur_ = rest * rest;
  if (size() == factor_.capacity()) schur_ = 0.0;  // no room for another independent row
  const double share = schur_ / (row_norm_(i) * row_norm_(i));
  if (!(share > kDependentRows)) return false;
  if (share > kSuspicious) return true;
  return rest > kRounding * combined_norm(i, direction());
}

const VectorXd& FactoredActiveSet::direction() {
  const Index k = size();
  direction_.head(k) = factor_.c();
  factor_.solve_upper(direction_.head(k));
  return direction_;
}

void FactoredActiveSet::append(Index i) {
  factor_.append();
  push(i);
}

void FactoredActiveSet::remove(Index position) {
  factor_.remove(position);
  erase(position);
  if (removals_ >= kRemovalsBeforeRefresh) refresh();
}

void FactoredActiveSet::refresh() {
  removals_ = 0;
  const Index m = lcp_->G.cols();
  factor_.clear();
  for (const Index i : active_) {
    row_.head(m) = lcp_->G.row(i);
    factor_.test(row_.head(m));
    factor_.append();
  }
}

void FactoredActiveSet::solve(VectorXd& z) {
  // s = −R⁻ᵀ q_A;  t = Gᵀ z = Q s;  z_A = R⁻¹ s
  const Index k = size();
  for (Index p = 0; p < k; ++p) s_(p) = -lcp_->q(active_[p]);
  factor_.solve_lower(s_.head(k));
  z.head(k) = s_.head(k);
  factor_.solve_upper(z.head(k));
}

void FactoredActiveSet::slack(const VectorXd&, VectorXd& w) {
  const Index m = lcp_->G.cols();
  t_.head(m).setZero();
  for (Index p = 0; p < size(); ++p) t_.head(m) += s_(p) * factor_.Q().col(p);
  w.head(n_) = lcp_->q;
  add_columns(m, t_.data(), n_, w.data(), [this](Index j) { return lcp_->G.col(j).data(); });
  defect_ = 0.0;
  for (const Index i : active_) {
    defect_ = std::max(defect_, std::abs(w(i)) / (row_norm_(i) * (speed_ > 0.0 ? speed_ : 1.0)));
    w(i) = 0.0;
  }
}

bool FactoredActiveSet::is_negative(Index i, double w, const VectorXd&) const {
  return w < -kNegativeSlack * row_norm_(i) * speed_;
}

bool FactoredActiveSet::is_noise(Index i, double w, const VectorXd&) const {
  return w >= -1e-8 * row_norm_(i) * speed_;
}

void FactoredActiveSet::refine(VectorXd& z, VectorXd& w) {
  if (!(defect_ > 1e-10)) return;  // spec B.4
  refresh();
  solve(z);
  slack(z, w);
}

bool FactoredActiveSet::farkas(Index p, VectorXd& y) {
  y = VectorXd::Zero(n_);
  y(p) = 1.0;
  double size = row_norm_(p);
  for (Index j = 0; j < this->size(); ++j) {
    y(active_[j]) = std::max(0.0, -direction_(j));
    size += row_norm_(active_[j]) * y(active_[j]);
  }
  return (lcp_->G.transpose() * y).norm() <= 1e-9 * size;  // spec B.6
}

}  // namespace tribo
