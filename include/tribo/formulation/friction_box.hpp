// The friction box from a ContactProblem to a BoxLcp in (f_n, f_s, f_t), and back (spec D.1). Equality rows are J. What is
// approximated: the friction circle by a box whose size is given beforehand, nothing else.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"

#include <memory>

namespace tribo {

class BoxFormulation {
 public:
  // The problem must be valid. Refused: contacts without tangential rows, acceleration level.
  static Expected<BoxFormulation> make(const ContactProblem& problem);
  ~BoxFormulation();
  BoxFormulation(BoxFormulation&&) noexcept;
  BoxFormulation& operator=(BoxFormulation&&) noexcept;

  // False: the equality rows contradict one another; inconsistency() holds the combination in y_e.
  bool consistent() const;
  ContactSolution inconsistency() const;

  const BoxLcp& problem() const;
  Index equality_rank() const;  // rank E

  // The unknowns z of problem() as impulses and v⁺.
  ContactSolution lift(const VectorXd& z) const;
  // A Farkas vector of problem() as y_n, y_e; empty when it needs friction forces, which prove nothing about the rows.
  ContactSolution lift_farkas(const VectorXd& y) const;

 private:
  class Parts;
  explicit BoxFormulation(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tribo
