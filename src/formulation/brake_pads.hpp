// Dry friction as Coulomb friction, for formulations that know no other bounds: each row D_i becomes a brake. A pad, a virtual
// body of one degree of freedom and mass m, flies against a wall and rubs on the row:
//     v_pad = −bound/m,   N = 1 on the pad,   S = D_i,   no T,   mu = 1                                              (1)
// Nothing else acts on the pad, so the wall stops it with f_n = bound exactly, and |f_s| ≤ f_n is the law of dry friction.
// m is a power of four, of about max(1/ρ², (bound/us)²), ρ = |D_i|_{M⁻¹}, us the speed of the problem, both from the diagonal
// of M: the pad is then no lighter than what it brakes, and no faster than the rest of the problem, however strong the brake.
// Pads are the last blocks and the last contacts.
#pragma once

#include "tribo/problem/contact_problem.hpp"

#include <vector>

namespace tribo {

class BrakePads {
 public:
  // The problem without rows D and with pads. Nothing is allocated when blocks and rows are no more than in calls before and
  // blocks have the sizes of the last call.
  const ContactProblem& update(const ContactProblem& problem);
  const ContactProblem& problem() const { return padded_; }

 private:
  void set_mass(const ContactProblem& problem);

  ContactProblem padded_;
  BlockLayout layout_;
  std::vector<double> mass_;  // of each pad
};

}  // namespace tribo
