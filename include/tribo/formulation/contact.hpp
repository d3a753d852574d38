// Friction models from a ContactProblem to a complementarity problem, and back (spec C.1, D.1). The models that have no
// inequalities but those of the normals are in normal.hpp.
//
//   CoulombPyramid   Lcp in (θ, φ, λ): normal impulses, polygon impulses contact by contact, multipliers
//   FrictionBox      BoxLcp in (f_n, f_s, f_t)
// Equality rows are J. What is approximated: the friction circle by a polygon or a box, nothing else.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"

#include <memory>
#include <variant>

namespace tribo {

class ContactFormulation {
 public:
  // The problem must be valid. Refused: contacts without tangential rows, acceleration level.
  static Expected<ContactFormulation> make(const ContactProblem& problem, const ContactModel& model);
  ~ContactFormulation();
  ContactFormulation(ContactFormulation&&) noexcept;
  ContactFormulation& operator=(ContactFormulation&&) noexcept;

  // False: the equality rows contradict one another; inconsistency() holds the combination in y_e.
  bool consistent() const;
  ContactSolution inconsistency() const;

  const std::variant<Lcp, BoxLcp>& problem() const;
  Index equality_rank() const;  // rank E
  // A point worth trying first, or nothing: zero contact forces.
  const VectorXd& guess() const;

  // The unknowns z of problem() as impulses and v⁺.
  ContactSolution lift(const VectorXd& z) const;
  // A Farkas vector of problem() as y_n, y_e; empty when it needs friction forces, which prove nothing about the rows.
  ContactSolution lift_farkas(const VectorXd& y) const;

 private:
  class Parts;
  explicit ContactFormulation(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tribo
