#include "tribo/solve/compliant/compliant_solver.hpp"

#include "tribo/problem/compliant_name.hpp"

#include <algorithm>
#include <cmath>

#include "solve/compliant/coulomb_step.hpp"
#include "solve/compliant/least_norm.hpp"
#include "solve/compliant/step_newton.hpp"
#include "solve/compliant/step_rows.hpp"
#include "solve/compliant/stiffness_path.hpp"
#include "solve/compliant/tall_step.hpp"
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
  SolveReport solve_step(const CompliantProblem& problem, Friction friction, bool by_bodies,
                         CompliantSolution& solution);
  SolveReport solve_dense(const CompliantProblem& problem, Friction friction, CompliantSolution& solution);
  StepNewton::End solve_convex(Friction friction, SolveReport& report);
  CoulombEnd solve_coulomb(bool started, SolveReport& report);
  void limit_friction(const Unit& unit, double normal, CompliantSolution& solution);
  void write(const CompliantProblem& problem, bool push_only, bool within_cones, CompliantSolution& solution);

  CompliantSolution start_;  // as it was given, where a first try may spoil it
  StepRows rows_;
  StepNewton newton_;
  compliant::TallStep tall_;
  VectorXd u_, impulses_;
};

namespace {

void clear_solution(const CompliantProblem& problem, CompliantSolution& solution) {
  for (const Family family : {Family::kBilateral, Family::kUnilateral, Family::kNormal, Family::kR, Family::kS}) {
    compliant::forces_of(solution, family).setZero(compliant::rows_of(problem, family).rows());
  }
  solution.states.assign(static_cast<std::size_t>(problem.contacts()), ContactState::kOpen);
}

constexpr Index kMostDense = 1500;  // degrees of freedom

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

void CompliantSolver::Workspace::limit_friction(const Unit& unit, double normal, CompliantSolution& solution) {
  const auto force = [&](int k) -> double& {
    const RowSource from = rows_.source(unit.first + k);
    return compliant::forces_of(solution, from.family)(from.index);
  };
  double square = 0.0;
  for (int k = 1; k < unit.size(); ++k) square += force(k) * force(k);
  const double length = std::sqrt(square), radius = unit.mu * normal;
  if (length <= radius) return;
  for (int k = 1; k < unit.size(); ++k) force(k) *= radius / length;
}

// Forces are those of the last linear system, which balance momentum to rounding; they fulfil the laws to the tolerance, which is
// one of speeds. A small force beside large speeds may be beyond its own law by more than its rounding: it is put back.
void CompliantSolver::Workspace::write(const CompliantProblem& problem, bool push_only, bool within_cones,
                                       CompliantSolution& solution) {
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
    if (push_only) normal = std::max(0.0, normal);
    if (within_cones) limit_friction(unit, normal, solution);
    if (unit.kind != UnitKind::kContact || !(normal > 0.0)) continue;
    bool slips = unit.tangents == 0;
    for (int k = 1; k < unit.size(); ++k) slips = slips || sigma(i + k) != 0.0;
    solution.states[static_cast<std::size_t>(from.index)] = slips ? ContactState::kSlide : ContactState::kStick;
  }
  if (rows_.has_prestress()) solution.lambda_b += rows_.prestress() / problem.h;
}

SolveReport CompliantSolver::Workspace::solve_step(const CompliantProblem& problem, Friction friction, bool by_bodies,
                                                   CompliantSolution& solution) {
  SolveReport report;
  if (!rows_.assign(problem, by_bodies)) {
    clear_solution(problem, solution);
    solution.v1 = problem.v;
    report.detail = "the mass matrix is not positive definite, or a number is not finite";
    return report;
  }
  if (rows_.rows() == 0) {
    newton_.start(rows_);
    write(problem, true, true, solution);
    report.status = Status::kSolved;
    return report;
  }
  newton_.reset_systems();
  const bool started = start_from(problem, friction, solution);
  if (!started) newton_.start(rows_);
  StepNewton::End end = StepNewton::End::kBreakdown;
  bool discs_hold = false;
  if (friction == Friction::kCoulomb && rows_.has_friction()) {
    const CoulombEnd ended = solve_coulomb(started, report);
    end = ended.end;
    if (ended.last_discs || ended.passes > 0) report.methods.add(Method::kDiscs);
    if (ended.last_discs || ended.passes == 0 || ended.by_newton) report.methods.add(Method::kNewton);
    discs_hold = ended.last_discs && ended.discs_solved;
    if (ended.last_discs) {
      report.detail = discs_hold ? "Coulomb's law was not met; the normal law is, friction to the normal force before"
                                 : "neither Coulomb's law nor the discs were met";
    }
  } else {
    end = solve_convex(friction == Friction::kCone ? friction : Friction::kDisc, report);
    report.methods.add(rows_.only_bilateral()                                ? Method::kBilateral
                       : friction == Friction::kCone && rows_.has_friction() ? Method::kConvexCone
                                                                             : Method::kNormals);
    if (end == StepNewton::End::kIterationLimit) report.detail = "Newton's method did not settle";
  }
  report.status = to_status(end);
  report.pivots = newton_.systems();
  report.iterations = report.pivots;
  if (end == StepNewton::End::kBreakdown) {
    newton_.start(rows_);
    report.detail = "a linear system was singular to working precision, or a number overflowed in it";
  }
  write(problem, is_solved(report.status) || discs_hold, is_solved(report.status), solution);
  return report;
}

