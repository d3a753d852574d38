// Compliant rows, contacts and friction in one step (problem/compliant_problem.hpp), by methods whose cost follows the degrees
// of freedom: W = G M⁻¹ Gᵀ is never formed.
//     bilateral            least squares on v1 − v*, forces from the residual                          spec A3, A4
//     kComplementarity     min_v ½|v − v*|²_M + ½ Σ L [−(G v + β)]₊², Newton, line search              spec B3
//     kLeastNorm           min ½|λ|² with λ ≥ law, λ ≥ 0, dual active set                              spec B1
//     kCoulomb             discs of frozen radius, then semismooth Newton on the law itself            spec C.5
//     kConvexCone          min_v ½|v − v_b|² + ½ Σ |P(y)|²_R, Newton                                   spec C3
//     kWeighted            the corrected quadratic program over cones, interior point and polish       spec C1, C.7
// Every method ends with its linear system on the final set of rows solved for the forces, so that stiff rows lose few digits.
// Source    [Drumwright 2018], corrected as spec/first-order-solver says; symbols as there.
// Differs   kPaper feeds (G M⁻¹ Gᵀ)⁻¹ Ġ v0 forward for bilateral rows alone. A warm start goes to Newton's method on Coulomb's law first; where discs from zero friction lead
//           nowhere, discs from full friction are tried.
//           Where Newton's method fails, softer rows lead to the stiff ones (stiffness_path.hpp).
//           Impulses far above all momentum (stiff rows that press against one another): systems in extended precision.
// Promise   bilateral, kComplementarity, kConvexCone: a unique answer, found in all of 120,000 random problems over ten orders
//           of stiffness, h from 1e-5 to 0.1 s and mass ratios to 1e6. kCoulomb: none (spec C.5); 1 in 1,000 of these fails.
// Cost      up to `dense_dofs`: O(rows · dof²) per linear system; above: O(rows + fill) over the graph of the bodies. One to
//           three systems in a warm step; many rows without friction on few degrees of freedom: one to four passes over the rows each.
//           kLeastNorm, kWeighted: dense in the rows.
// Ends      kSolved · kIterationLimit · kBreakdown (a number not finite, kLeastNorm with contacts)
#pragma once

#include "tribo/problem/compliant_problem.hpp"
#include "tribo/solve/report.hpp"

#include <memory>

namespace tribo {

struct CompliantSettings {
  double tolerance =
      1e-12;  // of each row, relative to the speeds it joins (spec C.7 iii), > 0; where rounding forbids it: 1e-10
  int max_passes = 6;        // kCoulomb: discs before Newton's method on the law
  int max_iterations = 100;  // Newton steps of one problem
  // Above, systems are factored by the graph of the bodies; >= 0. Where rows are too stiff for that (stiffness over mass beyond
  // 1e16 or so), all degrees of freedom at once up to 1,500, and kBreakdown beyond.
  Index dense_dofs = 120;
};

class CompliantSolver {
 public:
  explicit CompliantSolver(CompliantSettings settings = {});
  ~CompliantSolver();
  CompliantSolver(CompliantSolver&&) noexcept;
  CompliantSolver& operator=(CompliantSolver&&) noexcept;

  // The problem must be valid. `solution` of the last step (v1 and states of the right sizes) is the start where it fits;
  // otherwise v*. report.stages names what was done and, where kCoulomb did not converge, what was returned instead; the
  // status is then kIterationLimit. report.pivots counts linear systems. Nothing is allocated in a step like the last, but for
  // kLeastNorm and kWeighted.
  SolveReport solve(const CompliantProblem& problem, const Compliant& model, CompliantSolution& solution);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
