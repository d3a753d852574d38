// Coulomb's law may allow bodies both to stick and to slide or turn (Painlevé; a box between two jaws may start to turn about
// one loaded corner). All are answers; of bodies at rest the one in which nothing slips is the one people mean. It is found
// without a path:
//     v⁺ = the answer of the no-slip model                                                                      (1)
//     Σ β_ik (N_i + mu_i D_ik) = M (v⁺ − v_p),  β ≥ 0,  over the contacts that touch in v⁺                      (2)
// Whether (2) can be solved is a non-negative least squares problem; if so it is an answer of the pyramid model. It is taken
// only where it invents nothing: contacts that it loads did not slip before the step, and their load is at most twice that
// of the answer it replaces (a peg in a hole without play could hold itself by squeezing as hard as it likes).
#pragma once

#include "tribo/formulation/pyramid.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <memory>

namespace tribo {

class StickRule {
 public:
  StickRule();
  ~StickRule();
  StickRule(StickRule&&) noexcept;
  StickRule& operator=(StickRule&&) noexcept;

  // True: `solution`, an answer to the problem of `formulation`, was replaced by the one that sticks; certify() judges it as
  // any other. False: there is none, or `solution` sticks already; it is as it was. Allocates where (2) is solved.
  bool prefer(const ContactProblem& problem, PyramidFormulation& formulation, ContactSolution& solution,
              SolveReport& report);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
