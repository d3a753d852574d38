// Lemke's method again with other covering vectors, each of which is another path: one attempt with a budget. For matrices that are
// not semidefinite, where a ray proves nothing, and for rows that repeat one another up to rounding.
#pragma once

#include "tribo/solve/pivot/lemke.hpp"

#include <string>

namespace tribo {

inline constexpr int kOtherCovers = 8;

// From the covering vector `first` (LemkeSettings::cover_seed) on, `most` of them.
// Accept(const Solution&) → bool: does this answer pass? The last path decides where none does.
template <typename Problem, typename Solution, typename Accept>
SolveReport solve_by_covers(const Problem& problem, int first, int most, Solution& solution, std::string& note,
                            const Accept& accept) {
  SolveReport report;
  int pivots = 0;
  for (int k = 1; k <= most; ++k) {
    report = LemkeSolver({.cover_seed = static_cast<std::uint64_t>(first + k - 1)}).solve(problem, {}, solution);
    pivots += report.pivots;
    note = std::to_string(k) + (k == 1 ? " cover" : " covers");
    if (is_solved(report.status) && accept(solution)) break;
  }
  report.pivots = report.iterations = pivots;
  return report;
}

}  // namespace tribo
