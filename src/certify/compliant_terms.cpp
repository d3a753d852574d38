#include "certify/compliant_terms.hpp"

#include "tribo/certify/compliant.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <Eigen/QR>

namespace tribo {
namespace {

std::array<const CompliantRows*, 5> families_of(const CompliantProblem& problem) {
  return {&problem.bilateral, &problem.unilateral, &problem.normal, &problem.r, &problem.s};
}

// Blocks that rows join, by union and find.
class Joined {
 public:
  explicit Joined(Index blocks) : parent_(static_cast<std::size_t>(blocks)) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index root(Index b) {
    while (at(b) != b) b = at(b) = at(at(b));
    return b;
  }
  void join(Index a, Index b) { at(root(a)) = root(b); }

 private:
  Index& at(Index b) { return parent_[static_cast<std::size_t>(b)]; }
  IndexList parent_;
};

void join_blocks(CompliantTerms& terms) {
  const Index blocks = terms.problem->mass.blocks();
  Joined joined(blocks);
  for (const CompliantRows* rows : families_of(*terms.problem)) {
    for (Index i = 0; i < rows->rows(); ++i) {
      if (rows->G.block(i, 0) >= 0 && rows->G.block(i, 1) >= 0) joined.join(rows->G.block(i, 0), rows->G.block(i, 1));
    }
  }
  terms.island.resize(static_cast<std::size_t>(blocks));
  for (Index b = 0; b < blocks; ++b) terms.island[static_cast<std::size_t>(b)] = joined.root(b);
}

// |x|_M of every island joins its us.
void include_speed(CompliantTerms& terms, VectorXd x) {
  terms.factor.whiten_velocity(x);
  const BlockLayout& layout = terms.problem->mass.layout();
  VectorXd squared = VectorXd::Zero(layout.blocks());
  for (Index b = 0; b < layout.blocks(); ++b) {
    squared(terms.island[static_cast<std::size_t>(b)]) += x.segment(layout.start(b), layout.size(b)).squaredNorm();
  }
  terms.speed = terms.speed.cwiseMax(squared.cwiseSqrt());
}

constexpr Index kFew = 8;

double compliant_norm(const CompliantTerms& terms, const BlockRows& rows, Index i) {
  double squared = 0.0;
  for (const BlockRows::Segment& part : rows.row(i)) {
    if (part.block < 0) continue;
    const auto size = static_cast<Index>(part.values.size());
    double few[kFew];  // most blocks are bodies; no memory is taken for them
    VectorXd many(size > kFew ? size : 0);
    double* x = size > kFew ? many.data() : few;
    std::copy_n(part.values.data(), size, x);
    terms.factor.whiten_row(part.block, x);
    for (Index k = 0; k < size; ++k) squared += x[k] * x[k];
  }
  return std::sqrt(squared);
}

}  // namespace

Index CompliantTerms::island_of(const BlockRows& rows, Index i) const {
  for (int k = 0; k < 2; ++k) {
    if (rows.block(i, k) >= 0) return island[static_cast<std::size_t>(rows.block(i, k))];
  }
  return -1;
}

bool calc_terms(const CompliantProblem& problem, const CompliantSolution& solution, CompliantTerms& terms) {
  terms.problem = &problem;
  terms.solution = &solution;
  if (!terms.factor.assign(problem.mass)) return false;
  join_blocks(terms);
  terms.speed.setZero(problem.mass.blocks());
  terms.impulses.setZero(problem.mass.blocks());
  VectorXd free = problem.f;
  terms.factor.solve(free);
  include_speed(terms, problem.v);
  include_speed(terms, problem.v + problem.h * free);
  include_speed(terms, solution.v1);
  const std::array forces = {&solution.lambda_b, &solution.lambda_u, &solution.lambda_n, &solution.lambda_r,
                             &solution.lambda_s};
  const auto families = families_of(problem);
  for (std::size_t k = 0; k < families.size(); ++k) {
    for (Index i = 0; i < families[k]->rows(); ++i) {
      const Index island = terms.island_of(families[k]->G, i);
      if (island < 0 || (*forces[k])(i) == 0.0) continue;
      const double impulse = compliant_norm(terms, families[k]->G, i) * std::abs(problem.h * (*forces[k])(i));
      terms.impulses(island) = std::max(terms.impulses(island), impulse);
    }
  }
  return true;
}

CompliantRowState calc_row_state(const CompliantTerms& terms, const CompliantRows& rows, Index i, double lambda,
                                 double rate_scale, bool bilateral, double fed) {
  const CompliantProblem& problem = *terms.problem;
  CompliantRowState state;
  const CompliantRow row = calc_row(rows, i, problem.h, problem.product, rate_scale);
  const Index island = terms.island_of(rows.G, i);
  state.acts = row.acts;
  state.pi = problem.h * lambda;
  state.norm = compliant_norm(terms, rows.G, i);
  state.us = island < 0 ? 0.0 : terms.speed(island);
  if (!row.acts) return state;
  const double own = state.pi + problem.h * fed;
  state.compliance = row.compliance;
  AccurateSum sum(accurate_row(rows.G, i, terms.solution->v1, row.offset));
  sum.add_product(row.compliance, own);
  state.e = sum.value();
  state.scale = kSpeedShare * state.norm * state.us + row.compliance * std::abs(own) +
                (state.norm > 0.0 ? row.compliance * state.us / state.norm : 0.0) +
                (bilateral ? std::abs(row.offset) : std::max(-row.offset, 0.0));
  return state;
}

std::vector<CompliantRowMeasure> measure_rows(const CompliantProblem& problem, const CompliantSolution& solution) {
  std::vector<CompliantRowMeasure> measures;
  CompliantTerms terms;
  if (!calc_terms(problem, solution, terms)) return measures;
  const std::array forces = {&solution.lambda_b, &solution.lambda_u, &solution.lambda_n, &solution.lambda_r,
                             &solution.lambda_s};
  const auto families = families_of(problem);
  for (std::size_t k = 0; k < families.size(); ++k) {
    const CompliantRows& rows = *families[k];
    for (Index i = 0; i < rows.rows(); ++i) {
      const double S = &rows == &problem.normal && problem.rate_scale.size() > 0 ? problem.rate_scale(i) : 1.0;
      const CompliantRowState row = calc_row_state(terms, rows, i, (*forces[k])(i), S, &rows == &problem.bilateral);
      measures.push_back(row.acts ? CompliantRowMeasure{row.e, row.scale, row.weight()} : CompliantRowMeasure{});
    }
  }
  return measures;
}

double complementarity_gap(const CompliantRowState& row, double e) {
  return std::abs(std::min(e, row.weight() * row.pi));
}

VectorXd calc_fed_forward(const CompliantTerms& terms) {
  const CompliantProblem& problem = *terms.problem;
  const CompliantRows& rows = problem.bilateral;
  VectorXd fed = VectorXd::Zero(rows.rows());
  if (problem.product != VelocityProduct::kPaper || rows.drift.size() == 0) return fed;
  IndexList acting;
  for (Index i = 0; i < rows.rows(); ++i) {
    if (calc_row(rows, i, problem.h, problem.product).acts) acting.push_back(i);
  }
  const Index m = static_cast<Index>(acting.size());
  if (m == 0) return fed;
  MatrixXd whitened = MatrixXd::Zero(problem.dof(), m);
  VectorXd drift(m);
  for (Index k = 0; k < m; ++k) {
    rows.G.whiten(acting[static_cast<std::size_t>(k)], terms.factor, whitened.col(k).data());
    drift(k) = rows.drift(acting[static_cast<std::size_t>(k)]);
  }
  const MatrixXd W = whitened.transpose() * whitened;
  const VectorXd p = Eigen::CompleteOrthogonalDecomposition<MatrixXd>(W).solve(drift);
  for (Index k = 0; k < m; ++k) fed(acting[static_cast<std::size_t>(k)]) = p(k);
  return fed;
}

}  // namespace tribo
