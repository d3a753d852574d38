#include "solve/compliant/step_rows.hpp"

#include <algorithm>
#include <cmath>

namespace tribo::compliant {

const CompliantRows& rows_of(const CompliantProblem& problem, Family family) {
  switch (family) {
    case Family::kUnilateral:
      return problem.unilateral;
    case Family::kNormal:
      return problem.normal;
    case Family::kR:
      return problem.r;
    case Family::kS:
      return problem.s;
    default:
      return problem.bilateral;
  }
}

VectorXd& forces_of(CompliantSolution& solution, Family family) {
  switch (family) {
    case Family::kUnilateral:
      return solution.lambda_u;
    case Family::kNormal:
      return solution.lambda_n;
    case Family::kR:
      return solution.lambda_r;
    case Family::kS:
      return solution.lambda_s;
    default:
      return solution.lambda_b;
  }
}

void StepRows::add(const CompliantRows& rows, Index i, Family family, const CompliantRow& row) {
  source_.push_back({family, i});
  c_.push_back(rows.G.dot(i, v_star_) + row.offset);
  R_.push_back(row.compliance);
}

bool StepRows::assign(const CompliantProblem& problem) {
  n_ = problem.dof();
  if (!mass_.assign(problem.mass)) return false;
  v_star_ = problem.f * problem.h;
  mass_.solve(v_star_);
  v_star_ += problem.v;
  source_.clear();
  units_.clear();
  c_.clear();
  R_.clear();
  has_friction_ = false;
  only_bilateral_ = true;
  has_prestress_ = problem.product == VelocityProduct::kPaper;
  if (has_prestress_) feed_forward(problem);

  const double h = problem.h;
  const auto law = [&](const CompliantRows& rows, Index i, double S = 1.0) {
    return calc_row(rows, i, h, problem.product, S);
  };
  for (const Family family : {Family::kBilateral, Family::kUnilateral}) {
    const CompliantRows& rows = rows_of(problem, family);
    for (Index i = 0; i < rows.rows(); ++i) {
      const CompliantRow row = law(rows, i);
      if (!row.acts) continue;
      const bool bilateral = family == Family::kBilateral;
      units_.push_back({bilateral ? UnitKind::kBilateral : UnitKind::kUnilateral, this->rows(), 0, 0.0, 0.0});
      only_bilateral_ = only_bilateral_ && bilateral;
      add(rows, i, family, row);
    }
  }
  for (Index i = 0; i < problem.contacts(); ++i) {
    const CompliantRow row = law(problem.normal, i, problem.rate_scale.size() > 0 ? problem.rate_scale(i) : 1.0);
    if (!row.acts) continue;
    only_bilateral_ = false;
    Unit unit{UnitKind::kContact, rows(), 0, problem.mu(i), 0.0};
    add(problem.normal, i, Family::kNormal, row);
    for (const Family family : {Family::kR, Family::kS}) {
      const CompliantRows& tangent = rows_of(problem, family);
      if (tangent.rows() == 0 || !(unit.mu > 0.0)) continue;
      const CompliantRow along = law(tangent, i);
      if (!along.acts) continue;
      add(tangent, i, family, along);
      ++unit.tangents;
    }
    has_friction_ = has_friction_ || unit.tangents > 0;
    units_.push_back(unit);
  }
  fill(problem);
  return std::isfinite(momentum_) && std::isfinite(VectorXd::Map(c_.data(), rows()).sum()) &&
         std::isfinite(VectorXd::Map(size_.data(), rows()).sum());
}

void StepRows::fill(const CompliantProblem& problem) {
  const Index m = rows();
  const auto needed = static_cast<std::size_t>(m * n_);
  if (G_.size() < needed) G_.resize(needed);
  std::fill_n(G_.begin(), needed, 0.0);
  size_.resize(static_cast<std::size_t>(m));
  const BlockLayout& layout = problem.mass.layout();
  Index widest = 0;
  for (Index b = 0; b < layout.blocks(); ++b) widest = std::max(widest, layout.size(b));
  scratch_row_.resize(widest);
  for (Index i = 0; i < m; ++i) {
    const RowSource from = source(i);
    const BlockRows& G = rows_of(problem, from.family).G;
    double square = 0.0;
    for (int k = 0; k < 2; ++k) {
      const Index block = G.block(from.index, k);
      if (block < 0) continue;
      const Index size = layout.size(block);
      std::copy_n(G.values(from.index, k), size, scratch_row_.data());
      mass_.whiten_row(block, scratch_row_.data());
      double* out = G_.data() + layout.start(block) * m + i;
      for (Index j = 0; j < size; ++j) out[j * m] = scratch_row_(j);
      square += scratch_row_.head(size).squaredNorm();
    }
    size_[static_cast<std::size_t>(i)] = std::sqrt(square);
  }
  whitened_ = v_star_;
  mass_.whiten_velocity(whitened_);
  momentum_ = whitened_.norm();
}

// [Drumwright 2018] feeds Ġ v0 forward: λ = λ_spring − p, W p = Ġ v0 by least squares. That is the mode kSpring on
// v* − h M⁻¹ Gᵀ p: what least squares leave of Ġ v0 stays in the rate by itself (spec A.2). Bilateral rows that act alone; the
// other rows have the mode kSpring.
void StepRows::feed_forward(const CompliantProblem& problem) {
  const CompliantRows& rows = problem.bilateral;
  prestress_.setZero(rows.rows());
  if (rows.drift.size() == 0) return;
  acting_.clear();
  for (Index i = 0; i < rows.rows(); ++i) {
    if (calc_row(rows, i, problem.h, problem.product).acts) acting_.push_back(i);
  }
  const auto m = static_cast<Index>(acting_.size());
  if (m == 0) return;
  feed_forward_.resize(m, n_, false);
  VectorXd &row = whitened_, &p = fed_, &left = left_;
  row.resize(n_);
  p.resize(m);
  left.resize(m);
  for (Index k = 0; k < m; ++k) {
    const Index i = acting_[static_cast<std::size_t>(k)];
    row.setZero();
    rows.G.whiten(i, mass_, row.data());
    for (Index j = 0; j < n_; ++j) feed_forward_.column(j)[k] = row(j);
    feed_forward_.rate()[k] = rows.drift(i);
  }
  if (!feed_forward_.solve_least_norm(p.data(), left.data())) return;
  row.setZero();
  for (Index k = 0; k < m; ++k) {
    const Index i = acting_[static_cast<std::size_t>(k)];
    prestress_(i) = -problem.h * p(k);
    rows.G.add_scaled(i, prestress_(i), row);
  }
  mass_.solve(row);
  v_star_ += row;
}

void StepRows::calc_rates(const VectorXd& u, VectorXd& z) const {
  z = VectorXd::Map(c_.data(), rows());
  for (Index j = 0; j < n_; ++j) {
    if (u(j) != 0.0) z += u(j) * VectorXd::Map(column(j), rows());
  }
}

void StepRows::calc_impulse(const VectorXd& impulses, VectorXd& sum) const {
  sum.resize(n_);
  for (Index j = 0; j < n_; ++j) sum(j) = VectorXd::Map(column(j), rows()).dot(impulses);
}

void StepRows::to_whitened(const VectorXd& v1, VectorXd& u) const {
  u = v1 - v_star_;
  mass_.whiten_velocity(u);
}

void StepRows::to_velocity(const VectorXd& u, VectorXd& v1) const {
  v1 = u;
  mass_.unwhiten_velocity(v1);
  v1 += v_star_;
}

}  // namespace tribo::compliant
