#include "solve/pivot/pair_active_set.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/padded.hpp"

#include <algorithm>
#include <cmath>

#include "solve/pivot/rank_test.hpp"

namespace tribo {

void PairActiveSet::reserve(const LeastDistance& problem) {
  const Index n = problem.rows.positions(), m = problem.dof();
  if (capacity() < n) member_.resize(n);
  active_.reserve(m + 1);
  factor_.reserve(m, std::min(m, problem.rank + n));
  if (u_.size() < factor_.padded()) {
    for (VectorXd* v : {&u_, &q_, &s_, &norm_, &direction_}) v->setZero(factor_.padded());
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
  solved_ = moved_ = 0;
  factor_.clear();
  factor_.start_with(problem_->fixed.data(), rank_);
}

void PairActiveSet::copy_slack(const VectorXd& w, VectorXd& out) const {
  for (const PairRows::Run& run : problem_->rows.runs()) {
    if (run.step == 1) {
      std::copy_n(w.data() + run.position, run.count, out.data() + run.row);
    } else {
      for (Index i = 0; i < run.count; ++i) out(run.row + i * run.step) = w(run.position + i);
    }
  }
}

Index PairActiveSet::find_in_chunk(Index c, const VectorXd& w) const {
  using padded::Lanes;
  using padded::lanes;
  const PairRows::Chunk& chunk = problem_->rows.chunks()[c];
  const double* weight = problem_->rows.weights();
  Index best = -1;
  double least = 0.0;
  for (Index i = chunk.begin; i < chunk.begin + chunk.count; i += padded::kLanes) {
    const Lanes value = lanes(w.data() + i).v;
    Lanes scored = value * (value < 0.0 ? -value : value) * lanes(weight + i).v;
    const double smallest = padded::least_of(scored);
    if (!(smallest < least)) continue;
    least = smallest;
    for (best = i; !(scored[best - i] == smallest);) ++best;
  }
  return best;
}

Index PairActiveSet::find_violated(const VectorXd& w, double floor) const {
  const auto chunks = static_cast<Index>(problem_->rows.chunks().size());
  const double* score = least_.data();
  padded::Lanes eight = {};
  Index c = 0;
  for (; c + padded::kLanes <= chunks; c += padded::kLanes) {
    const padded::Lanes next = padded::lanes(score + c).v;
    eight = next < eight ? next : eight;
  }
  double least = padded::least_of(eight);
  for (; c < chunks; ++c) least = std::min(least, score[c]);
  if (!(least < -floor * floor)) return -1;
  return find_in_chunk(std::find(score, score + chunks, least) - score, w);
}

void PairActiveSet::forget(Index i, const VectorXd& w) {
  const Index c = problem_->rows.chunk(i);
  const Index at = find_in_chunk(c, w);
  least_[c] = at < 0 ? 0.0 : score(at, w);
}

void PairActiveSet::split(Index i) {
  problem_->rows.add_scaled(i, 1.0, factor_.input());
  rest_ = factor_.test_input();
}

bool PairActiveSet::test(Index i) {
  split(i);
  schur_ = rest_ * rest_;
  if (factor_.size() == factor_.capacity()) schur_ = 0.0;  // no room for another independent row
  const double share = schur_ * problem_->rows.weights()[i];
  if (!(share > kDependentRows)) return false;
  if (share > kSuspicious) return true;
  double combined = row_norm(i);
  const VectorXd& r = direction();
  for (Index p = 0; p < size(); ++p) combined += std::abs(r(p)) * norm_(p);
  return rest_ > kRounding * combined;
}

const VectorXd& PairActiveSet::direction() {
  const Index k = size();
  direction_.head(k) = factor_.c().tail(k);
  factor_.solve_upper(direction_.head(k), rank_);
  return direction_;
}

void PairActiveSet::append(Index i) {
  const PairMaps::Pair& pair = problem_->rows.maps()[problem_->rows.pair(i)];
  q_(size()) = problem_->rows.dot(i, start_twists_.data() + pair.twist) + problem_->offset_at(i);
  norm_(size()) = row_norm(i);
  factor_.append();
  push(i);
}

void PairActiveSet::remove(Index position) {
  for (Index p = position; p + 1 < size(); ++p) {
    q_(p) = q_(p + 1);
    norm_(p) = norm_(p + 1);
  }
  factor_.remove(rank_ + position);
  erase(position);
  solved_ = std::min(solved_, position);
  if (moved_ > position) moved_ = 0;
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
  for (; solved_ < k; ++solved_) {
    s_(solved_) = -q_(solved_);
    s_(solved_) = factor_.calc_lower(s_.data(), solved_, rank_);
  }
  z.head(k) = s_.head(k);
  factor_.solve_upper(z.head(k), rank_);
}

void PairActiveSet::slack(const VectorXd&, VectorXd& w) {  // (3)
  const Index m = problem_->dof();
  if (n_ == 0) return;
  if (moved_ == 0) {
    std::copy_n(problem_->start.data(), m, u_.data());
    std::fill(u_.data() + m, u_.data() + factor_.padded(), 0.0);
  }
  factor_.add_span(s_.data() + moved_, rank_ + moved_, u_.data());
  moved_ = size();
  problem_->rows.maps().twists(u_.head(m), twists_.data());
  problem_->rows.multiply(twists_.data(), problem_->offsets(), w.data(), least_.data());
  double largest = 0.0;
  const double speed = speed_ > 0.0 ? speed_ : 1.0, least = floor() * floor();
  for (const Index i : active_) {
    const double scored = score(i, w);
    largest = std::max(largest, std::abs(scored));
    w(i) = 0.0;
    if (scored < -least) forget(i, w);
  }
  defect_ = std::sqrt(largest) / speed;
}

bool PairActiveSet::is_negative(Index i, double w, const VectorXd&) const {
  return PairRows::score(w, problem_->rows.weights()[i]) < -floor() * floor();
}

bool PairActiveSet::is_noise(Index i, double w, const VectorXd&) const { return w >= -1e-8 * row_norm(i) * speed_; }

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
  double total = row_norm(p);
  for (Index j = 0; j < size(); ++j) {
    const double weight = std::max(0.0, -direction_(j));
    y(caller_row(active_[j])) = weight;
    problem_->rows.add_scaled(active_[j], weight, sum.data());
    total += row_norm(active_[j]) * weight;
  }
  sum -= problem_->Q() * (problem_->Q().transpose() * sum);
  return sum.norm() <= 1e-9 * total;  // spec B.6
}

}  // namespace tribo
