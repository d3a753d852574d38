#include "sim/step_solver.hpp"

#include "tribo/core/clock.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/solve/cone/cone_solver.hpp"

#include <algorithm>

#include "sim/parallel.hpp"

namespace tribo {

struct StepSolver::Workspace {
  ConeFormulation formulation;
  ConeSolver solver;
  ConeWarmStart warm;
  ConeSolution cone;
};

StepSolver::StepSolver(const ContactModel& model, std::string solver, double tolerance, int threads)
    : model_(model), solver_(std::move(solver)), tolerance_(tolerance), threads_(threads) {}
StepSolver::~StepSolver() = default;

StepSolver::Outcome StepSolver::solve_island(const ContactProblem& problem, const ContactSolution& known,
                                             Workspace& workspace, ContactSolution& out) const {
  Outcome outcome;
  outcome.report.bodies = problem.mass.blocks();
  outcome.report.contacts = problem.size();
  if (std::holds_alternative<CoulombCone>(model_) && solver_ == "auto") {
    if (workspace.formulation.update(problem).has_value() && workspace.formulation.consistent()) {
      workspace.formulation.warm_start(known, workspace.warm);
      const SolveReport report =
          workspace.solver.solve(workspace.formulation.problem(), workspace.warm, workspace.cone);
      workspace.formulation.lift(workspace.cone, out);
      outcome.pivots = report.pivots;
      outcome.sweeps = report.sweeps;
      outcome.fallback = report.fallback;
      const Stopwatch watch;
      const Certificate certificate = certify(problem, model_, out);
      outcome.seconds_certify = watch.seconds();
      if (certificate.passes(tolerance_)) {
        outcome.report.worst = certificate.worst;
        outcome.report.solver = report.stages;
        return outcome;
      }
    }
    outcome.fallback = true;
  }
  SolveOptions options;
  options.solver = solver_;
  options.tolerance = tolerance_;
  options.relax = true;
  options.islands = false;
  ContactAnswer answer = tribo::solve(problem, model_, options);
  out = std::move(answer.solution);
  outcome.report.status = answer.status;
  outcome.report.worst = answer.certificate.worst;
  outcome.report.solver = answer.solver;
  outcome.pivots += answer.report.pivots;
  outcome.sweeps += answer.report.sweeps;
  outcome.fallback = outcome.fallback || answer.report.fallback;
  if (!is_solved(answer.status)) outcome.detail = answer.report.detail;
  return outcome;
}

const ContactSolution& StepSolver::solve(const ContactProblem& problem, const ContactSolution& known,
                                         StepReport& report) {
  const IslandMap map = find_islands(problem);
  const auto count = static_cast<std::size_t>(std::max<Index>(map.islands, 1));
  while (workspaces_.size() < count) {
    workspaces_.push_back(std::make_unique<Workspace>());
    workspaces_.back()->solver = ConeSolver({.tolerance = 0.1 * tolerance_});
  }
  outcomes_.resize(count);
  if (count == 1) {
    outcomes_[0] = solve_island(problem, known, *workspaces_[0], solution_);
  } else {
    const std::vector<Island> islands = split_islands(problem, map);
    parts_.resize(count);
    run_parallel(count, threads_, [&](std::size_t k) {
      const ContactSolution start = cut_island(problem, islands[k], known);
      outcomes_[k] = solve_island(islands[k].problem, start, *workspaces_[k], parts_[k]);
    });
    solution_ = merge_islands(problem, model_, islands, parts_);
  }
  report.islands.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const Outcome& outcome = outcomes_[k];
    report.islands[k] = outcome.report;
    report.pivots += outcome.pivots;
    report.sweeps += outcome.sweeps;
    report.fallback = report.fallback || outcome.fallback;
    report.worst = std::max(report.worst, outcome.report.worst);
    report.seconds_certify += outcome.seconds_certify;
    if (is_solved(outcome.report.status)) continue;
    report.status = outcome.report.status;
    report.detail = outcome.detail;
  }
  return solution_;
}

}  // namespace tribo
