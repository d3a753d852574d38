// Between the answer of a step (CompliantSolution) and the weighted program's own: forces, what is active, multipliers.
#pragma once

#include "solve/compliant/weighted_polish.hpp"

namespace tribo::compliant {

// What the last step's answer says about this one. False: it has another shape.
bool read_guess(const CompliantProblem& problem, const WeightedProgram& program, const CompliantSolution& last,
                ActiveGuess& guess, WeightedPoint& point);

// All of the solution. States: x = 0 is open, the boundary and contacts without friction slide, others stick.
void write_answer(const CompliantProblem& problem, const WeightedProgram& program, const ActiveGuess& guess,
                  const WeightedPoint& point, CompliantSolution& solution);

// No row and no residual asks for a force: x = 0.
void write_rest(const CompliantProblem& problem, const WeightedProgram& program, CompliantSolution& solution);

}  // namespace tribo::compliant
