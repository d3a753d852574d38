// The paper's program for contacts with friction, corrected (spec C.1, C.2): the weighted quadratic program over cones
//     min ½ζ(|x_n|² + |x_u|²) + ½|x_t|² + ½|x_t + D_t (G_t v1 + β_t)|²                                          (1)
//     subject to   x_i ≥ law_i(v1)  (normals and unilateral rows),   x_u ≥ 0,   |x_t| ≤ mu x_n
// It inflates normal forces to stop sliding (spec C.3); that is the program, not this solver.
// Source    spec C.1, C.2, C.7 i; [Drumwright 2018] (124)–(142), (172)–(198).
// Promise   one answer exists. Solved means that an active set fulfils every sign of its optimality conditions in extended
//           precision; not found for one problem in ten of 40 contacts or 60 rows over ten orders of stiffness.
// Cost      O(rows³) per iteration, dense, 20 to 60 iterations; a few systems from the active set of the last step. Allocates.
// Ends      kSolved · kIterationLimit (no active set verified: the forces of the interior point method) · kBreakdown
#pragma once

#include "tribo/problem/compliant_problem.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"
#include "tribo/solve/report.hpp"

namespace tribo::compliant {

// Starts from solution.states and its forces where they fit: when the optimality system of those states verifies, the interior
// point method is not run (report.methods says so).
// The problem must be valid.
SolveReport solve_weighted(const CompliantProblem& problem, const CompliantSettings& settings,
                           CompliantSolution& solution);

}  // namespace tribo::compliant
