// One island of few degrees of freedom, given by its bodies, solved by EnergyNewton on a ReducedOperator: a robot with its contacts,
// dry friction, limits and closed loops.
#pragma once

#include "tribo/problem/cone_problem.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solve/cone/energy_newton.hpp"
#include "solve/cone/reduced_operator.hpp"

namespace tribo::cone {

template <int D>
class ReducedIsland {
 public:
  // Degrees of freedom that the bilateral rows leave, above which the dense matrices would cost more than they bring.
  static constexpr Index kMostFreedom = 64;

  void reserve(const ConeProblem& problem) { met_.reserve(static_cast<std::size_t>(problem.H.block_cols)); }
  bool suits(const ConeProblem& problem, std::span<const std::int32_t> members);

  // The island, ready for solve(). `scale`, `size`: by contact; `redundant`: see reduced_operator.hpp. False: its bilateral rows
  // contradict one another.
  bool assign(const ConeProblem& problem, std::span<const std::int32_t> members, std::span<const double> scale,
              std::span<const double> size, double most_mu, double redundant, double tolerance);
  bool has_bilateral() const { return !bilateral_.empty(); }
  // From nothing, or from the impulses r, in the caller's unit and by contact, where they are those of a motion nearby. True: they are
  // the answer then.
  bool solve(bool nearby, double tolerance, VectorXd& r, IslandCounts& counts);

 private:
  static constexpr int L = kLanes<D>;
  static constexpr double kNearbyAlpha = 0.01;
  static constexpr int kNearbySteps = 60, kMostSteps = 300;  // of Newton's method

  void split(const ConeProblem& problem, std::span<const std::int32_t> members);
  void fill_rows(const ConeProblem& problem, const std::vector<std::int32_t>& blocks, std::span<const double> scale,
                 MatrixXd& rows) const;

  std::span<const double> scale_;
  std::vector<std::int32_t> unilateral_, bilateral_;  // members
  std::vector<std::int32_t> column_;                  // of each column of blocks: its place, −1
  std::vector<std::uint8_t> met_;                     // columns of blocks
  Index columns_ = 0;
  MatrixXd rows_, bilateral_rows_;
  VectorXd R_, q_b_, r_b_;
  IslandSolver<D, ReducedOperator<D>> island_;
  EnergyNewton<D, ReducedOperator<D>> newton_;
};

template <int D>
bool ReducedIsland<D>::suits(const ConeProblem& problem, std::span<const std::int32_t> members) {
  if (!problem.by_bodies()) return false;
  Index most = kMostFreedom;
  for (const std::int32_t i : members) {
    if (problem.is_bilateral(i)) most += D;
  }
  met_.assign(static_cast<std::size_t>(problem.H.block_cols), 0);
  Index columns = 0;
  for (const std::int32_t i : members) {
    for (const std::int32_t column : problem.H.columns(i)) {
      columns += met_[static_cast<std::size_t>(column)] == 0 ? problem.H.width : 0;
      met_[static_cast<std::size_t>(column)] = 1;
    }
    if (columns > most) return false;
  }
  return true;
}

template <int D>
void ReducedIsland<D>::split(const ConeProblem& problem, std::span<const std::int32_t> members) {
  unilateral_.clear();
  bilateral_.clear();
  column_.assign(static_cast<std::size_t>(problem.H.block_cols), -1);
  columns_ = 0;
  for (const std::int32_t i : members) {
    (problem.is_bilateral(i) ? bilateral_ : unilateral_).push_back(i);
    for (const std::int32_t column : problem.H.columns(i)) {
      if (column_[column] < 0) column_[column] = static_cast<std::int32_t>(columns_++);
    }
  }
}

template <int D>
void ReducedIsland<D>::fill_rows(const ConeProblem& problem, const std::vector<std::int32_t>& blocks,
                                 std::span<const double> scale, MatrixXd& rows) const {
  const int width = problem.H.width;
  rows.setZero(static_cast<Index>(blocks.size()) * D, columns_ * width);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::int32_t block = blocks[i];
    for (Index k = problem.H.start[block]; k < problem.H.start[block + 1]; ++k) {
      const Index first = Index{column_[problem.H.column[k]]} * width;
      const double* in = problem.H.block(k);
      for (int c = 0; c < width; ++c) {
        for (int a = 0; a < D; ++a) rows(static_cast<Index>(i) * D + a, first + c) = scale[block] * in[c * D + a];
      }
    }
  }
}

