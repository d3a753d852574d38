// A way to the answer of stiff rows by way of soft ones:
//     R_i(s) = max(R_i, s |g_i|²),    s = 1 → 0                                                                     (1)
// At s = 1 rows give way as much as the bodies do and Newton's method takes few steps; each answer is the start of the next, where
// impulses and slips keep their meaning though compliances fall by a factor of a thousand. Where a step fails its factor is
// drawn towards one. Used after Newton's method on the problem itself has failed: the valleys of the cone are steep and curved
// where rows are stiff, and Coulomb's law is not the derivative of anything.
// Promise   convex laws: the answer depends on s without jumps, so small steps succeed but for rounding. Coulomb's law: none.
// Cost      20 to 60 linear systems over ten orders of stiffness where it goes well; where it does not, over a thousand have been seen.
// Ends      kSolved: at s = 0 · kIterationLimit · kBreakdown, both with the rows as they were before
#pragma once

#include <algorithm>
#include <cmath>

#include "solve/compliant/step_newton.hpp"
#include "solve/compliant/step_rows.hpp"

namespace tribo::compliant {

// `attempt(started)` solves the rows as they are, from where `newton` stands.
template <class Attempt>
StepNewton::End follow_stiffness(StepRows& rows, StepNewton& newton, Attempt&& attempt) {
  using End = StepNewton::End;
  constexpr int kSteps = 40;
  constexpr double kFirst = 1e-3,
                   kSmallest = 0.8;  // factors of one step: what it begins with, what is no step any more
  double reached = 1.0 / kFirst, factor = kFirst;
  bool started = false;
  End end = End::kIterationLimit;
  newton.start(rows);
  newton.mark();
  for (int k = 0; k < kSteps && factor < kSmallest; ++k) {
    rows.soften(reached * factor);
    end = attempt(started);
    const bool solved = end == End::kSolved;
    if (end == End::kBreakdown || (solved && !rows.is_softened())) break;
    if (solved) end = End::kIterationLimit;  // of softer rows
    if (solved) {
      newton.mark();
      started = true;
      reached *= factor;
      factor = std::max(kFirst, factor * factor);
    } else {
      newton.return_to_mark();
      factor = std::sqrt(factor);
    }
  }
  rows.soften(0.0);
  return end;
}

}  // namespace tribo::compliant
