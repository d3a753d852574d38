#include "tribo/core/random.hpp"

#include <algorithm>
#include <cmath>

#include "solve/pivot/equilibrate.hpp"
#include "solve/pivot/lemke_path.hpp"

namespace tribo {

void LemkePath::scale(const MatrixXd& M, const VectorXd& q) {
  equilibrate(M, r_, c_, scratch_);
  for (Index j = 0; j < n_; ++j) Ms_.col(j).head(n_) = c_(j) * M.col(j).cwiseProduct(r_.head(n_));
  qs_.head(n_) = r_.head(n_).cwiseProduct(q);
  unit_ = power_of_two_near(qs_.head(n_).lpNorm<Eigen::Infinity>());
  qs_.head(n_) /= unit_;
  lo_.setZero();
  lo_.head(free_).setConstant(-kInfinity);
  hi_.setConstant(kInfinity);
}

// The index set to start from: the caller's, or the free variables alone (with help where their rows are dependent).
bool LemkePath::start_basis(const std::vector<IndexState>& states) {
  basis_.start(Ms(), cover_.head(n_));
  if (!states.empty()) {
    for (Index f = 0; f < free_; ++f) basis_.add(f, f);
    for (Index i = free_; i < n_; ++i) {
      if (states[i - free_] == IndexState::kActive) basis_.add(i, i);
    }
    if (basis_.refactor()) return true;
    basis_.start(Ms(), cover_.head(n_));
  }
  if (free_ == 0) return true;
  if (!crash_.find(Ms(), free_)) return false;
  const auto& no_rows = crash_.skipped_rows();
  const auto& no_columns = crash_.skipped_columns();
  IndexList& rows = rows_;
  IndexList& columns = columns_;
  rows.clear();
  columns.clear();
  for (Index f = 0; f < free_; ++f) {
    if (std::find(no_rows.begin(), no_rows.end(), f) == no_rows.end()) rows.push_back(f);
    if (std::find(no_columns.begin(), no_columns.end(), f) == no_columns.end()) columns.push_back(f);
  }
  for (Index p = 0; p < static_cast<Index>(rows.size()); ++p) basis_.add(rows[p], columns[p]);
  for (const Index i : crash_.beta()) basis_.add(i, i);
  return basis_.refactor();
}

// Is the caller's point already the answer? (An index set need not tell: at a degenerate answer the rows with z > 0 may
// not make a basis.)
bool LemkePath::try_point(const VectorXd& point) {
  if (!point.allFinite()) return false;
  xs_.head(n_) = point.cwiseQuotient(c_.head(n_)) / unit_;
  return polish_.judge(Ms(), qs_.head(n_), lo_.head(n_), hi_.head(n_), xs_.head(n_), ws_.head(n_)) <= kAccepted;
}

// Is the basis as it stands (without z₀) already the answer?
bool LemkePath::try_index_set() {
  for (Index i = free_; i < n_; ++i) {
    if (basis_.row_position(i) < 0 && ws_(i) < 0.0 && basis_.size() == 0) return false;  // w = q, exactly
  }
  rows_.clear();
  columns_.clear();
  for (Index p = 0; p < basis_.size(); ++p) {
    rows_.push_back(basis_.row(p));
    columns_.push_back(basis_.column(p));
    if (is_bounded(basis_.column(p)) && x_(p) < -1e-8) return false;  // far from an answer: do not polish
  }
  xs_.setZero();
  const double error = polish();
  if (error <= kAccepted) return true;
  basis_.values(qs_, x_, ws_);
  return false;
}

// z₀ has become tiny beside what it was: the path may have arrived although no pivot of acceptable size lets z₀ leave. Two
// complementary index sets differ from the basis by z₀ alone; index s is the one with neither z_s nor w_s basic.
bool LemkePath::try_without_z0(Index s) {
  constexpr double kArrived = 1e-6;  // z₀, of its largest value: worth a look whether the path has arrived
  const double z0 = x_(basis_.column_position(n_));
  if (z0 > std::min(kArrived * largest_z_(n_), 0.01 * last_try_)) return false;
  last_try_ = z0;
  for (const bool z_s_basic : {false, true}) {
    rows_.clear();
    columns_.clear();
    for (Index p = 0; p < basis_.size(); ++p) {
      if (z_s_basic || basis_.row(p) != s) rows_.push_back(basis_.row(p));
      if (basis_.column(p) != n_) columns_.push_back(basis_.column(p));
    }
    if (z_s_basic) columns_.push_back(s);
    scratch_.head(n_) = ws_.head(n_);
    xs_.setZero();
    if (polish() <= kAccepted) return true;
    ws_.head(n_) = scratch_.head(n_);
  }
  return false;
}

// The column of z₀: every constrained basic variable is to grow with z₀ by its covering size, the free ones not at all.
void LemkePath::make_cover() {
  Random random(settings_.cover_seed);
  for (Index i = 0; i < n_; ++i) cover_size_(i) = settings_.cover_seed == 0 ? 1.0 : random.uniform(1.0, 1.5);
  for (Index i = 0; i < n_; ++i) cover_(i) = basis_.row_position(i) < 0 && i >= free_ ? cover_size_(i) : 0.0;
  for (Index p = 0; p < basis_.size(); ++p) {
    const Index j = basis_.column(p);
    if (is_bounded(j)) cover_.head(n_) -= cover_size_(j) * Ms_.col(j).head(n_);
  }
}

}  // namespace tribo
