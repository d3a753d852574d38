// solve(CompliantProblem): the solver of the model, its certificate, and the convex cone where Coulomb's law is not met and
// the caller asked for something that always is. Many bodies under Coulomb's law go the way of rigid ones, which is sparse.
// solve(FoundationProblem): the solver of layers.
#include "tribo/certify/classify.hpp"
#include "tribo/problem/compliant_name.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"
#include "tribo/solve/compliant/foundation_solver.hpp"

#include <array>
#include <string>

#include "contact/attempt_loop.hpp"
#include "contact/compliant_bodies.hpp"

namespace tribo {
namespace {

constexpr Index kManyDofs = 120;  // above, systems of all degrees of freedom at once cost more than sparse ones

using Loop = AttemptLoop<CompliantAnswer, CompliantSolution>;

// The sparse way of rigid contacts, where the problem has a place there; true: the answer certifies.
bool attempt_many_bodies(const CompliantProblem& problem, const Compliant& model, const SolveOptions& options,
                         Loop& loop) {
  ContactProblem contact;
  if (problem.dof() <= kManyDofs || model.friction != FrictionLaw::kCoulomb ||
      model.unilateral != UnilateralLaw::kComplementarity || !as_contact_problem(problem, contact))
    return false;
  return loop(
      "cone", "cone",
      [&](CompliantSolution& solution, std::string& note) {
        note = compliant_name(problem, model);
        SolveOptions sparse;
        sparse.tolerance = options.tolerance;
        const ContactAnswer found = solve(contact, CoulombCone{}, sparse);
        lift_forces(problem, found.solution, solution);
        return found.report;
      },
      [&](const CompliantSolution& solution, SolveReport&) { return certify(problem, model, solution); },
      NoRefutation{});
}

// One model; true: the answer certifies.
bool attempt_compliant(const CompliantProblem& problem, const Compliant& model, Loop& loop) {
  return loop(
      "compliant", "compliant",
      [&](CompliantSolution& solution, std::string& note) {
        const SolveReport report = CompliantSolver().solve(problem, model, solution);
        note = compliant_name(problem, model);
        return report;
      },
      [&](const CompliantSolution& solution, SolveReport&) { return certify(problem, model, solution); },
      NoRefutation{});
}

void search_compliant(const CompliantProblem& problem, const Compliant& model, const SolveOptions& options,
                      CompliantAnswer& answer) {
  CompliantSolution candidate;
  Loop loop(answer, answer.solution, candidate, options.tolerance);
  if (attempt_many_bodies(problem, model, options, loop)) return;
  candidate = {};  // the solver would start there
  if (attempt_compliant(problem, model, loop) || !options.relax) return;
  if (problem.contacts() == 0 || model.friction != FrictionLaw::kCoulomb) return;
  const Compliant convex{model.unilateral, FrictionLaw::kConvexCone};
  candidate = {};
  if (attempt_compliant(problem, convex, loop)) {
    answer.status = answer.report.status = Status::kSolvedReduced;
    answer.model = convex;
  }
}

}  // namespace

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
  CompliantSolution candidate;
  Loop loop(answer, answer.solution, candidate, options.tolerance);
  const bool done = loop(
      "foundation", "foundation",
      [&](CompliantSolution& solution, std::string&) { return FoundationSolver().solve(problem, solution); },
      [&](const CompliantSolution& solution, SolveReport&) { return certify(problem, solution); }, NoRefutation{});
  candidate = {};
  if (!done) attempt_compliant(to_rows(problem), answer.model, loop);
  return answer;
}

}  // namespace tribo
