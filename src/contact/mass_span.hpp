// Masses in one island that doubles cannot balance: impulses that hold the heaviest are rounded by more than what moves the lightest,
// and no certificate sees it, since its scale is that of the heaviest. Two boxes with a ratio of 1e14 show it
// (MassSpan.TooMuchIsNotCertified).
#pragma once

#include "tribo/problem/contact_problem.hpp"

namespace tribo {

// A mass is that which a row finds at its body: of the block b of M, the least of 1/(N_ib M_b⁻¹ N_ibᵀ) over rows of N and J.
// True: two of them differ by more than 13 orders of magnitude.
bool spans_too_much(const ContactProblem& problem);

inline constexpr const char* kSpansTooMuch =
    "masses that contacts join differ by more than 13 orders of magnitude, which doubles cannot balance: give the "
    "heaviest less, or "
    "fix it to the world";

}  // namespace tribo
