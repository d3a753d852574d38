// What the rigs share. One step of each: geometry at q0 → CompliantProblem → a solver → v1, then q1 = q0 ⊕ h v1. The
// solver is a function, so that every model, and any other method, goes through the same rig.
#pragma once

#include "tribo/problem/compliant_problem.hpp"
#include "tribo/problem/foundation.hpp"
#include "tribo/solve/compliant/foundation_solver.hpp"
#include "tribo/solve/report.hpp"

#include <functional>

#include <Eigen/Geometry>

namespace tribo {

using StepSolver = std::function<SolveReport(const CompliantProblem&, CompliantSolution&)>;

// CompliantSolver with a workspace of its own, started from the last answer.
StepSolver make_step_solver(const Compliant& model);

inline constexpr double kStepTolerance = 1e-8;  // largest relative residual that counts as an answer

struct StepTally {
  long steps = 0;
  long systems = 0;    // linear ones
  long unsolved = 0;   // the solver says so, and no certificate against it
  long certified = 0;  // steps that the certificate looked at
  long refused = 0;    // claimed to be solved, worst residual above kStepTolerance
  double worst = 0.0;  // residual, relative

  void add(const StepTally& other);
  bool held() const { return unsolved == 0 && refused == 0; }
};

// A solver, the model that its answers are judged by, and how often: every `certify_every`-th answer (1: all, 0: none), and every
// one that the solver does not claim, is looked at by the certificate, which never saw the solver.
struct Stepper {
  Compliant model;
  StepSolver solver;
  int certify_every = 1;
  StepTally tally = {};
  CompliantSolution solution = {};

  explicit Stepper(const Compliant& compliant, int every = 1);
  Stepper(const Compliant& compliant, StepSolver function, int every);
  const CompliantSolution& step(const CompliantProblem& problem);
};

// The same for a face on an elastic layer, whose certificate is that of its rows.
struct LayerStepper {
  int certify_every = 1;
  FoundationSolver solver = FoundationSolver();
  StepTally tally = {};
  CompliantSolution solution = {};

  explicit LayerStepper(int every = 1) : certify_every(every) {}
  const CompliantSolution& step(const FoundationProblem& problem);
};

// exp(rotation) turn, of unit length (spec D.1).
Eigen::Quaterniond turned(const Eigen::Quaterniond& turn, const Vector3d& rotation);

// Gives all rows of a problem the blocks of its mass matrix, and makes them none.
void clear_rows(CompliantProblem& problem);
// K, B and phi for `count` rows.
void size_rows(CompliantRows& rows, Index count);

}  // namespace tribo
