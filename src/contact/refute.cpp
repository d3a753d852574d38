#include "contact/refute.hpp"

#include "tribo/formulation/normal.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"

#include "contact/chain.hpp"

namespace tribo {

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

bool refute_normals(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options,
                    ContactAnswer& answer) {
  NormalFormulation normals;
  if (!normals.update(problem, Frictionless{}) || !normals.consistent()) return false;
  LcpSolution found;
  const SolveReport report = DualActiveSetSolver().solve(normals.problem(), {}, found);
  if (report.status != Status::kInfeasible) return false;
  return attempt(
      "dual-active-set", options.tolerance, answer, answer.solution,
      [&](ContactSolution& s) {
        lift_with_proof(normals, found.z, found.evidence, s);
        return report;
      },
      [&](const ContactSolution& s) { return certify(problem, model, s); },
      [&](const ContactSolution& s) { return certify_infeasible(problem, model, s); });
}

void refuse_equalities(const ContactProblem& problem, const ContactModel& model, const ContactSolution& inconsistency,
                       ContactAnswer& answer) {
  answer.solution = inconsistency;
  answer.infeasibility = certify_infeasible(problem, model, answer.solution);
  answer.status =
      answer.infeasibility.verdict == Verdict::kInfeasible ? Status::kInconsistentEqualities : Status::kBreakdown;
  answer.report.status = answer.status;
  answer.report.detail = "the bilateral rows contradict one another";
  answer.solver = "find-indices";
  answer.stages.push_back("find-indices: " + std::string(to_string(answer.status)));
  answer.certificate = certify(problem, model, answer.solution);
}

}  // namespace tribo
