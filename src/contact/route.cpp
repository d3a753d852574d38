#include "contact/route.hpp"

#include "tribo/formulation/normal.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"
#include "tribo/solve/registry.hpp"

namespace tribo {

RouteTable::RouteTable(const std::string& solver, std::span<const AttemptRow> automatic)
    : automatic_(solver == "auto"), table_(automatic) {
  if (automatic_) return;
  for (const AttemptRow& row : table_) {
    if (!row.proof && row.solver == solver) named_.push_back(row);
  }
  if (!named_.empty()) return;
  const char* name = require_solver(solver).name.data();  // the names of the table are literals
  named_.push_back({.name = name, .solver = name});
}

std::unique_ptr<ContactRoute> make_route(const ContactModel& model, const std::string& solver) {
  if (NormalFormulation::takes(model)) return make_normal_route(solver);
  if (std::holds_alternative<CoulombPyramid>(model)) return make_pyramid_route(solver);
  if (std::holds_alternative<CoulombCone>(model)) return make_cone_route(solver);
  return make_box_route(solver);
}

bool is_box_problem(const ContactProblem& problem, const ContactModel& model) {
  return std::holds_alternative<FrictionBox>(model) || (problem.dry() > 0 && NormalFormulation::takes(model));
}

VectorXd farkas_vector(const Evidence& evidence) {
  switch (evidence.kind) {
    case Evidence::Kind::kFarkas:
      return evidence.y;
    case Evidence::Kind::kRay:
      return evidence.dz;              // for semidefinite matrices; whether it is one is judged later
    case Evidence::Kind::kExhaustion:  // one separator for all cones at once says the same
      return evidence.pattern.size() == 1 ? VectorXd(-evidence.separators.col(0)) : VectorXd();
    case Evidence::Kind::kNone:
      break;
  }
  return {};
}

SolveReport refute_normals(const ContactProblem& problem, ContactSolution& out) {
  NormalFormulation normals;
  // Bounded impulses neither make nor mend a contradiction of the normals.
  if (!normals.update(problem, Frictionless{}, {.dry = DryRows::kLeaveOut}) || !normals.consistent()) return {};
  LcpSolution found;
  SolveReport report = DualActiveSetSolver().solve(normals.problem(), {}, found);
  normals.lift(found.z, out);
  lift_proof(normals, found.evidence, out);
  if (report.status != Status::kInfeasible) {
    report.status = Status::kBreakdown;
    report.detail = "the normals alone do not contradict one another";
  }
  return report;
}

Index pyramid_rows(const ContactProblem& problem, const CoulombPyramid& model) {
  const Index d = problem.T.rows() > 0 ? model.sides : 2;
  Index rows = problem.size();
  for (const Contact& contact : problem.contacts) rows += contact.mu > 0.0 ? d + 1 : 0;
  return rows + problem.dry() * (d + 2);
}

}  // namespace tribo
