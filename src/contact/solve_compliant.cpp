// solve(CompliantProblem): the solver of the model, its certificate, and the convex cone where Coulomb's law is not met and
// the caller asked for something that always is. Many bodies under Coulomb's law go the way of rigid ones, which is sparse.
// solve(FoundationProblem): the solver of layers.
#include "tribo/certify/classify.hpp"
#include "tribo/problem/compliant_name.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"
#include "tribo/solve/compliant/foundation_solver.hpp"

#include <string>

#include "contact/chain.hpp"
#include "contact/compliant_bodies.hpp"

namespace tribo {
namespace {

void require(const Checked& checked) {
  if (!checked) throw ContractError(checked.error().text());
}

constexpr Index kManyDofs = 120;  // above, systems of all degrees of freedom at once cost more than sparse ones

bool attempt_many_bodies(const CompliantProblem& problem, const Compliant& model, const SolveOptions& options,
                         CompliantAnswer& answer) {
  ContactProblem contact;
  if (problem.dof() <= kManyDofs || model.friction != FrictionLaw::kCoulomb ||
      model.unilateral != UnilateralLaw::kComplementarity || !as_contact_problem(problem, contact))
    return false;
  const bool done = attempt(
      compliant_name(problem, model), options.tolerance, answer, answer.solution,
      [&](CompliantSolution& solution) {
        SolveOptions sparse;
        sparse.tolerance = options.tolerance;
        const ContactAnswer found = solve(contact, CoulombCone{}, sparse);
        lift_forces(problem, found.solution, solution);
        return found.report;
      },
      [&](const CompliantSolution& solution) { return certify(problem, model, solution); },
      [](const CompliantSolution&) { return InfeasibilityCertificate(); });
  answer.solver = "cone";
  return done;
}

// One model; true: the answer certifies.
bool attempt_compliant(const CompliantProblem& problem, const Compliant& model, const SolveOptions& options,
                       CompliantAnswer& answer) {
  const char* used = "";
  const bool done = attempt(
      compliant_name(problem, model), options.tolerance, answer, answer.solution,
      [&](CompliantSolution& solution) {
        const SolveReport report = CompliantSolver().solve(problem, model, solution);
        used = report.stages;
        return report;
      },
      [&](const CompliantSolution& solution) { return certify(problem, model, solution); },
      [](const CompliantSolution&) { return InfeasibilityCertificate(); });
  if (*used != '\0') answer.stages.back() += std::string(" (") + used + ")";
  answer.solver = "compliant";
  return done;
}

void search_compliant(const CompliantProblem& problem, const Compliant& model, const SolveOptions& options,
                      CompliantAnswer& answer) {
  if (attempt_many_bodies(problem, model, options, answer)) return;
  if (attempt_compliant(problem, model, options, answer) || !options.relax) return;
  if (problem.contacts() == 0 || model.friction != FrictionLaw::kCoulomb) return;
  const Compliant convex{model.unilateral, FrictionLaw::kConvexCone};
  if (attempt_compliant(problem, convex, options, answer)) {
    answer.status = answer.report.status = Status::kSolvedReduced;
    answer.model = convex;
  }
}

}  // namespace

Checked check_solver(const CompliantProblem&, const std::string& solver) {
  if (solver == "auto") return ok();
  return fail("the solver '" + solver + "' does not take compliant problems", "solver",
              "use auto: every compliant model has one solver");
}

Checked check_solver(const FoundationProblem&, const std::string& solver) {
  return check_solver(CompliantProblem{}, solver);
}

CompliantAnswer solve(const CompliantProblem& problem, const Compliant& model, const SolveOptions& options) {
  require_tolerance(options.tolerance);
  require(validate(problem));
  require(check_model(problem, model));
  require(check_solver(problem, options.solver));
  CompliantAnswer answer;
  answer.model = model;
  search_compliant(problem, model, options, answer);
  answer.states = classify(problem, answer.model, answer.solution, options.tolerance);
  return answer;
}

CompliantAnswer solve(const FoundationProblem& problem, const SolveOptions& options) {
  require_tolerance(options.tolerance);
  require(validate(problem));
  require(check_solver(problem, options.solver));
  CompliantAnswer answer;
  const bool done = attempt(
      "foundation", options.tolerance, answer, answer.solution,
      [&](CompliantSolution& solution) { return FoundationSolver().solve(problem, solution); },
      [&](const CompliantSolution& solution) { return certify(problem, solution); },
      [](const CompliantSolution&) { return InfeasibilityCertificate(); });
  if (!done && attempt_compliant(to_rows(problem), answer.model, options, answer)) return answer;
  answer.solver = "foundation";
  return answer;
}

}  // namespace tribo
