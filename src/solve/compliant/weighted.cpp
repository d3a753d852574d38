#include "solve/compliant/weighted.hpp"

#include "solve/compliant/weighted_answer.hpp"
#include "solve/compliant/weighted_interior.hpp"
#include "solve/compliant/weighted_polish.hpp"
#include "solve/compliant/weighted_program.hpp"

namespace tribo::compliant {

namespace {

constexpr int kWarmRounds = 6;  // beyond that an interior point run is cheaper
constexpr int kFinalRounds = 60;

}  // namespace

SolveReport solve_weighted(const CompliantProblem& problem, const CompliantSettings& settings,
                           CompliantSolution& solution) {
  SolveReport report;
  WeightedProgram program;
  if (!make_program(problem, problem.normal_weight(), program)) {
    report.detail = "the mass matrix is not positive definite, or numbers overflow";
    return report;
  }
  ActiveGuess guess;
  WeightedPoint point;
  report.status = Status::kSolved;
  if (!(program.force > 0)) {
    write_rest(problem, program, solution);
    return report;
  }
  if (read_guess(problem, program, solution, guess, point)) {
    const PolishReport warm = polish(program, kWarmRounds, guess, point);
    report.pivots += warm.systems;
    if (warm.verified) {
      report.methods.add(Method::kLastActiveSet);
      write_answer(problem, program, guess, point, solution);
      return report;
    }
  }
  const InteriorReport interior = solve_interior(program, settings.max_iterations, guess, point);
  report.iterations = interior.iterations;
  report.pivots += interior.iterations;
  const WeightedPoint rough = point;
  const ActiveGuess rough_guess = guess;
  const PolishReport final = polish(program, kFinalRounds, guess, point);
  report.pivots += final.systems;
  report.methods.add(Method::kInteriorPoint);
  if (final.verified) report.methods.add(Method::kActiveSet);
  if (!final.verified) {
    guess = rough_guess;
    point = rough;
    report.fallback = true;
    report.status = Status::kIterationLimit;
    report.detail = interior.converged ? "no active set verified; the forces of the interior point method came back"
                                       : "the interior point method did not converge";
  }
  write_answer(problem, program, guess, point, solution);
  return report;
}

}  // namespace tribo::compliant
