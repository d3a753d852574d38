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

const VectorXd& forces_of(const CompliantSolution& solution, Family family) {
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

VectorXd& forces_of(CompliantSolution& solution, Family family) {
  return const_cast<VectorXd&>(forces_of(static_cast<const CompliantSolution&>(solution), family));
}

void StepRows::add(const CompliantRows& rows, Index i, Family family, const CompliantRow& row) {
  source_.push_back({family, i});
  blocks_.push_back({rows.G.block(i, 0), rows.G.block(i, 1)});
  c_.push_back(row.offset);
  R_.push_back(row.compliance);
}

bool StepRows::assign(const CompliantProblem& problem, bool by_units) {
  by_units_ = by_units;
  n_ = problem.dof();
  if (!mass_.assign(problem.mass)) return false;
  v_star_ = problem.f * problem.h;
  mass_.solve(v_star_);
  v_star_ += problem.v;
  layout_ = problem.mass.layout();
  source_.clear();
  blocks_.clear();
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
  if (by_units_) {
    fill_units(problem);
  } else {
    fill_columns(problem);
  }
  whitened_ = v_star_;
  mass_.whiten_velocity(whitened_);
  momentum_ = whitened_.norm();
  given_R_ = R_;
  softened_ = false;
  return std::isfinite(momentum_) && std::isfinite(VectorXd::Map(c_.data(), rows()).sum()) &&
         std::isfinite(VectorXd::Map(size_.data(), rows()).sum());
}

// Rows as they are, c from them, then all of them whitened column by column: y ← L⁻¹ y, which for bodies is little more than a
// scale.
void StepRows::fill_columns(const CompliantProblem& problem) {
  const Index m = rows();
  const auto needed = static_cast<std::size_t>(m * n_);
  if (G_.size() < needed) G_.resize(needed);
  std::fill_n(G_.begin(), needed, 0.0);
  const BlockLayout& layout = problem.mass.layout();
  for (Index i = 0; i < m; ++i) {
    const RowSource from = source(i);
    const BlockRows& G = rows_of(problem, from.family).G;
    for (int k = 0; k < 2; ++k) {
      const Index block = blocks_[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
      if (block < 0) continue;
      const double* values = G.values(from.index, k);
      double* out = G_.data() + layout.start(block) * m + i;
      for (Index j = 0; j < layout.size(block); ++j) out[j * m] = values[j];
    }
  }
  add_rates(v_star_.data(), c_.data());
  size_.assign(static_cast<std::size_t>(m), 0.0);
  Eigen::Map<Eigen::ArrayXd> size(size_.data(), m);
  for (Index b = 0; b < layout.blocks(); ++b) {
    const MatrixXd& L = mass_.block(b);
    for (Index j = 0; j < layout.size(b); ++j) {
      Eigen::Map<Eigen::ArrayXd> y(G_.data() + (layout.start(b) + j) * m, m);
      for (Index k = 0; k < j; ++k) {
        if (L(j, k) != 0.0) y -= L(j, k) * Eigen::Map<const Eigen::ArrayXd>(column(layout.start(b) + k), m);
      }
      y *= mass_.inverse_diagonal(b)[j];
      size += y.square();
    }
  }
  size = size.sqrt();
}

void StepRows::fill_units(const CompliantProblem& problem) {
  const BlockLayout& layout = problem.mass.layout();
  nodes_.clear();
  first_node_.clear();
  Index widest = 0;
  for (Index b = 0; b < layout.blocks(); ++b) {
    first_node_.push_back(static_cast<std::int32_t>(nodes_.size()));
    for (Index at = 0; at < layout.size(b); at += kNode) {
      nodes_.push_back({layout.start(b) + at, static_cast<int>(std::min<Index>(kNode, layout.size(b) - at))});
    }
    widest = std::max(widest, layout.size(b));
  }
  first_node_.push_back(static_cast<std::int32_t>(nodes_.size()));
  scratch_row_.resize(widest);
  unit_nodes_.clear();
  unit_nodes_start_.assign(1, 0);
  unit_of_.clear();
  wide_start_.assign(1, 0);
  size_.assign(static_cast<std::size_t>(rows()), 0.0);
  for (const Unit& unit : units_) {
    const auto begin = static_cast<std::size_t>(unit_nodes_start_.back());
    for (Index i = unit.first; i < unit.first + unit.size(); ++i) {
      for (const Index block : blocks_[static_cast<std::size_t>(i)]) {
        if (block < 0) continue;
        const auto at = static_cast<std::size_t>(block);
        for (std::int32_t node = first_node_[at]; node < first_node_[at + 1]; ++node) {
          if (std::find(unit_nodes_.begin() + static_cast<std::ptrdiff_t>(begin), unit_nodes_.end(), node) ==
              unit_nodes_.end())
            unit_nodes_.push_back(node);
        }
      }
    }
    const std::size_t width = (unit_nodes_.size() - begin) * kNode;
    for (Index i = unit.first; i < unit.first + unit.size(); ++i) {
      unit_of_.push_back(static_cast<Index>(unit_nodes_start_.size()) - 1);
      wide_start_.push_back(wide_start_.back() + width);
    }
    unit_nodes_start_.push_back(static_cast<std::int32_t>(unit_nodes_.size()));
  }
  if (G_.size() < wide_size()) G_.resize(wide_size());
  std::fill_n(G_.begin(), wide_size(), 0.0);
  for (Index i = 0; i < rows(); ++i) {
    const RowSource from = source(i);
    const BlockRows& G = rows_of(problem, from.family).G;
    const auto unit = static_cast<std::size_t>(unit_of(i));
    c_[static_cast<std::size_t>(i)] += G.dot(from.index, v_star_);
    double square = 0.0;
    for (int k = 0; k < 2; ++k) {
      const Index block = G.block(from.index, k);
      if (block < 0) continue;
      const Index size = layout.size(block);
      std::copy_n(G.values(from.index, k), size, scratch_row_.data());
      mass_.whiten_row(block, scratch_row_.data());
      square += scratch_row_.head(size).squaredNorm();
      const auto* nodes = unit_nodes_.data() + unit_nodes_start_[unit];
      const std::int32_t first = first_node_[static_cast<std::size_t>(block)];
      std::size_t place = 0;
      while (nodes[place] != first) ++place;  // the nodes of a block follow one another
      std::copy_n(scratch_row_.data(), size, G_.data() + wide_start_[static_cast<std::size_t>(i)] + place * kNode);
    }
    size_[static_cast<std::size_t>(i)] = std::sqrt(square);
  }
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

void StepRows::soften(double share) {
  softened_ = false;
  for (std::size_t i = 0; i < R_.size(); ++i) {
    R_[i] = std::max(given_R_[i], share * size_[i] * size_[i]);
    softened_ = softened_ || R_[i] > given_R_[i];
  }
}

void StepRows::calc_block_speeds(const VectorXd& u, VectorXd& speeds) const {
  speeds.resize(layout_.blocks());
  for (Index b = 0; b < layout_.blocks(); ++b) {
    const Index start = layout_.start(b), size = layout_.size(b);
    speeds(b) = std::max(whitened_.segment(start, size).norm(), u.segment(start, size).norm());
  }
}

double StepRows::speed(Index i, const VectorXd& speeds) const {
  double largest = 0.0;
  for (const Index block : blocks_[static_cast<std::size_t>(i)]) {
    if (block >= 0) largest = std::max(largest, speeds(block));
  }
  return largest;
}

void StepRows::calc_rates(const VectorXd& u, VectorXd& z) const {
  z = VectorXd::Map(c_.data(), rows());
  add_rates(u.data(), z.data());
}

void StepRows::calc_impulse(const VectorXd& impulses, VectorXd& sum) const {
  sum.setZero(n_);
  add_impulse(impulses.data(), sum.data());
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
