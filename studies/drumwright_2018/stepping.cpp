#include "stepping.hpp"

#include "tribo/certify/compliant.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace tribo {

StepSolver make_step_solver(const Compliant& model) {
  auto solver = std::make_shared<CompliantSolver>();
  return [solver, model](const CompliantProblem& problem, CompliantSolution& solution) {
    return solver->solve(problem, model, solution);
  };
}

void StepTally::add(const StepTally& other) {
  steps += other.steps;
  systems += other.systems;
  unsolved += other.unsolved;
  certified += other.certified;
  refused += other.refused;
  worst = std::max(worst, other.worst);
}

Stepper::Stepper(const Compliant& compliant, int every) : Stepper(compliant, make_step_solver(compliant), every) {}
Stepper::Stepper(const Compliant& compliant, StepSolver function, int every)
    : model(compliant), solver(std::move(function)), certify_every(every) {}

namespace {

// The certificate decides, not the solver's own opinion: neither for it nor against it.
template <class Certify>
void count_step(const SolveReport& report, int certify_every, StepTally& tally, const Certify& certify_step) {
  const bool claimed = is_solved(report.status);
  bool passes = false;
  tally.systems += report.pivots;
  if (certify_every > 0 && (!claimed || tally.steps % certify_every == 0)) {
    const Certificate certificate = certify_step();
    ++tally.certified;
    passes = certificate.passes(kStepTolerance);
    if (claimed && !passes) ++tally.refused;
    tally.worst = std::max(tally.worst, certificate.worst);
  }
  if (!claimed && !passes) ++tally.unsolved;
  ++tally.steps;
}

}  // namespace

const CompliantSolution& Stepper::step(const CompliantProblem& problem) {
  const SolveReport report = solver(problem, solution);
  count_step(report, certify_every, tally, [&] { return certify(problem, model, solution); });
  return solution;
}

const CompliantSolution& LayerStepper::step(const FoundationProblem& problem) {
  const SolveReport report = solver.solve(problem, solution);
  count_step(report, certify_every, tally, [&] { return certify(problem, solution); });
  return solution;
}

Eigen::Quaterniond turned(const Eigen::Quaterniond& turn, const Vector3d& rotation) {
  const double angle = rotation.norm();
  const double scale = angle > 1e-8 ? std::sin(0.5 * angle) / angle : 0.5;
  const Eigen::Quaterniond step(std::cos(0.5 * angle), scale * rotation.x(), scale * rotation.y(),
                                scale * rotation.z());
  return (step * turn).normalized();
}

void clear_rows(CompliantProblem& problem) {
  for (CompliantRows* rows : {&problem.bilateral, &problem.unilateral, &problem.normal, &problem.r, &problem.s}) {
    if (rows->G.layout() == problem.mass.layout()) {
      rows->G.clear();
    } else {
      rows->G = BlockRows(problem.mass.layout());
    }
    size_rows(*rows, 0);
  }
  problem.mu.resize(0);
  problem.rate_scale.resize(0);
}

void size_rows(CompliantRows& rows, Index count) {
  for (VectorXd* entries : {&rows.K, &rows.B, &rows.phi}) entries->setZero(count);
  rows.drift.resize(0);
}

}  // namespace tribo
