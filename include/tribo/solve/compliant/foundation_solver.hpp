// One step of a face on an elastic layer (problem/foundation.hpp). All that the n elements do to the body is a force and two
// moments, and all they know of it is the plane of the gaps at the end of the step, ρ = gap + h T v1:
//     impulse per area    −(e ρ − b gap)·s where positive,   e = h k + b,  with b = 0 for elements across a gap      (1)
//     its sum             p = −(Ê ρ − B̂ gap),   Ê = Σ e A s sᵀ,  B̂ = Σ b A s sᵀ over the loaded elements             (2)
//     the body            ρ = ρ* + h N p,   ρ* = gap + h T v*,   N = T M⁻¹ Tᵀ                                       (3)
// Newton's method of spec B3 on three unknowns: while others are loaded than before,
//     (I + h N Ê) ρ = ρ* + h N B̂ gap                                                                                (4)
// ρ itself is solved for, not v1: stiff layers, where ρ is what two large numbers leave, lose no digits. Ê changes by the elements
// that come and go (layer_tiles.hpp). A step d in ρ, d_p in p, is too long where d·(p − law) is positive at its end: this is the
// slope of the convex function that is minimized, and the step ends where it nearly vanishes.
// In the end the impulses (1) are summed as they are written. Where they differ from p, as where a face swings open about an edge
// that is pressed hard, what is missing in (3) is corrected, and v1 is what these impulses make of the body:
//     off = ρ* + h N p − ρ − δ,   δ ← δ + (I + h N Ê)⁻¹ off,   (1) with gap, ρ − gap and δ apart                     (5)
// Source    spec/first-order-solver B3, E.4, reduced to the three numbers that a plane has.
// Differs   where (5) does not settle, neither from the elements loaded before nor from none, as between guides and a layer that
//           press far harder than anything moves, CompliantSolver takes the rows one by one, from v1 of `solution` on.
// Promise   the unique answer of the rows that to_rows() gives, as CompliantSolver's.
// Cost      two to four looks at the elements near the line where loads end, and n forces to write. Nothing is allocated in a
//           step like the last, but by rows.
// Ends      kSolved · what CompliantSolver ends with (`fallback`)
#pragma once

#include "tribo/problem/foundation.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"
#include "tribo/solve/report.hpp"

#include <memory>

namespace tribo {

class FoundationSolver {
 public:
  explicit FoundationSolver(CompliantSettings settings = {});
  ~FoundationSolver();
  FoundationSolver(FoundationSolver&&) noexcept;
  FoundationSolver& operator=(FoundationSolver&&) noexcept;

  // The problem must be valid (validate; only a missing layer and rows of T are looked at here). v1 and lambda_u, the forces of the elements, are written. Elements start as the last step on the
  // same layer left them. report.pivots counts the linear systems of the way that gave the answer.
  SolveReport solve(const FoundationProblem& problem, CompliantSolution& solution);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
