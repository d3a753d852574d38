// The optimality system of weighted_polish.hpp for unilateral rows alone, many on few degrees of freedom. With a = 1/D and
//     p = h U x,  q = h U m    (U: WeightedProgram::mobile; W = h Ĝ U)                                              (1)
// row by row
//     a x + ĝ·p + c = 0 (active; else m = 0),    w x = a m + ĝ·q (loaded; else x = 0)                               (2)
// which leaves x and m as functions of p and q: a system of 2 dof unknowns, and one more for every active row without load, whose
// m is not determined by (2). Refined against (1)–(2) themselves, as its condition is the square of theirs.
// Cost      O(rows dof²).
#pragma once

#include "solve/compliant/weighted_polish.hpp"

namespace tribo::compliant {

// Whether (1)–(2) is the smaller way: no friction, and rows enough.
bool has_rows_only(const WeightedProgram& program);

// x and m of the guess. False: singular.
[[nodiscard]] bool solve_rows(const WeightedProgram& program, const ActiveGuess& guess, WeightedPoint& point);

}  // namespace tribo::compliant