template <int D>
bool ReducedIsland<D>::assign(const ConeProblem& problem, std::span<const std::int32_t> members,
                              std::span<const double> scale, std::span<const double> size, double most_mu,
                              double redundant, double tolerance) {
  split(problem, members);
  fill_rows(problem, unilateral_, scale, rows_);
  fill_rows(problem, bilateral_, scale, bilateral_rows_);
  const auto n = static_cast<Index>(unilateral_.size()), joined = static_cast<Index>(bilateral_.size());
  scale_ = scale;
  double allowed = std::numeric_limits<double>::infinity();
  q_b_.resize(joined * D);
  for (Index i = 0; i < joined; ++i) {
    const std::int32_t block = bilateral_[static_cast<std::size_t>(i)];
    q_b_.segment(i * D, D) = scale[block] * problem.q.segment(Index{block} * D, D);
    allowed = std::min(allowed, tolerance * scale[block] * size[block]);
  }
  R_.resize(n * D);
  for (Index i = 0; i < n; ++i) {
    const std::int32_t block = unilateral_[static_cast<std::size_t>(i)];
    R_.segment(i * D, D) = scale[block] * scale[block] * problem.R.segment(Index{block} * D, D);
  }
  if (!island_.op.assign(rows_, R_, bilateral_rows_, q_b_, redundant, allowed)) return false;
  island_.resize(n);
  for (Index i = 0; i < n; ++i) {
    const std::int32_t block = unilateral_[static_cast<std::size_t>(i)];
    for (int k = 0; k < D; ++k)
      island_.q[i * L + k] = scale[block] * problem.q(Index{block} * D + k) + island_.op.offset()(i * D + k);
    island_.mu[i] = std::min(problem.mu(block), most_mu);
    island_.inverse_scale[i] = 1.0 / (scale[block] * size[block]);
  }
  return true;
}

template <int D>
bool ReducedIsland<D>::solve(bool nearby, double tolerance, VectorXd& r, IslandCounts& counts) {
  const auto n = static_cast<Index>(unilateral_.size());
  for (Index i = 0; i < n; ++i) {
    const std::int32_t block = unilateral_[static_cast<std::size_t>(i)];
    for (int k = 0; k < D; ++k) island_.r[i * L + k] = nearby ? r(Index{block} * D + k) / scale_[block] : 0.0;
    // A load that nothing but its own spring decides (dry friction: its bound) is known beforehand.
    if (R_(i * D) > 0.0 && rows_.row(i * D).isZero(0.0)) island_.r[i * L] = -island_.q[i * L] / R_(i * D);
  }
  if (!newton_.solve(island_, nearby ? kNearbyAlpha : 1.0, tolerance, nearby ? kNearbySteps : kMostSteps, counts))
    return false;
  island_.op.calc_bilateral(island_.r.data(), r_b_);
  for (Index i = 0; i < n; ++i) {
    const std::int32_t block = unilateral_[static_cast<std::size_t>(i)];
    for (int k = 0; k < D; ++k) r(Index{block} * D + k) = scale_[block] * island_.r[i * L + k];
  }
  for (std::size_t i = 0; i < bilateral_.size(); ++i) {
    const std::int32_t block = bilateral_[i];
    r.segment(Index{block} * D, D) = scale_[block] * r_b_.segment(static_cast<Index>(i) * D, D);
  }
  return true;
}

}  // namespace tribo::cone
