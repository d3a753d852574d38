// Coulomb's law may allow bodies both to stick and to slide (Painlevé; a box between two jaws may start to turn). Both are
// answers; at rest the one in which nothing slips is the one people mean. It is found without a path:
//     v⁺ = the answer of the no-slip model                                                                      (1)
//     Σ β_ik (N_i + mu_i D_ik) = M (v⁺ − v_p),  β ≥ 0,  over the contacts that touch in v⁺                      (2)
// Whether (2) can be solved is a non-negative least squares problem; if so it is an answer of the pyramid model.
#pragma once

#include "tribo/formulation/pyramid.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

namespace tribo {

// False: nothing found, or only `v_next`, which is there already. `formulation` is that of the problem.
bool find_sticking(const ContactProblem& problem, PyramidFormulation& formulation, const VectorXd& v_next,
                   ContactSolution& solution, SolveReport& report);

}  // namespace tribo