// Few degrees of freedom. Many rows without friction have a way of their own, which leaves what is out of the ordinary to the other.
SolveReport CompliantSolver::Workspace::solve_dense(const CompliantProblem& problem, Friction friction,
                                                    CompliantSolution& solution) {
  if (!compliant::TallRows::fits(problem)) return solve_step(problem, friction, false, solution);
  SolveReport report;
  if (tall_.solve(problem, settings, solution)) {
    report.status = Status::kSolved;
    report.methods.add(tall_.only_bilateral() ? Method::kBilateral : Method::kNormals);
  } else {
    report = solve_step(problem, friction, false, solution);
  }
  report.pivots += tall_.systems();
  report.iterations = report.pivots;
  return report;
}

// Newton's method from where it stands, then by way of softer rows.
StepNewton::End CompliantSolver::Workspace::solve_convex(Friction friction, SolveReport& report) {
  constexpr int kAlone = 30, kFullSteps = 8;
  const bool cone = friction == Friction::kCone && rows_.has_friction();
  const auto attempt = [&](int steps) {
    return newton_.solve_convex(rows_, friction, settings.tolerance, steps, cone ? kFullSteps : 0);
  };
  const StepNewton::End end = attempt(cone ? std::min(kAlone, settings.max_iterations) : settings.max_iterations);
  if (end != StepNewton::End::kIterationLimit) return end;
  report.fallback = true;
  const StepNewton::End last = follow_stiffness(rows_, newton_, [&](bool) { return attempt(settings.max_iterations); });
  if (last != StepNewton::End::kIterationLimit) return last;
  newton_.start(rows_);  // what comes back is of these rows, not of softer ones
  return attempt(std::min(kAlone, settings.max_iterations));
}

// From the start, without it, and by way of softer rows. Where nothing helps the last discs come back.
CoulombEnd CompliantSolver::Workspace::solve_coulomb(const bool started, SolveReport& report) {
  CoulombEnd ended;
  const auto attempt = [&](bool from_here) {
    if (!from_here) newton_.start(rows_);
    ended = solve_coulomb_step(rows_, newton_, from_here, settings);
    report.sweeps += ended.passes;
    return ended.end;
  };
  if (started && attempt(true) == StepNewton::End::kSolved) return ended;
  if (attempt(false) != StepNewton::End::kIterationLimit) return ended;
  report.fallback = true;
  if (follow_stiffness(rows_, newton_, attempt) == StepNewton::End::kIterationLimit) attempt(false);
  return ended;
}

SolveReport CompliantSolver::Workspace::solve(const CompliantProblem& problem, const Compliant& model,
                                              CompliantSolution& solution) {
  if (!check_model(problem, model)) {
    SolveReport report;
    report.detail = "the least-norm program has no place for contacts";
    clear_solution(problem, solution);
    solution.v1 = problem.v;
    return report;
  }
  if (problem.contacts() > 0 && model.friction == FrictionLaw::kWeighted) {
    return compliant::solve_weighted(problem, settings, solution);
  }
  if (problem.unilateral.rows() > 0 && model.unilateral == UnilateralLaw::kLeastNorm) {
    return compliant::solve_least_norm(problem, settings, solution);
  }
  const Friction friction = model.friction == FrictionLaw::kConvexCone ? Friction::kCone : Friction::kCoulomb;
  if (problem.dof() <= settings.dense_dofs) return solve_dense(problem, friction, solution);
  start_ = solution;
  const SolveReport report = solve_step(problem, friction, true, solution);
  // Rows too stiff for systems of bodies: all degrees of freedom at once, while that is affordable.
  if (report.status != Status::kBreakdown || problem.dof() > kMostDense) return report;
  std::swap(solution, start_);
  SolveReport dense = solve_step(problem, friction, false, solution);
  dense.fallback = true;
  dense.pivots += report.pivots;
  dense.sweeps += report.sweeps;
  dense.iterations += report.iterations;
  return dense;
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
