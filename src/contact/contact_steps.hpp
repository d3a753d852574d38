// The steps of a ContactPipeline around its attempts, from the outside in: islands → release → relax → attempts. Each calls the next
// on a valid problem.
#pragma once

#include "tribo/contact/solve.hpp"
#include "tribo/problem/contact_start.hpp"

#include "contact/island_pipeline.hpp"

namespace tribo {

// One problem and what its steps have in common.
struct ContactTask {
  const ContactModel& model;
  const SolveOptions& options;
  const StartValues& start;
  IslandPipeline& pipeline;
  bool one_island = false;

  ContactAnswer& solve(const ContactProblem& problem) const {
    return pipeline.solve(problem, model, options, start, one_island);
  }
};

// relax.cpp: eases b_N where the rows are proved to contradict one another, if options.relax says so. The answer is that of the
// pipeline.
ContactAnswer& solve_relaxed(const ContactProblem& problem, const ContactTask& task);

// release.cpp: lets contacts that part slip, as options.release says.
ContactAnswer& solve_released(const ContactProblem& problem, const ContactTask& task);

// Puts what was attempted before in front of the answer's history, and adds its counts.
void add_history(const AnswerBase& earlier, AnswerBase& answer);
// A row about a change of the problem, not about a solver.
void add_note(const char* name, std::string note, AnswerBase& answer);

}  // namespace tribo
