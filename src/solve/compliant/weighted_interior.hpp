// Primal-dual interior point method for the weighted program (weighted_program.hpp):
//     w x + X̂ᵀ y − Cᵀ z = 0,   X̂ x + c = y/D²,   s = C x + c_C,   s, z ∈ K,   s ∘ z = 0                            (1)
// C x: the rows, then x ≥ 0 or (mu x_n, x_t) of every unit; K: half lines and second-order cones. Nesterov–Todd scaling,
// Mehrotra's predictor and corrector, infeasible start, y kept as an unknown (spec C.7 i). x_n ≥ 0 is left to the cone.
// Scaled: forces by the program's own, rows to entries of one, the objective by its largest weight.
// Ends when nothing gets better; what it is for is a guess that polish() then verifies.
#pragma once

#include "solve/compliant/weighted_polish.hpp"

namespace tribo::compliant {

struct InteriorReport {
  bool converged = false;  // gap and residuals below 1e-10 of their terms
  int iterations = 0;
};

InteriorReport solve_interior(const WeightedProgram& program, int max_iterations, ActiveGuess& guess,
                              WeightedPoint& point);

}  // namespace tribo::compliant
