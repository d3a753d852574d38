#include "sim/solve_islands.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <new>
#include <string>

#include "sim/parallel.hpp"

namespace tribo {

namespace {

// What the scene's file gives was validated when it was made; what motion adds to it may overflow.
bool is_computable(const ContactProblem& problem) {
  return problem.mass.factor() != nullptr && problem.v.allFinite() && problem.f.allFinite() &&
         problem.b_N.allFinite() && problem.b_J.allFinite();
}

SolveOptions make_options(std::string solver, double tolerance) {
  SolveOptions options;
  options.solver = std::move(solver);
  options.tolerance = tolerance;
  options.relax = true;
  options.selection.rest = true;
  options.brief = true;
  return options;
}

// The methods inside the solver where it names them, as the one of the true cone does.
void name_solver(const ContactAnswer& answer, std::string& name) {
  const Attempt* decided = nullptr;
  if (answer.solver == "cone") {
    for (const Attempt& attempt : answer.history) {
      if (attempt.status == answer.status && std::string_view(attempt.name) != "brought to rest") decided = &attempt;
    }
  }
  if (decided != nullptr && std::string_view(decided->name) == "cone") {
    write(decided->methods, name);
  } else {
    name = answer.solver;
  }
}

}  // namespace

StepSolver::StepSolver(const ContactModel& model, std::string solver, double tolerance, int threads)
    : threads_(threads), automatic_(solver == "auto") {
  const SolveOptions options = make_options(std::move(solver), tolerance);
  for (int worker = 0; worker < threads; ++worker) pipelines_.emplace_back(model, options);
}

void StepSolver::solve_island(const ContactProblem& problem, const StartValues& start, ContactPipeline& pipeline,
                              Outcome& outcome) const {
  outcome.report.bodies = problem.mass.blocks();
  outcome.report.contacts = problem.size() + problem.dry();
  outcome.report.status = Status::kBreakdown;
  outcome.report.worst = std::numeric_limits<double>::infinity();
  outcome.pivots = outcome.sweeps = 0;
  outcome.fallback = outcome.at_rest = false;
  outcome.seconds_certify = 0.0;
  outcome.states.clear();
  outcome.dry_states.clear();
  outcome.report.detail.clear();
  try {
    if (const Checked valid = is_computable(problem) ? ok() : validate(problem); !valid) {
      outcome.report.detail =
          "the motion has left what can be computed: " + valid.error().where + ": " + valid.error().what;
    } else if (const Checked suits =
                   automatic_ ? ok() : check_solver(problem, pipeline.model(), pipeline.options().solver);
               !suits) {
      outcome.report.detail = suits.error().what + "; " + suits.error().remedy;
    } else {
      ContactAnswer& answer = pipeline.solve_island(problem, start);
      swap(outcome.solution, answer.solution);
      std::swap(outcome.states, answer.states);
      std::swap(outcome.dry_states, answer.dry_states);
      outcome.report.status = answer.status;
      outcome.report.worst = answer.certificate.worst;
      name_solver(answer, outcome.report.solver);
      outcome.pivots = answer.report.pivots;
      outcome.sweeps = answer.report.sweeps;
      outcome.fallback = answer.report.fallback;
      outcome.seconds_certify = answer.seconds.certify;
      outcome.at_rest = answer.found_at_rest;
      if (answer.status != Status::kSolved) outcome.report.detail = answer.report.detail;
    }
  } catch (const std::bad_alloc&) {
    outcome.report.detail =
        "memory does not suffice for this solver with " + std::to_string(problem.size()) + " contacts";
  } catch (const std::exception& error) {
    outcome.report.detail = error.what();
  }
  const bool complete = outcome.solution.v_next.size() == problem.dof();
  if (!complete ||
      (!outcome.report.detail.empty() && outcome.report.worst == std::numeric_limits<double>::infinity())) {
    outcome.solution = {};
    outcome.solution.v_next.setConstant(problem.dof(), std::numeric_limits<double>::quiet_NaN());
  }
}

void StepSolver::run(const SolveInput& input, StepAnswer& out) {
  const ContactProblem& problem = input.problem;
  islands_.split(problem);
  const auto count = static_cast<std::size_t>(std::max<Index>(islands_.islands(), 1));
  if (outcomes_.size() < count) outcomes_.resize(count);
  if (islands_.whole()) {
    solve_island(problem, input.start, pipelines_[0], outcomes_[0]);
    swap(out.solution, outcomes_[0].solution);
  } else {
    if (starts_.size() < count) starts_.resize(count);
    run_parallel(count, threads_, [&](std::size_t k, int worker) {
      const auto island = static_cast<Index>(k);
      islands_.cut(island, problem, input.start, starts_[k]);
      solve_island(islands_[island].problem, starts_[k], pipelines_[static_cast<std::size_t>(worker)], outcomes_[k]);
    });
    if (parts_.size() < count) parts_.resize(count);
    for (std::size_t k = 0; k < count; ++k) swap(parts_[k], outcomes_[k].solution);
    islands_.merge(problem, pipelines_[0].model(), {parts_.data(), count}, out.solution);
  }
  gather(problem, count, out);
}

// Counts, reports and verdicts of the islands.
void StepSolver::gather(const ContactProblem& problem, std::size_t count, StepAnswer& out) const {
  const auto n = static_cast<std::size_t>(problem.size()), dry = static_cast<std::size_t>(problem.dry());
  out.states.assign(n, ContactState::kOpen);
  out.dry_states.assign(dry, ContactState::kStick);
  out.at_rest.assign(n + dry, 0);
  out.islands.resize(count);
  out.pivots = out.sweeps = 0;
  out.fallback = false;
  out.seconds_certify = 0.0;
  bool judged = true;
  const double shared_by = std::min(static_cast<double>(threads_), static_cast<double>(count));
  for (std::size_t k = 0; k < count; ++k) {
    const Outcome& outcome = outcomes_[k];
    out.islands[k] = outcome.report;
    out.pivots += outcome.pivots;
    out.sweeps += outcome.sweeps;
    out.fallback = out.fallback || outcome.fallback;
    out.seconds_certify += outcome.seconds_certify / shared_by;
    if (islands_.islands() == 0) continue;
    const Island& island = islands_[static_cast<Index>(k)];
    judged =
        judged && outcome.states.size() == island.contacts.size() && outcome.dry_states.size() == island.dry.size();
    if (!judged) continue;
    for (std::size_t i = 0; i < island.contacts.size(); ++i) {
      out.states[static_cast<std::size_t>(island.contacts[i])] = outcome.states[i];
      out.at_rest[static_cast<std::size_t>(island.contacts[i])] = outcome.at_rest ? 1 : 0;
    }
    for (std::size_t i = 0; i < island.dry.size(); ++i) {
      out.dry_states[static_cast<std::size_t>(island.dry[i])] = outcome.dry_states[i];
      out.at_rest[n + static_cast<std::size_t>(island.dry[i])] = outcome.at_rest ? 1 : 0;
    }
  }
  if (!judged) {
    out.states.clear();
    out.dry_states.clear();
  }
  out.judge_islands();
}

void StepAnswer::judge_islands() {
  status = Status::kSolved;
  worst = 0.0;
  detail.clear();
  for (const IslandReport& island : islands) {
    worst = std::max(worst, island.worst);
    if (severity(island.status) <= severity(status)) continue;
    status = island.status;
    detail = island.detail;
  }
}

}  // namespace tribo
