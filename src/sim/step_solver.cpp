#include "sim/step_solver.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <limits>

#include "sim/parallel.hpp"

namespace tribo {

namespace {

// Impulses that hold the heaviest are rounded by more than what moves the lightest: no certificate of the whole sees that.
bool spans_too_much(const ContactProblem& problem) {
  constexpr double kMostSpan = 1e13;
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    const double mass = problem.mass.block(b).diagonal().maxCoeff();
    least = std::min(least, mass);
    most = std::max(most, mass);
  }
  return most > kMostSpan * least;
}

SolveOptions make_options(std::string solver, double tolerance) {
  SolveOptions options;
  options.solver = std::move(solver);
  options.tolerance = tolerance;
  options.relax = true;
  options.selection.rest = true;
  return options;
}

// The methods inside the solver where it names them, as the one of the true cone does.
void name_solver(const ContactAnswer& answer, std::string& name) {
  const Attempt* decided = nullptr;
  for (const Attempt& attempt : answer.history) {
    if (attempt.status == answer.status && std::string_view(attempt.name) != "brought to rest") decided = &attempt;
  }
  name = answer.solver == "cone" && decided != nullptr && !decided->note.empty() ? decided->note : answer.solver;
}

}  // namespace

StepSolver::StepSolver(const ContactModel& model, std::string solver, double tolerance, int threads)
    : threads_(threads) {
  const SolveOptions options = make_options(std::move(solver), tolerance);
  for (int worker = 0; worker < threads; ++worker) pipelines_.emplace_back(model, options);
}

void StepSolver::solve_island(const ContactProblem& problem, const StartValues& known, ContactPipeline& pipeline,
                              ContactSolution& out, Outcome& outcome) const {
  outcome.report.bodies = problem.mass.blocks();
  outcome.report.contacts = problem.size();
  outcome.report.status = Status::kBreakdown;
  outcome.report.worst = std::numeric_limits<double>::infinity();
  outcome.pivots = outcome.sweeps = 0;
  outcome.fallback = outcome.rests = false;
  outcome.seconds_certify = 0.0;
  outcome.detail.clear();
  try {
    if (const Checked valid = validate(problem); !valid) {
      outcome.detail = "the motion has left what can be computed: " + valid.error().where + ": " + valid.error().what;
    } else {
      const ContactAnswer& answer = pipeline.solve_island(problem, known);
      out = answer.solution;
      outcome.report.status = answer.status;
      outcome.report.worst = answer.certificate.worst;
      name_solver(answer, outcome.report.solver);
      outcome.pivots = answer.report.pivots;
      outcome.sweeps = answer.report.sweeps;
      outcome.fallback = answer.report.fallback;
      outcome.seconds_certify = answer.seconds_certify;
      outcome.rests = answer.found_at_rest;
      if (!is_solved(answer.status)) outcome.detail = answer.report.detail;
    }
  } catch (const ContractError& error) {
    outcome.detail = error.what();
  }
  if (out.v_next.size() != problem.dof() || !outcome.detail.empty()) {
    if (out.v_next.size() != problem.dof() || outcome.report.worst == std::numeric_limits<double>::infinity()) {
      out = {};
      out.v_next.setConstant(problem.dof(), std::numeric_limits<double>::quiet_NaN());
    }
  }
  if (is_solved(outcome.report.status) && spans_too_much(problem)) {
    outcome.report.status = Status::kBreakdown;
    outcome.detail =
        "masses that contacts join differ by more than 13 orders of magnitude, which doubles cannot balance: give the "
        "heaviest "
        "less, or fix it to the world";
  }
}

const ContactSolution& StepSolver::solve(const ContactProblem& problem, const StartValues& known,
                                         std::vector<std::uint8_t>& of_rest, StepReport& report) {
  islands_.split(problem);
  const auto count = static_cast<std::size_t>(std::max<Index>(islands_.islands(), 1));
  outcomes_.resize(std::max(count, outcomes_.size()));
  of_rest_.assign(count, 1);
  for (std::size_t i = 0; i < of_rest.size(); ++i) of_rest_[islands_.map().of_contact[i]] &= of_rest[i];
  if (islands_.whole()) {
    whole_start_ = known;
    whole_start_.found_at_rest = of_rest_[0] != 0;
    solve_island(problem, whole_start_, pipelines_[0], solution_, outcomes_[0]);
  } else {
    parts_.resize(std::max(count, parts_.size()));
    starts_.resize(std::max(count, starts_.size()));
    run_parallel(count, threads_, [&](std::size_t k, int worker) {
      const auto island = static_cast<Index>(k);
      StartValues& start = starts_[k];
      islands_.cut(island, problem, known.impulses, start.impulses);
      start.states.clear();
      if (!known.states.empty()) {
        for (const Index i : islands_[island].contacts)
          start.states.push_back(known.states[static_cast<std::size_t>(i)]);
      }
      start.found_at_rest = of_rest_[k] != 0;
      solve_island(islands_[island].problem, start, pipelines_[static_cast<std::size_t>(worker)], parts_[k],
                   outcomes_[k]);
    });
    islands_.merge(problem, pipelines_[0].model(), {parts_.data(), count}, solution_);
  }
  for (std::size_t i = 0; i < of_rest.size(); ++i) of_rest[i] = outcomes_[islands_.map().of_contact[i]].rests ? 1 : 0;
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
