#include "solve/compliant/weighted_answer.hpp"

namespace tribo::compliant {

namespace {

// Multipliers of the rows in the order of the problem: unilateral rows, then normals.
void write_multipliers(const CompliantProblem& problem, const WeightedProgram& program, const WeightedPoint& point,
                       CompliantSolution& solution) {
  solution.row_multipliers.setZero(problem.unilateral.rows() + problem.contacts());
  for (std::size_t u = 0; u < program.units.size(); ++u) {
    const Extended D = program.rows[u].D;
    solution.row_multipliers(program.units[u].row) = static_cast<double>(point.m(static_cast<Index>(u)) / D);
  }
}

ContactState state_of(const WeightedUnit& unit, UnitState state) {
  if (state == UnitState::kZero) return ContactState::kOpen;
  return state == UnitState::kBoundary || unit.size == 1 ? ContactState::kSlide : ContactState::kStick;
}

void write_states(const WeightedProgram& program, const ActiveGuess& guess, CompliantSolution& solution) {
  for (std::size_t u = 0; u < program.units.size(); ++u) {
    const WeightedUnit& unit = program.units[u];
    if (unit.contact >= 0) solution.states[static_cast<std::size_t>(unit.contact)] = state_of(unit, guess.units[u]);
  }
}

}  // namespace

bool read_guess(const CompliantProblem& problem, const WeightedProgram& program, const CompliantSolution& last,
                ActiveGuess& guess, WeightedPoint& point) {
  const Index contacts = problem.contacts(), rows = problem.unilateral.rows();
  if (static_cast<Index>(last.states.size()) != contacts || last.lambda_u.size() != rows ||
      last.lambda_n.size() != contacts || last.lambda_r.size() != problem.r.rows() ||
      last.lambda_s.size() != problem.s.rows() || last.row_multipliers.size() != rows + contacts) {
    return false;
  }
  if (!last.lambda_u.allFinite() || !last.lambda_r.allFinite() || !last.lambda_s.allFinite()) return false;
  point.x.setZero(program.size());
  guess.rows.assign(program.rows.size(), 0);
  guess.units.assign(program.units.size(), UnitState::kInside);
  for (std::size_t u = 0; u < program.units.size(); ++u) {
    const WeightedUnit& unit = program.units[u];
    guess.rows[u] = last.row_multipliers(unit.row) > 0.0 ? 1 : 0;
    if (unit.contact < 0) {
      if (!(last.lambda_u(unit.row) > 0.0)) guess.units[u] = UnitState::kZero;
      continue;
    }
    const ContactState state = last.states[static_cast<std::size_t>(unit.contact)];
    if (state == ContactState::kOpen) guess.units[u] = UnitState::kZero;
    if (state == ContactState::kSlide && unit.size > 1) guess.units[u] = UnitState::kBoundary;
    for (int k = 1; k < unit.size; ++k) {
      const WeightedForce force = program.forces[static_cast<std::size_t>(unit.first + k)];
      point.x(unit.first + k) = (force.kind == WeightedForce::Kind::kR ? last.lambda_r : last.lambda_s)(unit.contact);
    }
  }
  return true;
}

void write_answer(const CompliantProblem& problem, const WeightedProgram& program, const ActiveGuess& guess,
                  const WeightedPoint& point, CompliantSolution& solution) {
  lift(problem, program, point.x, solution);
  solution.states.assign(static_cast<std::size_t>(problem.contacts()), ContactState::kOpen);
  write_states(program, guess, solution);
  write_multipliers(problem, program, point, solution);
}

void write_rest(const CompliantProblem& problem, const WeightedProgram& program, CompliantSolution& solution) {
  ActiveGuess guess;
  WeightedPoint point;
  guess.units.assign(program.units.size(), UnitState::kZero);
  point.x.setZero(program.size());
  point.m.setZero(static_cast<Index>(program.rows.size()));
  write_answer(problem, program, guess, point, solution);
}

}  // namespace tribo::compliant
