#include "pivoting.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/solve/pivot/principal_pivoting.hpp"

#include <string_view>

#include "parts.hpp"

namespace tribo {
namespace {

bool ended_with(const SolveReport& report, std::string_view word) {
  return !is_solved(report.status) && std::string_view(report.detail).find(word) != std::string_view::npos;
}

}  // namespace

bool Pivoting::printed_rule_cycled() const { return ended_with(printed, "cycled"); }
bool Pivoting::printed_rule_met_dependent_row() const { return ended_with(printed, "dependent"); }

Pivoting pivot(const ContactProblem& problem, const ContactModel& model) {
  NormalFormulation formulation;
  TRIBO_REQUIRE(formulation.update(problem, model).has_value(), "the model does not fit the problem");
  const LeastDistance& normals = formulation.problem();
  Pivoting pivoting;
  LcpSolution answer;
  pivoting.printed = PrincipalPivotingSolver({.fallback = false}).solve(normals, {}, answer);
  pivoting.guarded = PrincipalPivotingSolver().solve(normals, {}, answer);
  pivoting.certified = is_solved(pivoting.guarded.status) &&
                       certify(problem, model, formulation.lift(answer.z)).passes(kAnswerTolerance);
  pivoting.active = (answer.z.array() > 0.0).count();
  pivoting.bound = problem.dof() - formulation.equality_rank();
  pivoting.rank_A = problem.dof() + formulation.equality_rank();
  return pivoting;
}

}  // namespace tribo
