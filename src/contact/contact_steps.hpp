// The steps inside solve(ContactProblem, …), from the outside in: islands → release → relax → chain of solvers. Each
// calls the next one on a problem that has been validated.
#pragma once

#include "tribo/contact/solve.hpp"

namespace tribo {

// solve_contact.cpp: formulate, try solvers until one answer certifies or one proof verifies, lift.
ContactAnswer solve_as_given(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options);

// The LCP of a pyramid: θ, φ and λ of PyramidLcp; beyond kMostRows its matrix is not formed.
inline constexpr Index kMostRows = 5000;
Index pyramid_rows(const ContactProblem& problem, const CoulombPyramid& model);

// relax.cpp: eases b_N where the rows are proved to contradict one another, if options.relax says so.
ContactAnswer solve_relaxed(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options);

// release.cpp: lets contacts that part slip, as options.release says.
ContactAnswer solve_released(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options);

// Per-contact view and v_next of answer.solution; `problem` is the one that was answered, with eased offsets.
void fill_contacts(const ContactProblem& problem, const ContactModel& model, double tolerance, ContactAnswer& answer);

// Puts what was tried before in front of the answer's stages, and adds its counts.
void add_history(const AnswerBase& earlier, AnswerBase& answer);

}  // namespace tribo
