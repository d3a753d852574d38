// Times of a kept pipeline by phase (PhaseSeconds), the least of repeats. method() is what the methods of others are compared with:
// from rows to impulses and v⁺, without validation, islands, certificate and verdicts.
#pragma once

#include "tribo/contact/pipeline.hpp"

#include <algorithm>

#include "timing.hpp"

namespace tribo {

inline constexpr double PhaseSeconds::*kPhases[] = {
    &PhaseSeconds::validate, &PhaseSeconds::islands, &PhaseSeconds::formulate, &PhaseSeconds::solve,
    &PhaseSeconds::lift,     &PhaseSeconds::select,  &PhaseSeconds::certify,   &PhaseSeconds::classify};

// The least of every phase, over calls of `solve`, which returns the seconds of one solve, until `budget` seconds are spent.
template <typename Solve>
PhaseSeconds least_phases(const Solve& solve, double budget) {
  const Stopwatch total;
  PhaseSeconds least = solve();
  do {
    const PhaseSeconds seconds = solve();
    for (double PhaseSeconds::*phase : kPhases) least.*phase = std::min(least.*phase, seconds.*phase);
  } while (total.seconds() < budget);
  return least;
}
inline PhaseSeconds least_phases(ContactPipeline& pipeline, const ContactProblem& problem, double budget,
                                 const ContactStart& start = {}) {
  return least_phases([&] { return pipeline.solve(problem, start).seconds; }, budget);
}

}  // namespace tribo
