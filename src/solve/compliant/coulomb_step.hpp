// Coulomb's law and the normal law, both exactly (spec C.5):
//     discs      |γ_t| ≤ r with r frozen, a convex problem; then r ← mu γ_n, up to max_passes times                  (1)
//     Newton     on the law itself (step_newton.hpp), after two passes and again after the last                      (2)
// A start is first given to Newton's method as it is. Otherwise the first radii are those of the start or of the problem without
// friction, and where that fails those of contacts that all stick, which finds a rod that jams. Passes converge linearly, where mu
// and the coupling of normals and tangents are small; Newton's method takes what they leave. Where all fail (a solution need not
// exist) the last discs are returned: the normal law holds exactly, friction to mu times the normal force before.
// Differs   the spec has six passes and then Newton's method, once.
#pragma once

#include "tribo/solve/compliant/compliant_solver.hpp"

#include "solve/compliant/step_newton.hpp"
#include "solve/compliant/step_rows.hpp"

namespace tribo::compliant {

struct CoulombEnd {
  StepNewton::End end = StepNewton::End::kBreakdown;
  int passes = 0;
  bool by_newton = false;
  bool last_discs = false;   // not solved: these came back
  bool discs_solved = true;  // and were solved themselves
};

// `started`: the Newton object stands at a start whose normal impulses are worth a radius. Radii in `rows` are written.
CoulombEnd solve_coulomb_step(StepRows& rows, StepNewton& newton, bool started, const CompliantSettings& settings);

}  // namespace tribo::compliant
