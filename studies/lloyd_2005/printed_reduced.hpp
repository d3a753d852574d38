// The reduced method with the covering vector that the paper leaves open, as spec C.5 (R1) reports it in words from the
// author's released program: an experiment, to see how it ends. The technical report with the details is not available,
// so this is an inference, and no more.
//     start   ν rows alone, c = 1
//     enter   when θ_i becomes the driving variable: the rows σ_i, γ_i with c = 1, then the whole block, γ_i included,
//             raised by one amount  max_k(−2 σ_ik / z₀)  if some σ_ik < 0;  blocks are never removed
// On the dense LCP (6) of the paper in whitened coordinates, rows as they are, in SI units; every basis is factored
// anew.
#pragma once

#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

namespace tribo {

// When z₀ leaves the basis, which ends the path. It is always tied there: γ of a block without load is a multiple of
// z₀. So a tolerance decides, and one is enough: z₀ leaves when a step leaves no more of it than
struct CoverExit {
  double of_step = 1e-11;  // of its value before the step; a tie in the ratio test, with the window of spec C.4
  double of_start = 0.0;   // of its first value; 1e-11: what is left is rounding
};

// kSolved, kRay (nothing blocks), kBreakdown (a singular basis) or kIterationLimit. The problem must be valid, at
// velocity level, without bilateral rows; every contact with mu > 0.
SolveReport solve_printed_reduced(const ContactProblem& problem, int sides, const CoverExit& exit,
                                  ContactSolution& solution);

}  // namespace tribo
