#include "certify/compliant_program_terms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tribo {

namespace {

// One entry of x: a row of the problem.
struct ProgramEntry {
  const CompliantRows* rows = nullptr;
  Index index = 0;
};

class ProgramCollector {
 public:
  ProgramCollector(const CompliantProblem& problem, double zeta, const CompliantSolution& solution, ProgramTerms& terms)
      : problem_(problem), solution_(solution), terms_(terms) {
    for (Index i = 0; i < problem.unilateral.rows(); ++i) {
      add_unit(problem.unilateral, i, 1.0, zeta, solution.lambda_u(i), i);
    }
    for (Index i = 0; i < problem.contacts(); ++i) add_contact(i, zeta);
    const Index n = static_cast<Index>(entries.size());
    terms.x = Eigen::Map<const LongVector>(x_.data(), n);
    terms.c = Eigen::Map<const LongVector>(offset_.data(), n);
    terms.weight = Eigen::Map<const LongVector>(weight_.data(), n);
  }
  std::vector<ProgramEntry> entries;

 private:
  bool add(const CompliantRows& rows, Index i, double rate_scale, double weight, double force, bool tangent) {
    const CompliantRow row = calc_row(rows, i, problem_.h, problem_.product, rate_scale);
    if (!row.acts) {
      refuse_force(force);
      return false;
    }
    entries.push_back({&rows, i});
    x_.push_back(force);
    offset_.push_back(row.offset);
    weight_.push_back(weight);
    terms_.D.push_back(row.D);
    terms_.tangent.push_back(tangent);
    return true;
  }
  bool add_unit(const CompliantRows& rows, Index i, double rate_scale, double zeta, double force, Index multiplier) {
    if (!add(rows, i, rate_scale, zeta, force, false)) return false;
    terms_.units.push_back({static_cast<Index>(entries.size()) - 1, 1, 0.0, multiplier});
    return true;
  }
  void add_contact(Index i, double zeta) {
    const double scale = problem_.rate_scale.size() > 0 ? problem_.rate_scale(i) : 1.0;
    const bool there = add_unit(problem_.normal, i, scale, zeta, solution_.lambda_n(i), problem_.unilateral.rows() + i);
    add_tangent(problem_.r, i, there, solution_.lambda_r);
    add_tangent(problem_.s, i, there, solution_.lambda_s);
  }
  void add_tangent(const CompliantRows& rows, Index i, bool there, const VectorXd& forces) {
    if (rows.rows() == 0) return;
    if (!there || !(problem_.mu(i) > 0.0)) {
      refuse_force(forces(i));
    } else if (add(rows, i, 1.0, 1.0, forces(i), true)) {
      terms_.units.back().mu = problem_.mu(i);
      ++terms_.units.back().size;
    }
  }
  void refuse_force(double force) { terms_.idle = std::max(terms_.idle, std::abs(force)); }

  const CompliantProblem& problem_;
  const CompliantSolution& solution_;
  ProgramTerms& terms_;
  std::vector<long double> x_, offset_, weight_;
};

LongVector dense_row(const BlockRows& G, Index i) {
  LongVector row = LongVector::Zero(G.cols());
  for (const BlockRows::Segment& part : G.row(i)) {
    if (part.block < 0) continue;
    for (std::size_t k = 0; k < part.values.size(); ++k) {
      row(G.layout().start(part.block) + static_cast<Index>(k)) = part.values[k];
    }
  }
  return row;
}

}  // namespace

bool solve_long(LongMatrix& A, LongMatrix& B) {
  const Index n = A.rows();
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i) {
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    }
    if (!(std::abs(A(pivot, k)) > 0) || !std::isfinite(A(pivot, k))) return false;
    if (pivot != k) {
      A.row(k).swap(A.row(pivot));
      B.row(k).swap(B.row(pivot));
    }
    for (Index i = k + 1; i < n; ++i) A(i, k) /= A(k, k);
    const auto eliminate = [&](LongMatrix& target, Index j) {
      const long double entry = target(k, j);
      if (entry == 0) return;
      for (Index i = k + 1; i < n; ++i) target(i, j) -= A(i, k) * entry;
    };
    for (Index j = k + 1; j < n; ++j) eliminate(A, j);
    for (Index j = 0; j < B.cols(); ++j) eliminate(B, j);
  }
  for (Index j = 0; j < B.cols(); ++j) {
    for (Index k = n - 1; k >= 0; --k) {
      B(k, j) /= A(k, k);
      for (Index i = 0; i < k; ++i) B(i, j) -= A(i, k) * B(k, j);
    }
  }
  return B.allFinite();
}

bool calc_program_terms(const CompliantProblem& problem, double zeta, const CompliantSolution& solution,
                        const VectorXd& fed_forward, ProgramTerms& terms) {
  const ProgramCollector collector(problem, zeta, solution, terms);
  const long double h = problem.h;
  const Index n = terms.size(), dof = problem.dof();
  IndexList acting;
  for (Index i = 0; i < problem.bilateral.rows(); ++i) {
    if (calc_row(problem.bilateral, i, problem.h, problem.product).acts) {
      acting.push_back(i);
    } else {
      terms.idle = std::max(terms.idle, std::abs(solution.lambda_b(i)));
    }
  }
  const Index m = static_cast<Index>(acting.size());
  LongMatrix rows(dof, n), system = LongMatrix::Zero(dof + m, dof + m), right = LongMatrix::Zero(dof + m, n + 1);
  system.topLeftCorner(dof, dof) = problem.mass.to_dense().cast<long double>();
  for (Index j = 0; j < n; ++j) {
    const ProgramEntry entry = collector.entries[static_cast<std::size_t>(j)];
    rows.col(j) = dense_row(entry.rows->G, entry.index);
    right.col(j).head(dof) = rows.col(j);
  }
  for (Index a = 0; a < dof; ++a) {
    right(a, n) = h * static_cast<long double>(problem.f(a));
    for (Index b = 0; b < dof; ++b) right(a, n) += system(a, b) * static_cast<long double>(problem.v(b));
  }
  for (Index k = 0; k < m; ++k) {
    const Index i = acting[static_cast<std::size_t>(k)];
    const CompliantRow row = calc_row(problem.bilateral, i, problem.h, problem.product);
    const LongVector g = dense_row(problem.bilateral.G, i);
    system.col(dof + k).head(dof) = g;
    system.row(dof + k).head(dof) = g.transpose();
    system(dof + k, dof + k) = -1 / (h * static_cast<long double>(row.D));
    right(dof + k, n) = -static_cast<long double>(row.offset) - static_cast<long double>(fed_forward(i)) / row.D;
  }
  if (!solve_long(system, right)) return false;
  terms.W.resize(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      long double sum = 0;
      for (Index a = 0; a < dof; ++a) sum += rows(a, i) * right(a, j);
      terms.W(i, j) = h * sum;
    }
    for (Index a = 0; a < dof; ++a) terms.c(j) += rows(a, j) * right(a, n);
  }
  return terms.c.allFinite() && terms.W.allFinite();
}

}  // namespace tribo
