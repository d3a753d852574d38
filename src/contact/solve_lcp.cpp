// solve() of complementarity problems given as matrices, and of quadratic programs.
#include "tribo/formulation/box.hpp"
#include "tribo/formulation/qp.hpp"
#include "tribo/solve/oracle/enumerate.hpp"
#include "tribo/solve/pivot/lemke.hpp"

#include <array>

#include "contact/attempt_loop.hpp"
#include "contact/route.hpp"

namespace tribo {
namespace {

constexpr Index kEnumerable = 40;  // complementarity rows up to which the oracle is asked last

// LCP and mixed LCP, any matrix.
constexpr std::array kAnyMatrix = {
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard"},
    AttemptRow{.name = "lemke/standard, another cover", .solver = "lemke/standard", .cover = 1},
    AttemptRow{.name = "enumerate", .solver = "enumerate"},
};

constexpr std::array kBox = {
    AttemptRow{.name = "dantzig", .solver = "dantzig"},
    AttemptRow{.name = "pgs-sm", .solver = "pgs-sm"},
    AttemptRow{.name = "lemke/standard", .solver = "lemke/standard"},
};

constexpr std::array kQp = {AttemptRow{.name = "dual-active-set", .solver = "dual-active-set"}};

bool is_for_lemke(const AttemptRow& row) { return std::string_view(row.solver) == "lemke/standard"; }

// LCP and mixed LCP.
template <typename Problem, typename Solution>
SolveReport run_row(const AttemptRow& row, const Problem& problem, Solution& s) {
  if (row.cover > 0) return LemkeSolver({.cover_seed = row.cover}).solve(problem, {}, s);
  return require_solver(row.solver).make()->solve(problem, {}, s);
}

SolveReport run_row(const AttemptRow& row, const BoxLcp& problem, BoxLcpSolution& s) {
  if (require_solver(row.solver).box) return require_solver(row.solver).make()->solve(problem, {}, s);
  const BoxAsMixed formulation(problem);
  MixedLcpSolution mixed;
  const SolveReport report = run_row(row, formulation.problem(), mixed);
  s = formulation.lift(mixed);
  return report;
}

// Equalities are eliminated; those that contradict one another are a proof by themselves.
SolveReport run_row(const AttemptRow& row, const Qp& qp, QpSolution& s) {
  SolveReport report;
  const auto formulation = QpFormulation::make(qp);
  if (!formulation) throw ContractError(formulation.error().text());
  if (!formulation->consistent()) {
    s.evidence.kind = Evidence::Kind::kFarkas;
    s.evidence.y = formulation->inconsistency();
    report.status = Status::kInfeasible;
    report.detail = "the equalities contradict one another";
    return report;
  }
  LcpSolution dual;
  report = require_solver(row.solver).make()->solve(formulation->problem(), {}, dual);
  s = formulation->lift(dual.z);
  if (dual.evidence.kind == Evidence::Kind::kFarkas) {
    s.evidence.kind = Evidence::Kind::kFarkas;
    s.evidence.y = formulation->lift_farkas(dual.evidence.y);
  }
  return report;
}

template <typename Answer, typename Problem>
Answer solve_table(const Problem& problem, const SolveOptions& options, std::span<const AttemptRow> table,
                   const auto& applies) {
  require_tolerance(options.tolerance);
  require(validate(problem));
  require(check_solver(problem, options.solver));
  using Solution = decltype(Answer::solution);
  Answer answer;
  Solution candidate;
  AttemptLoop<Answer, Solution> loop(answer, answer.solution, candidate, options.tolerance);
  const RouteTable rows(options.solver, table);
  for (const AttemptRow& row : rows.rows()) {
    if (rows.automatic() && !applies(row)) continue;
    if (loop(
            row.name, row.solver, [&](Solution& s, std::string&) { return run_row(row, problem, s); },
            [&](const Solution& s, SolveReport&) { return certify(problem, s); },
            [&](const Solution& s) { return certify_infeasible(problem, s.evidence); }))
      break;
  }
  return answer;
}

}  // namespace

LcpAnswer solve(const Lcp& lcp, const SolveOptions& options) {
  return solve_table<LcpAnswer>(lcp, options, kAnyMatrix,
                                [&](const AttemptRow& row) { return is_for_lemke(row) || lcp.size() <= kEnumerable; });
}

MixedLcpAnswer solve(const MixedLcp& lcp, const SolveOptions& options) {
  return solve_table<MixedLcpAnswer>(lcp, options, kAnyMatrix, [&](const AttemptRow& row) {
    return is_for_lemke(row) || lcp.complementary() <= kEnumerable;
  });
}

BoxLcpAnswer solve(const BoxLcp& lcp, const SolveOptions& options) {
  const bool symmetric = is_symmetric(lcp.M, 1e-12);
  return solve_table<BoxLcpAnswer>(lcp, options, kBox, [&](const AttemptRow& row) {
    if (is_for_lemke(row)) return true;
    return symmetric;
  });
}

QpAnswer solve(const Qp& qp, const SolveOptions& options) {
  return solve_table<QpAnswer>(qp, options, kQp, [](const AttemptRow&) { return true; });
}

}  // namespace tribo
