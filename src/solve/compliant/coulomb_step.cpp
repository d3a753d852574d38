#include "solve/compliant/coulomb_step.hpp"

#include <algorithm>
#include <limits>

namespace tribo::compliant {
namespace {

using End = StepNewton::End;

constexpr int kFirstTry = 2;  // passes before Newton's method is tried
constexpr int kTrySteps = 12;

void freeze_radii(StepRows& rows, const VectorXd& impulses) {
  for (Unit& unit : rows.units()) unit.radius = unit.mu * std::max(0.0, impulses(unit.first));
}

// Newton's method from the last discs, which come back where it fails.
bool try_newton(const StepRows& rows, StepNewton& newton, double tolerance, int steps) {
  newton.keep();
  if (newton.solve_coulomb(rows, tolerance, steps) == End::kSolved) return true;
  newton.restore();
  return false;
}

CoulombEnd run_passes(StepRows& rows, StepNewton& newton, const CompliantSettings& settings, int passes_before) {
  CoulombEnd result;
  result.passes = passes_before;
  const int most = std::max(1, settings.max_passes), steps = settings.max_iterations;
  for (int pass = 1; pass <= most; ++pass) {
    freeze_radii(rows, newton.impulses());
    ++result.passes;
    result.end = newton.solve_convex(rows, Friction::kDisc, settings.tolerance, steps);
    if (result.end == End::kBreakdown) return result;
    result.discs_solved = result.end == End::kSolved;
    if (newton.fulfils_coulomb(rows, settings.tolerance)) {
      result.end = End::kSolved;
      return result;
    }
    if (pass != kFirstTry && pass != most) continue;
    if (try_newton(rows, newton, settings.tolerance, pass == most ? steps : std::min(steps, kTrySteps))) {
      result.end = End::kSolved;
      result.by_newton = true;
      return result;
    }
  }
  result.end = End::kIterationLimit;
  return result;
}

}  // namespace

CoulombEnd solve_coulomb_step(StepRows& rows, StepNewton& newton, bool started, const CompliantSettings& settings) {
  CoulombEnd result;
  const double tolerance = settings.tolerance;
  const int steps = settings.max_iterations;
  if (started && try_newton(rows, newton, tolerance, std::min(steps, kTrySteps))) {
    result.end = End::kSolved;
    result.by_newton = true;
    return result;
  }
  for (const double first_radius : {0.0, std::numeric_limits<double>::infinity()}) {
    if (first_radius > 0.0 || !started) {
      for (Unit& unit : rows.units()) unit.radius = first_radius;
      result.end = newton.solve_convex(rows, Friction::kDisc, tolerance, steps);
      if (result.end == End::kBreakdown) return result;
    }
    result = run_passes(rows, newton, settings, result.passes);
    if (result.end != End::kIterationLimit) return result;
  }
  result.last_discs = true;
  return result;
}

}  // namespace tribo::compliant
