// The paper's program for contacts with friction, corrected (spec C.1, C.2): the weighted quadratic program over cones
//     min ½ζ(|x_n|² + |x_u|²) + ½|x_t|² + ½|x_t + D_t (G_t v1 + β_t)|²                                          (1)
//     subject to   x_i ≥ law_i(v1)  (normals and unilateral rows),   x_u ≥ 0,   |x_t| ≤ mu x_n
// It inflates normal forces to stop sliding (spec C.3); that is the program, not this solver.
#pragma once

#include "tribo/problem/compliant_problem.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"
#include "tribo/solve/report.hpp"

namespace tribo::compliant {

// Starts from solution.states and its forces where they fit: when the optimality system of those states verifies, the interior
// point method is not run (report.stages says so). The problem must be valid. Ends kSolved · kIterationLimit · kBreakdown.
SolveReport solve_weighted(const CompliantProblem& problem, const CompliantSettings& settings,
                           CompliantSolution& solution);

}  // namespace tribo::compliant
