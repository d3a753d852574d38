// The paper's program for unilateral rows (problem/compliant_problem.hpp), bilateral rows eliminated:
//     min ½|λ|²   subject to   λ ≥ law(v1(λ)),  λ ≥ 0                                                          (1)
// Strictly convex: one answer, every force at least the law. It is not λ = max(0, law) where rows are coupled: open springs may
// carry load (spec B.3). Contacts count as rows along their normals, which is meant only where mu = 0.
#pragma once

#include "tribo/problem/compliant_problem.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"
#include "tribo/solve/report.hpp"

namespace tribo::compliant {

// Fills all of the solution. The problem must be valid. Ends kSolved · kIterationLimit · kBreakdown (detail says why).
SolveReport solve_least_norm(const CompliantProblem& problem, const CompliantSettings& settings,
                             CompliantSolution& solution);

}  // namespace tribo::compliant
