// solve(LocalFriction), solve(GlobalFriction): the true cone from matrices. The chain is that of solve_cone.cpp, with the
// polygons solved on W itself.
#include "tribo/certify/classify.hpp"
#include "tribo/formulation/cone.hpp"

#include <string>

#include "contact/chain.hpp"
#include "contact/polygon_start.hpp"
#include "contact/solve_cone.hpp"

namespace tribo {
namespace {

Checked check_named(const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  bool (*const suits)(const Capability&) = [](const Capability& r) { return r.cone; };
  if (row != nullptr && row->cone) return ok();
  return fail(row == nullptr ? "there is no solver '" + solver + "'"
                             : "the solver '" + solver + "' does not take a friction problem given as matrices",
              "solver", "use one of: auto, " + solver_names(suits));
}

template <typename Problem>
FrictionAnswer solve_matrices(const Problem& problem, const SolveOptions& options) {
  const auto require = [](const Checked& checked) {
    if (!checked) throw ContractError(checked.error().text());
  };
  require_tolerance(options.tolerance);
  require(validate(problem));
  require(check_solver(problem, options.solver));
  ConeFormulation formulation;
  require(formulation.update(problem));
  const ConeProblem& cone = formulation.problem();

  FrictionAnswer answer;
  const auto lift = [&](const ConeSolution& found, FrictionSolution& s) { formulation.lift(found, s); };
  const auto judge = [&](const FrictionSolution& s) { return certify(problem, s); };
  ConeChain<FrictionAnswer, FrictionSolution, decltype(lift), decltype(judge)> chain(options, answer, lift, judge);
  const bool automatic = options.solver == "auto";
  const auto search = [&] {
    if (chain.refuse_immovable(cone) || chain(automatic ? "cone" : options.solver, cone, {}) || !automatic) return;
    if (ConeProblem moderate; moderate_friction(cone, moderate) && chain("cone (mu <= 10)", moderate, {})) return;
    for (const int sides : {8, 32}) {
      ConeWarmStart warm;
      if (!find_polygon_start(cone, sides, warm)) continue;
      if (chain("cone from coulomb-pyramid:" + std::to_string(sides), cone, warm)) return;
    }
  };
  search();
  chain.finish(problem.contacts());
  answer.states = classify(problem, answer.solution, options.tolerance);
  return answer;
}

}  // namespace

Checked check_solver(const LocalFriction&, const std::string& solver) { return check_named(solver); }
Checked check_solver(const GlobalFriction&, const std::string& solver) { return check_named(solver); }

FrictionAnswer solve(const LocalFriction& problem, const SolveOptions& options) {
  return solve_matrices(problem, options);
}
FrictionAnswer solve(const GlobalFriction& problem, const SolveOptions& options) {
  return solve_matrices(problem, options);
}

}  // namespace tribo
