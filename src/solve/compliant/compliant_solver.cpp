#include "tribo/solve/compliant/compliant_solver.hpp"

#include <algorithm>
#include <cmath>

#include "solve/compliant/coulomb_step.hpp"
#include "solve/compliant/least_norm.hpp"
#include "solve/compliant/step_newton.hpp"
#include "solve/compliant/step_rows.hpp"
#include "solve/compliant/weighted.hpp"

namespace tribo {

using compliant::CoulombEnd;
using compliant::Family;
using compliant::Friction;
using compliant::RowSource;
using compliant::StepNewton;
using compliant::StepRows;
using compliant::Unit;
using compliant::UnitKind;

class CompliantSolver::Workspace {
 public:
  explicit Workspace(CompliantSettings chosen) : settings(chosen) {}

  SolveReport solve(const CompliantProblem& problem, const Compliant& model, CompliantSolution& solution);

  CompliantSettings settings;

 private:
  bool start_from(const CompliantProblem& problem, Friction friction, CompliantSolution& solution);
  SolveReport solve_step(const CompliantProblem& problem, Friction friction, CompliantSolution& solution);
  StepNewton::End solve_convex(Friction friction, SolveReport& report);
  void write(const CompliantProblem& problem, bool push_only, CompliantSolution& solution);

