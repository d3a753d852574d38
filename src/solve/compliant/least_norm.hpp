// The paper's program for unilateral rows (problem/compliant_problem.hpp), bilateral rows eliminated:
//     min ½|λ|²   subject to   λ ≥ law(v1(λ)),  λ ≥ 0                                                          (1)
// Strictly convex: one answer, every force at least the law. It is not λ = max(0, law) where rows are coupled: open springs may
// carry load (spec B.3). It knows no contacts: check_model (problem/compliant_name.hpp) refuses them.
// Source    spec B.1, C.7 ii; [Drumwright 2018] (83)–(85).
// Promise   the one answer, verified by its active set; interior points where the dual method's set does not verify.
// Cost      O(rows³) cold, O(rows²) from the last step. Allocates.
// Ends      kSolved · kIterationLimit (no active set verified) · kBreakdown
#pragma once

#include "tribo/problem/compliant_problem.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"
#include "tribo/solve/report.hpp"

namespace tribo::compliant {

// Fills all of the solution. The problem must be valid. Ends kSolved · kIterationLimit · kBreakdown (detail says why).
SolveReport solve_least_norm(const CompliantProblem& problem, const CompliantSettings& settings,
                             CompliantSolution& solution);

}  // namespace tribo::compliant
