// The fallback chain: try solvers in order until one gives an answer that certifies, or a proof that verifies.
#pragma once

#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/solve/registry.hpp"

#include <string>

namespace tribo {

// One attempt: run, certify, keep the better of what was there and what came. True: no further attempt is needed.
// `certify_answer` and `certify_evidence` look at the solution in the terms of the caller's own problem.
template <typename Answer, typename Solution, typename Run, typename Certify, typename Refute>
bool attempt(const std::string& name, double tolerance, Answer& answer, Solution& kept, const Run& run,
             const Certify& certify_answer, const Refute& certify_evidence) {
  Solution solution;
  SolveReport report = run(solution);
  // The certificate decides, not the solver's own opinion: neither for it nor against it.
  const Certificate certificate = certify_answer(solution);
  InfeasibilityCertificate infeasibility;
  Status status = report.status;
  if (certificate.passes(tolerance)) {
    if (!is_solved(status)) status = Status::kSolved;
  } else if (is_solved(status)) {
    status = Status::kBreakdown;
    report.detail = "the answer does not pass its certificate";
  } else if (status == Status::kRay || status == Status::kInfeasible) {
    infeasibility = certify_evidence(solution);
    status = infeasibility.verdict == Verdict::kInfeasible ? Status::kInfeasible
             : infeasibility.verdict == Verdict::kRay      ? Status::kRay
                                                           : Status::kBreakdown;
    if (status == Status::kBreakdown) report.detail = "the proof that there is no answer does not hold";
    if (status == Status::kInfeasible && report.status == Status::kRay) {
      report.detail = "a combination of rows cannot be satisfied";
    }
  }
  report.status = status;
  answer.stages.push_back(name + ": " + std::string(to_string(status)));
  const int pivots = answer.report.pivots, sweeps = answer.report.sweeps, iterations = answer.report.iterations;
  const bool first = answer.stages.size() == 1;
  const bool final = is_solved(status) || status == Status::kInfeasible;
  const bool better = first || final || (status == Status::kRay && answer.status != Status::kRay);
  if (better) {
    answer.status = status;
    answer.report = report;
    answer.solver = name;
    answer.infeasibility = infeasibility;
    answer.certificate = certificate;
    kept = std::move(solution);
  }
  answer.report.pivots = pivots + report.pivots;
  answer.report.sweeps = sweeps + report.sweeps;
  answer.report.iterations = iterations + report.iterations;
  return final;
}

// The named solver, or ContractError with the list of those that exist.
const Capability& require_solver(const std::string& name);
std::string solver_names(bool (*suits)(const Capability&));
void require_tolerance(double tolerance);  // in (0, 1): at one anything passes

}  // namespace tribo
