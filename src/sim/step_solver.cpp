#include "sim/step_solver.hpp"

#include "tribo/certify/contact_certifier.hpp"
#include "tribo/core/clock.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/solve/cone/cone_solver.hpp"

#include <algorithm>
#include <limits>

#include "sim/parallel.hpp"

namespace tribo {

namespace {

constexpr double kPolish =
    1e-15;  // Newton's last steps are cheap, and what is not balanced is gathered by bodies at rest
constexpr Index kFewContacts = 24;  // more of them are polished only when they nearly rest: settle()
constexpr double kShare = 0.5;      // of the tolerance
// Of what the forces of a step do to a body: slow enough to be solved to the last digit; the second, where all have been at rest.
constexpr double kNearRest = 1e-5, kFromRest = 1e-3;
constexpr double kLastDigit = 1e-14;
constexpr double kHolds = 1e-13;  // a certificate that impulses of a motion must have to be those of rest

// Whether x (a velocity: weight M, an impulse: 1/M) is nothing beside what its own forces do to a body in a step. The certificate
// judges an island as a whole, where a heavy body excuses much of a light one.
template <bool velocity>
bool is_nothing(const ContactProblem& problem, const VectorXd& x, double tolerance) {
  const BlockLayout& layout = problem.mass.layout();
  const auto push_of = [&](Index b) {
    double push = 0.0;
    for (Index k = 0; k < layout.size(b); ++k) {
      const double p = problem.h * problem.f(layout.start(b) + k);
      push = std::max(push, p * p / problem.mass.block(b)(k, k));
    }
    return push;
  };
  double largest = 0.0;  // for bodies that nothing but contacts pushes
  for (Index b = 0; b < layout.blocks(); ++b) largest = std::max(largest, push_of(b));
  for (Index b = 0; b < layout.blocks(); ++b) {
    const double own = push_of(b), push = own > 0.0 ? own : largest;
    for (Index k = 0; k < layout.size(b); ++k) {
      const double m = problem.mass.block(b)(k, k), value = x(layout.start(b) + k);
      if (!(value * value * (velocity ? m : 1.0 / m) <= tolerance * tolerance * push)) return false;
    }
  }
  return true;
}

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

// h f + Nᵀ f_n + …: what would set a body at rest going.
void calc_unbalanced(const ContactProblem& problem, const ContactSolution& answer, VectorXd& p) {
  p = problem.h * problem.f;
  const auto add = [&](const BlockRows& rows, const VectorXd& f) {
    for (Index i = 0; i < f.size(); ++i) {
      if (f(i) != 0.0) rows.add_scaled(i, f(i), p);
    }
  };
  add(problem.J, answer.f_j);
  add(problem.N, answer.f_n);
  add(problem.S, answer.f_s);
  add(problem.T, answer.f_t);
  add(problem.spin, answer.f_spin);
  add(problem.roll_s, answer.f_roll_s);
  add(problem.roll_t, answer.f_roll_t);
}

}  // namespace

struct StepSolver::Workspace {
  ConeFormulation formulation;
  ConeSolver solver, settling = ConeSolver({.method = ConeMethod::kProximal, .tolerance = kLastDigit, .max_outer = 12});
  ConeWarmStart warm;
  ConeSolution cone, exact;
  ContactCertifier certifier;
  VectorXd v_next, unbalanced;  // while rest is tried
};

StepSolver::StepSolver(const ContactModel& model, std::string solver, double tolerance, int threads)
    : model_(model), solver_(std::move(solver)), tolerance_(tolerance), threads_(threads) {}
StepSolver::~StepSolver() = default;

// v⁺ = 0 with the impulses of `answer`; where its certificate does not pass, v⁺ stays as it was.
bool StepSolver::certifies_rest(const ContactProblem& problem, double tolerance, ContactSolution& answer,
                                Workspace& workspace, Outcome& outcome) const {
  const Stopwatch watch;
  workspace.v_next = answer.v_next;
  answer.v_next.setZero(problem.dof());
  const Certificate& certificate = workspace.certifier.island(problem, model_, answer);
  outcome.seconds_certify += watch.seconds();
  if (!certificate.passes(tolerance)) {
    answer.v_next = workspace.v_next;
    return false;
  }
  outcome.report.worst = certificate.worst;
  outcome.rests = problem.v.isZero(0.0);
  return true;
}

// Impulses that stopped a small motion hold a body a little less well than those found at rest: then it is solved once more.
bool StepSolver::stays_at_rest(const ContactProblem& problem, const ContactSolution& known, bool of_rest,
                               Workspace& workspace, ContactSolution& out, Outcome& outcome) const {
  if (known.f_n.size() != problem.size() || !problem.v.isZero(0.0)) return false;
  for (VectorXd ContactSolution::*f :
       {&ContactSolution::f_n, &ContactSolution::f_s, &ContactSolution::f_t, &ContactSolution::f_spin,
        &ContactSolution::f_roll_s, &ContactSolution::f_roll_t, &ContactSolution::f_j})
    out.*f = known.*f;
  calc_unbalanced(problem, out, workspace.unbalanced);
  return is_nothing<false>(problem, workspace.unbalanced, tolerance_) &&
         certifies_rest(problem, of_rest ? tolerance_ : std::min(tolerance_, kHolds), out, workspace, outcome);
}

StepSolver::Outcome StepSolver::solve_island(const ContactProblem& problem, const ContactSolution& known, bool of_rest,
                                             Workspace& workspace, ContactSolution& out) const {
  Outcome outcome = solve_one(problem, known, of_rest, workspace, out);
  if (is_solved(outcome.report.status) && spans_too_much(problem)) {
    outcome.report.status = Status::kBreakdown;
    outcome.detail =
        "masses that contacts join differ by more than 13 orders of magnitude, which doubles cannot balance: give the "
        "heaviest "
        "less, or fix it to the world";
  }
  return outcome;
}

// What is left of a motion may be no more than what the tolerance leaves of the answer: a heap would tremble on.
void StepSolver::settle(const ContactProblem& problem, Workspace& workspace, ContactSolution& out,
                        Outcome& outcome) const {
  const double slow = problem.v.isZero(0.0) ? kFromRest : kNearRest;
  if (is_nothing<true>(problem, out.v_next, tolerance_) || !is_nothing<true>(problem, out.v_next, slow)) return;
  workspace.warm.r = workspace.cone.r;
  const SolveReport report = workspace.settling.solve(workspace.formulation.problem(), workspace.warm, workspace.exact);
  outcome.pivots += report.pivots;
  outcome.sweeps += report.sweeps;
  workspace.formulation.lift(workspace.exact, out);  // the best point that was met, if not the last digit
}

StepSolver::Outcome StepSolver::solve_one(const ContactProblem& problem, const ContactSolution& known, bool of_rest,
                                          Workspace& workspace, ContactSolution& out) const {
  Outcome outcome;
  outcome.report.bodies = problem.mass.blocks();
  outcome.report.contacts = problem.size();
  if (stays_at_rest(problem, known, of_rest, workspace, out, outcome)) {
    outcome.report.solver = "at rest";
    return outcome;
  }
  if (std::holds_alternative<CoulombCone>(model_) && solver_ == "auto") {
    if (workspace.formulation.update(problem).has_value() && workspace.formulation.consistent()) {
      workspace.formulation.warm_start(known, workspace.warm);
      const SolveReport report =
          workspace.solver.solve(workspace.formulation.problem(), workspace.warm, workspace.cone);
      workspace.formulation.lift(workspace.cone, out);
      outcome.pivots = report.pivots;
      outcome.sweeps = report.sweeps;
      outcome.fallback = report.fallback;
      outcome.report.solver = report.stages;
      settle(problem, workspace, out, outcome);
      if (is_nothing<true>(problem, out.v_next, tolerance_) &&
          certifies_rest(problem, tolerance_, out, workspace, outcome))
        return outcome;
      const Stopwatch watch;
      const Certificate& certificate = workspace.certifier.island(problem, model_, out);
      outcome.seconds_certify += watch.seconds();
      outcome.report.worst = certificate.worst;
      if (certificate.passes(tolerance_)) return outcome;
    }
    outcome.fallback = true;
  }
  if (const Checked valid = validate(problem); !valid) {
    out = {};
    out.v_next.setConstant(problem.dof(), std::numeric_limits<double>::quiet_NaN());
    outcome.report.status = Status::kBreakdown;
    outcome.report.worst = std::numeric_limits<double>::infinity();
    outcome.detail = "the motion has left what can be computed: " + valid.error().where + ": " + valid.error().what;
    return outcome;
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
  if (!is_solved(answer.status)) {
    outcome.detail = answer.report.detail;
  } else if (is_nothing<true>(problem, out.v_next, tolerance_)) {
    (void)certifies_rest(problem, tolerance_, out, workspace, outcome);
  }
  return outcome;
}

const ContactSolution& StepSolver::solve(const ContactProblem& problem, const ContactSolution& known,
                                         std::vector<std::uint8_t>& of_rest, StepReport& report) {
  islands_.split(problem);
  const auto count = static_cast<std::size_t>(std::max<Index>(islands_.islands(), 1));
  while (workspaces_.size() < count) {
    workspaces_.push_back(std::make_unique<Workspace>());
    workspaces_.back()->solver =
        ConeSolver({.tolerance = kShare * tolerance_, .polish = kPolish, .most_polished = kFewContacts});
  }
  outcomes_.resize(count);
  of_rest_.assign(count, 1);
  for (std::size_t i = 0; i < of_rest.size(); ++i) of_rest_[islands_.map().of_contact[i]] &= of_rest[i];
  if (islands_.whole()) {
    outcomes_[0] = solve_island(problem, known, of_rest_[0] != 0, *workspaces_[0], solution_);
  } else {
    parts_.resize(count);
    starts_.resize(count);
    run_parallel(count, threads_, [&](std::size_t k) {
      islands_.cut(static_cast<Index>(k), problem, known, starts_[k]);
      outcomes_[k] = solve_island(islands_[static_cast<Index>(k)].problem, starts_[k], of_rest_[k] != 0,
                                  *workspaces_[k], parts_[k]);
    });
    islands_.merge(problem, model_, parts_, solution_);
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
