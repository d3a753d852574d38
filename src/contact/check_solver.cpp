// Who can solve what, and the text for those who ask for something else.
#include "tribo/formulation/normal.hpp"
#include "tribo/solve/registry.hpp"

#include "contact/route.hpp"

namespace tribo {
namespace {

bool takes(const Capability& solver, const MatrixXd& M) {
  return solver.matrices == Matrices::kAny || is_symmetric(M, 1e-9);
}

Unexpected<Error> fail_unknown(const std::string& solver, bool (*suits)(const Capability&)) {
  return fail("there is no solver '" + solver + "'", "solver", "use one of: auto, " + solver_names(suits));
}

Checked check_named(const std::string& solver, bool form, const MatrixXd& M, const char* kind) {
  const Capability* row = find_capability(solver);
  if (row == nullptr) return fail_unknown(solver, [](const Capability&) { return true; });
  if (!form) return fail("the solver '" + solver + "' does not take a " + kind, "solver", "use auto");
  if (!takes(*row, M)) {
    return fail("the solver '" + solver + "' needs a symmetric positive semidefinite matrix, and M is not symmetric",
                "M", "use auto or lemke/standard");
  }
  return ok();
}

Checked check_friction(const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  bool (*const suits)(const Capability&) = [](const Capability& r) { return r.cone; };
  if (row == nullptr) return fail_unknown(solver, suits);
  if (row->cone) return ok();
  return fail("the solver '" + solver + "' does not take a friction problem given as matrices", "solver",
              "use one of: auto, " + solver_names(suits));
}

}  // namespace

const Capability& require_solver(const std::string& name) {
  const Capability* row = find_capability(name);
  TRIBO_REQUIRE(row != nullptr, "no such solver");
  return *row;
}

void require_tolerance(double tolerance) {
  TRIBO_REQUIRE(tolerance > 0.0 && tolerance < 1.0, "the tolerance of a certificate is relative, between 0 and 1");
}

void require(const Checked& checked) {
  if (!checked) throw ContractError(checked.error().text());
}

std::string solver_names(bool (*suits)(const Capability&)) {
  std::string names;
  for (const Capability& row : capabilities()) {
    if (suits(row)) names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  return names;
}

Checked check_solver(const Lcp& lcp, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  return check_named(solver, row != nullptr && row->lcp, lcp.M, "linear complementarity problem");
}

Checked check_solver(const MixedLcp& lcp, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  return check_named(solver, row != nullptr && row->mixed, lcp.M, "mixed complementarity problem");
}

Checked check_solver(const BoxLcp& lcp, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  return check_named(solver, row != nullptr && (row->box || row->mixed), lcp.M, "box complementarity problem");
}

Checked check_solver(const Qp&, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  return check_named(solver, row != nullptr && row->factored, MatrixXd(), "quadratic program");
}

Checked check_solver(const LocalFriction&, const std::string& solver) { return check_friction(solver); }
Checked check_solver(const GlobalFriction&, const std::string& solver) { return check_friction(solver); }

Checked check_solver(const CompliantProblem&, const std::string& solver) {
  if (solver == "auto") return ok();
  return fail("the solver '" + solver + "' does not take compliant problems", "solver",
              "use auto: every compliant model has one solver");
}

Checked check_solver(const FoundationProblem&, const std::string& solver) {
  return check_solver(CompliantProblem{}, solver);
}

Checked check_solver(const ContactProblem& problem, const ContactModel& model, const std::string& solver) {
  if (solver == "auto") return ok();
  const Capability* row = find_capability(solver);
  if (row == nullptr) return fail_unknown(solver, [](const Capability&) { return true; });
  const auto* pyramid = std::get_if<CoulombPyramid>(&model);
  if (const Index size = pyramid != nullptr ? pyramid_rows(problem, *pyramid) : 0; size > kMostRows && !row->pyramid) {
    return fail("the LCP of this problem has " + std::to_string(size) + " rows", "solver",
                "use auto, lemke/reduced or lemke/structural, which do not form its matrix");
  }
  bool (*const suits)(const Capability&) =
      is_box_problem(problem, model)    ? [](const Capability& r) { return r.box || r.mixed; }
      : NormalFormulation::takes(model) ? [](const Capability& r) { return r.factored || r.lcp; }
      : std::holds_alternative<CoulombCone>(model)
          ? [](const Capability& r) { return r.cone; }
          : [](const Capability& r) { return r.pyramid || (r.lcp && r.matrices == Matrices::kAny); };
  if (suits(*row)) return ok();
  const bool brakes = problem.dry() > 0 && NormalFormulation::takes(model);
  return fail("the solver '" + solver + "' cannot solve the model '" + to_string(model) + "'" +
                  (brakes ? " with dry friction of joints" : ""),
              "solver", "use one of: auto, " + solver_names(suits));
}

}  // namespace tribo