  StepRows rows_;
  StepNewton newton_;
  VectorXd u_, impulses_;
};

namespace {

void clear_solution(const CompliantProblem& problem, CompliantSolution& solution) {
  for (const Family family : {Family::kBilateral, Family::kUnilateral, Family::kNormal, Family::kR, Family::kS}) {
    compliant::forces_of(solution, family).setZero(compliant::rows_of(problem, family).rows());
  }
  solution.states.assign(static_cast<std::size_t>(problem.contacts()), ContactState::kOpen);
}

Status to_status(StepNewton::End end) {
  return end == StepNewton::End::kSolved           ? Status::kSolved
         : end == StepNewton::End::kIterationLimit ? Status::kIterationLimit
                                                   : Status::kBreakdown;
}

}  // namespace

// The last solution as a start; false where it does not fit.
bool CompliantSolver::Workspace::start_from(const CompliantProblem& problem, Friction friction,
                                            CompliantSolution& solution) {
  bool fits = solution.v1.size() == problem.dof() && solution.v1.allFinite() &&
              static_cast<Index>(solution.states.size()) == problem.contacts();
  for (const Family family : {Family::kBilateral, Family::kUnilateral, Family::kNormal, Family::kR, Family::kS}) {
    const VectorXd& forces = compliant::forces_of(solution, family);
    fits = fits && forces.size() == compliant::rows_of(problem, family).rows() && forces.allFinite();
  }
  if (!fits) return false;
  rows_.to_whitened(solution.v1, u_);
  impulses_.resize(rows_.rows());
  for (Index i = 0; i < rows_.rows(); ++i) {
    const RowSource from = rows_.source(i);
    impulses_(i) = problem.h * compliant::forces_of(solution, from.family)(from.index);
  }
  newton_.start(rows_, friction, u_, impulses_, solution.states);
  return true;
}

// Forces are those of the last linear system, which balance momentum to rounding; they fulfil the laws to the tolerance.
void CompliantSolver::Workspace::write(const CompliantProblem& problem, bool push_only, CompliantSolution& solution) {
  clear_solution(problem, solution);
  rows_.to_velocity(newton_.u(), solution.v1);
  const VectorXd& gamma = newton_.impulses();
  const VectorXd& sigma = newton_.slips();
  for (Index i = 0; i < rows_.rows(); ++i) {
    const RowSource from = rows_.source(i);
    compliant::forces_of(solution, from.family)(from.index) = gamma(i) / problem.h;
  }
  for (const Unit& unit : rows_.units()) {
    const Index i = unit.first;
    if (unit.kind == UnitKind::kBilateral) continue;
    const RowSource from = rows_.source(i);
    double& normal = compliant::forces_of(solution, from.family)(from.index);
    if (push_only) normal = std::max(0.0, normal);  // a pull within the tolerance
    if (unit.kind != UnitKind::kContact || !(normal > 0.0)) continue;
    bool slips = unit.tangents == 0;
    for (int k = 1; k < unit.size(); ++k) slips = slips || sigma(i + k) != 0.0;
    solution.states[static_cast<std::size_t>(from.index)] = slips ? ContactState::kSlide : ContactState::kStick;
  }
  if (rows_.has_prestress()) solution.lambda_b += rows_.prestress() / problem.h;
}

SolveReport CompliantSolver::Workspace::solve_step(const CompliantProblem& problem, Friction friction,
                                                   CompliantSolution& solution) {
  SolveReport report;
  if (!rows_.assign(problem)) {
    clear_solution(problem, solution);
    solution.v1 = problem.v;
    report.detail = "the mass matrix is not positive definite, or a number is not finite";
    return report;
  }
  if (rows_.rows() == 0) {
    newton_.start(rows_);
    write(problem, true, solution);
    report.status = Status::kSolved;
    report.stages = "no rows";
    return report;
  }
  const bool started = start_from(problem, friction, solution);
  if (!started) newton_.start(rows_);
  StepNewton::End end = StepNewton::End::kBreakdown;
  bool discs_hold = false;
  if (friction == Friction::kCoulomb && rows_.has_friction()) {
    CoulombEnd ended = solve_coulomb_step(rows_, newton_, started, settings);
    if (started && ended.end != StepNewton::End::kSolved) {  // the start may be to blame
      const int systems = newton_.systems(), passes = ended.passes;
      newton_.start(rows_);
      ended = solve_coulomb_step(rows_, newton_, false, settings);
      report.pivots = systems;
      report.sweeps = passes;
    }
    end = ended.end;
    report.sweeps += ended.passes;
    report.stages = ended.last_discs    ? "discs, newton; returned: the last discs"
                    : ended.passes == 0 ? "newton"
                    : ended.by_newton   ? "discs, newton"
                                        : "discs";
    discs_hold = ended.last_discs && ended.discs_solved;
    if (ended.last_discs) {
      report.detail = discs_hold ? "Coulomb's law was not met; the normal law is, friction to the normal force before"
                                 : "neither Coulomb's law nor the discs were met";
    }
  } else {
    end = solve_convex(friction == Friction::kCone ? friction : Friction::kDisc, report);
    report.stages = rows_.only_bilateral()                                ? "bilateral"
                    : friction == Friction::kCone && rows_.has_friction() ? "convex cone"
                                                                          : "complementarity";
    if (end == StepNewton::End::kIterationLimit) report.detail = "Newton's method did not settle";
  }
  report.status = to_status(end);
  report.pivots += newton_.systems();
  report.iterations = report.pivots;
  if (end == StepNewton::End::kBreakdown) {
    newton_.start(rows_);
    report.detail = "a number overflowed in a linear system";
  }
  write(problem, is_solved(report.status) || discs_hold, solution);
  return report;
}

// The cone has a unique answer; where one mixture of full and shortened steps does not find it, the next begins anew.
StepNewton::End CompliantSolver::Workspace::solve_convex(Friction friction, SolveReport& report) {
  constexpr int kMixtures[] = {8, 5, 12, 0};
  StepNewton::End end = StepNewton::End::kIterationLimit;
  for (const int full_steps : kMixtures) {
    end = newton_.solve_convex(rows_, friction, settings.tolerance, settings.max_iterations, full_steps);
    if (end != StepNewton::End::kIterationLimit || friction != Friction::kCone || full_steps == 0) break;
    report.pivots += newton_.systems();
    report.fallback = true;
    newton_.start(rows_);
  }
  return end;
}

SolveReport CompliantSolver::Workspace::solve(const CompliantProblem& problem, const Compliant& model,
                                              CompliantSolution& solution) {
  const bool has_tangents = problem.r.rows() > 0 && (problem.mu.array() > 0.0).any();
  if (problem.contacts() > 0 && model.friction == FrictionLaw::kWeighted) {
    return compliant::solve_weighted(problem, settings, solution);
  }
  const bool has_pushing = problem.contacts() > 0 || problem.unilateral.rows() > 0;
  if (has_pushing && !has_tangents && model.unilateral == UnilateralLaw::kLeastNorm) {
    return compliant::solve_least_norm(problem, settings, solution);
  }
  return solve_step(problem, model.friction == FrictionLaw::kConvexCone ? Friction::kCone : Friction::kCoulomb,
                    solution);
}

CompliantSolver::CompliantSolver(CompliantSettings settings) : workspace_(std::make_unique<Workspace>(settings)) {}
CompliantSolver::~CompliantSolver() = default;
CompliantSolver::CompliantSolver(CompliantSolver&&) noexcept = default;
CompliantSolver& CompliantSolver::operator=(CompliantSolver&&) noexcept = default;

SolveReport CompliantSolver::solve(const CompliantProblem& problem, const Compliant& model,
                                   CompliantSolution& solution) {
  return workspace_->solve(problem, model, solution);
}

}  // namespace tribo
