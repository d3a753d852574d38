#include "solve/pivot/pair_active_set.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>

#include "solve/pivot/find_least.hpp"
#include "solve/pivot/rank_test.hpp"

namespace tribo {

void PairActiveSet::reserve(const LeastDistance& problem) {
  const Index n = problem.rows.positions(), m = problem.dof();
  if (capacity() < n) member_.resize(n);
  active_.reserve(m + 1);
  factor_.reserve(m, std::min(m, problem.rank + n));
  if (u_.size() < factor_.padded()) {
    for (VectorXd* v : {&u_, &q_, &s_, &direction_}) v->setZero(factor_.padded());
  }
  if (const std::size_t chunks = problem.rows.chunks().size(); least_.size() < chunks) least_.resize(chunks);
  const std::size_t twists = problem.rows.maps().twist_size();
  if (twists_.size() < twists) {
    twists_.resize(twists);
    start_twists_.resize(twists);
  }
}

void PairActiveSet::start(const LeastDistance& problem) {
  problem_ = &problem;
  norm_ = problem.rows.norms();
  inverse_norm_ = problem.rows.inverse_norms();
  speed_ = problem.speed;
  rank_ = problem.rank;
  start_base(problem.rows.positions());
  restart();
  problem.rows.maps().twists(Eigen::Map<const VectorXd>(problem.start.data(), problem.dof()), start_twists_.data());
}

void PairActiveSet::clear() {
  start_base(n_);
  restart();
}

void PairActiveSet::restart() {
  factor_.clear();
  factor_.start_with(problem_->Q());
}

void PairActiveSet::copy_slack(const VectorXd& w, VectorXd& out) const {
  for (const PairRows::Run& run : problem_->rows.runs()) {
    for (Index i = 0; i < run.count; ++i) out(run.row + i * run.step) = w(run.position + i);
  }
}

Index PairActiveSet::find_violated(const VectorXd& w, double floor) const {
  const auto chunks = problem_->rows.chunks();
  Index best = -1;
  double least = -floor;
  for (Index c = 0; c < static_cast<Index>(chunks.size()); ++c) {
    if (!(least_[c] < least)) continue;
    least = least_[c];
    best = c;
  }
  if (best < 0) return -1;
  const PairRows::Chunk& chunk = chunks[best];
  const Index i = find_least(w.data() + chunk.begin, inverse_norm_ + chunk.begin, chunk.count, floor);
  return i < 0 ? -1 : chunk.begin + i;
}

void PairActiveSet::forget(Index i, const VectorXd& w) {
  const Index c = problem_->rows.chunk(i);
  const PairRows::Chunk& chunk = problem_->rows.chunks()[c];
  const Index at = find_least(w.data() + chunk.begin, inverse_norm_ + chunk.begin, chunk.count, 0.0);
  least_[c] = at < 0 ? 0.0 : w(chunk.begin + at) * inverse_norm_[chunk.begin + at];
}

void PairActiveSet::split(Index i) {
  problem_->rows.add_scaled(i, 1.0, factor_.input());
  rest_ = factor_.test_input();
}

bool PairActiveSet::test(Index i) {
  split(i);
  schur_ = rest_ * rest_;
  if (factor_.size() == factor_.capacity()) schur_ = 0.0;  // no room for another independent row
  const double share = schur_ * inverse_norm_[i] * inverse_norm_[i];
  if (!(share > kDependentRows)) return false;
  if (share > kSuspicious) return true;
  return rest_ > kRounding * combined_norm(i, direction());
}

const VectorXd& PairActiveSet::direction() {
  const Index k = size();
  direction_.head(k) = factor_.c().tail(k);
  factor_.solve_upper(direction_.head(k), rank_);
  return direction_;
}

void PairActiveSet::append(Index i) {
  const PairMaps::Pair& pair = problem_->rows.maps()[problem_->rows.pair(i)];
  q_(size()) = problem_->rows.dot(i, start_twists_.data() + pair.twist) + problem_->offset[i];
  factor_.append();
  push(i);
}

void PairActiveSet::remove(Index position) {
  for (Index p = position; p + 1 < size(); ++p) q_(p) = q_(p + 1);
  factor_.remove(rank_ + position);
  erase(position);
  if (removals_ >= kRemovalsBeforeRefresh) refresh();
}

void PairActiveSet::refresh() {
  removals_ = 0;
  restart();
  for (const Index i : active_) {
    split(i);
    factor_.append();
  }
}

void PairActiveSet::solve(VectorXd& z) {  // (2)
  const Index k = size();
  s_.head(k) = -q_.head(k);
  factor_.solve_lower(s_.head(k), rank_);
  z.head(k) = s_.head(k);
  factor_.solve_upper(z.head(k), rank_);
}

void PairActiveSet::slack(const VectorXd&, VectorXd& w) {  // (3)
  const Index m = problem_->dof();
  if (n_ == 0) return;
  std::copy_n(problem_->start.data(), m, u_.data());
  std::fill(u_.data() + m, u_.data() + factor_.padded(), 0.0);
  factor_.add_span(s_.data(), rank_, u_.data());
  problem_->rows.maps().twists(u_.head(m), twists_.data());
  problem_->rows.multiply(twists_.data(), problem_->offset.data(), w.data(), least_.data());
  defect_ = 0.0;
  const double speed = speed_ > 0.0 ? speed_ : 1.0;
  for (const Index i : active_) {
    defect_ = std::max(defect_, std::abs(w(i)) * inverse_norm_[i] / speed);
    const bool matters = w(i) * inverse_norm_[i] < -floor();
    w(i) = 0.0;
    if (matters) forget(i, w);
  }
}

bool PairActiveSet::is_negative(Index i, double w, const VectorXd&) const {
  return w < -kNegativeSlack * norm_[i] * speed_;
}

bool PairActiveSet::is_noise(Index i, double w, const VectorXd&) const { return w >= -1e-8 * norm_[i] * speed_; }

void PairActiveSet::refine(VectorXd& z, VectorXd& w) {
  if (!(defect_ > 1e-10)) return;  // spec B.4
  refresh();
  solve(z);
  slack(z, w);
}

bool PairActiveSet::farkas(Index p, VectorXd& y) {
  y = VectorXd::Zero(problem_->size());
  y(caller_row(p)) = 1.0;
  VectorXd sum = VectorXd::Zero(problem_->dof());
  problem_->rows.add_scaled(p, 1.0, sum.data());
  double total = norm_[p];
  for (Index j = 0; j < size(); ++j) {
    const double weight = std::max(0.0, -direction_(j));
    y(caller_row(active_[j])) = weight;
    problem_->rows.add_scaled(active_[j], weight, sum.data());
    total += norm_[active_[j]] * weight;
  }
  sum -= problem_->Q() * (problem_->Q().transpose() * sum);
  return sum.norm() <= 1e-9 * total;  // spec B.6
}

}  // namespace tribo
