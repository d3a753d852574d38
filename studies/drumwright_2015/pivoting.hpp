// One frictionless or no-slip problem by the paper's pivoting rule: as printed, and with the dual active set method
// behind it.
#pragma once

#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/solve/report.hpp"

namespace tribo {

struct Pivoting {
  SolveReport printed;     // the printed rule alone: a cycle, a dependent row or too many iterations end it unsolved
  SolveReport guarded;     // with the fallback
  bool certified = false;  // the answer of the second
  Index active = 0;        // contacts with f_n > 0
  Index bound = 0;         // m − rank E
  Index rank_A = 0;        // m + rank E: the rank of the paper's A

  bool printed_rule_cycled() const;
  bool printed_rule_met_dependent_row() const;
};

// The equality rows must be consistent.
Pivoting pivot(const ContactProblem& problem, const ContactModel& model);

}  // namespace tribo
