// As a least distance problem, G = [rows; I] with rows scaled to one:
//     min ½|t|²   subject to   G t + q ≥ 0,   t = λ / force                                                    (1)
// whose dual the dual active set method solves; λ = Gᵀ z. What it finds active is then solved once more in extended precision
// (weighted_polish.hpp), with the last step's set tried first.
// Source    spec B.1, C.7 ii.   Cost  O(rows³) cold; O(rows²) from the last step (weighted_rows.hpp).
#include "solve/compliant/least_norm.hpp"

#include "tribo/solve/pivot/dual_active_set.hpp"

#include <cmath>
#include <utility>

#include "solve/compliant/weighted_answer.hpp"
#include "solve/compliant/weighted_interior.hpp"

namespace tribo::compliant {

namespace {

constexpr int kWarmRows = 20;   // rounds of the active set of the last step
constexpr int kFinalRows = 60;  // and of the one found here

FactoredLcp make_least_distance(const WeightedProgram& program) {
  const Index n = program.size(), m = static_cast<Index>(program.rows.size());
  MatrixXd G = MatrixXd::Zero(m + n, n);
  VectorXd q = VectorXd::Zero(m + n);
  for (Index i = 0; i < m; ++i) {
    const WeightedRow& row = program.rows[static_cast<std::size_t>(i)];
    Extended squared = 0;
    for (Index j = 0; j < n; ++j) squared += program.coefficient(row, j) * program.coefficient(row, j);
    const Extended norm = std::sqrt(squared);
    for (Index j = 0; j < n; ++j) G(i, j) = static_cast<double>(program.coefficient(row, j) / norm);
    q(i) = static_cast<double>(program.c(row.x) / (norm * program.force));
  }
  for (Index j = 0; j < n; ++j) G(m + j, j) = 1.0;
  return make_factored(std::move(G), std::move(q));
}

// The rows and zero forces that the dual method holds active.
SolveReport find_active(const WeightedProgram& program, ActiveGuess& guess, WeightedPoint& point) {
  const FactoredLcp lcp = make_least_distance(program);
  DualActiveSetSolver solver;
  LcpSolution dual;
  const SolveReport report = solver.solve(lcp, {}, dual);
  const Index n = program.size(), m = static_cast<Index>(program.rows.size());
  guess.rows.assign(static_cast<std::size_t>(m), 0);
  guess.units.assign(static_cast<std::size_t>(n), UnitState::kInside);
  point.x.setZero(n);
  if (dual.z.size() != m + n) return report;
  for (Index i = 0; i < m; ++i) guess.rows[static_cast<std::size_t>(i)] = dual.z(i) > 0.0 ? 1 : 0;
  const VectorXd t = lcp.G.transpose() * dual.z;
  for (Index j = 0; j < n; ++j) {
    if (dual.z(m + j) > 0.0 || !(t(j) > 0.0)) guess.units[static_cast<std::size_t>(j)] = UnitState::kZero;
  }
  return report;
}

}  // namespace

SolveReport solve_least_norm(const CompliantProblem& problem, const CompliantSettings& settings,
                             CompliantSolution& solution) {
  SolveReport report;
  WeightedProgram program;
  if (!make_program(problem, 1.0, program)) {
    report.detail = "the mass matrix is not positive definite, or numbers overflow";
    return report;
  }
  report.status = Status::kSolved;
  if (!(program.force > 0)) {
    write_rest(problem, program, solution);
    return report;
  }
  ActiveGuess guess;
  WeightedPoint point;
  PolishReport finish;
  report.methods = {Method::kLastActiveSet};
  if (read_guess(problem, program, solution, guess, point)) {
    finish = polish(program, kWarmRows, guess, point);
    report.pivots += finish.systems;
  }
  if (!finish.verified) {
    report.methods = {Method::kDualActiveSet};
    const SolveReport dual = find_active(program, guess, point);
    report.iterations = dual.iterations;
    finish = polish(program, kFinalRows, guess, point);
    report.pivots += dual.pivots + finish.systems;
  }
  if (!finish.verified) {
    report.methods = {Method::kInteriorPoint, Method::kActiveSet};
    report.fallback = true;
    report.iterations += solve_interior(program, settings.max_iterations, guess, point).iterations;
    finish = polish(program, kFinalRows, guess, point);
    report.pivots += finish.systems;
  }
  if (!finish.verified) {
    report.status = Status::kIterationLimit;
    report.detail = "no active set verified";
  }
  write_answer(problem, program, guess, point, solution);
  return report;
}

}  // namespace tribo::compliant
