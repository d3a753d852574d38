// Contact problems whose impulses have two bounds, as a BoxLcp in (f_n, f_s, f_t, f_d), and back:
//
//   FrictionBox                        0 ≤ f_n, |f_s|, |f_t| ≤ Contact::friction_bound, |f_d| ≤ bound (spec D.1)
//   Frictionless, NoSlip, Viscous      0 ≤ f_n, |f_d| ≤ bound; no f_s, f_t: what they do is in normal.hpp
//
// over the problem of normal.hpp: rows in coordinates where M = I (implicit viscous friction included), projected on what the
// equality rows leave free. With X̂ for all rows, X̂_p for the projected ones, u_p the velocity without contact forces and b the
// offsets of N:
//     M = X̂_p X̂_pᵀ,   q = X̂ u_p + b                                                                                 (1)
// A row of which the equality rows leave less than 1e-10 moves nothing: it is zero in M, and of q only b stays.
// What is approximated: the friction circle of FrictionBox by a box whose size is given beforehand, nothing else.
//
// The object keeps its memory: update() for a problem no larger than those before it allocates nothing, but for what
// normal.hpp says of viscous friction.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/linalg/padded.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/contact_start.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/problem/warm_start.hpp"

namespace tribo {

class BoxFormulation {
 public:
  // FrictionBox, and the models of normal.hpp.
  static bool takes(const ContactModel& model);

  // The problem must be valid and stay where it is until lift(). Refused: contacts without tangential rows for models with
  // friction, acceleration level, and what NormalFormulation refuses.
  Checked update(const ContactProblem& problem, const ContactModel& model);

  // False: the equality rows contradict one another; inconsistency() holds the combination in y_e.
  bool consistent() const { return normal_.consistent(); }
  ContactSolution inconsistency() const { return normal_.inconsistency(); }

  const BoxLcp& problem() const { return box_; }
  Index equality_rank() const { return normal_.equality_rank(); }  // rank E

  // Where a solver of problem() starts: index set and unknowns. Bounds are those of this problem.
  void start(const StartValues& values, WarmStart& warm) const;
  // The unknowns z of problem() as impulses and v⁺.
  void lift(const VectorXd& z, ContactSolution& solution);
  // A Farkas vector of problem() as y_n, y_e; empty when it needs friction forces, which prove nothing about the rows.
  ContactSolution lift_farkas(const VectorXd& y) const;

 private:
  double* row(Index i) { return rows_.data() + i * width_; }
  void project(Index i);

  NormalFormulation normal_;
  Index n_ = 0, tangents_ = 0, dry_ = 0;  // contacts; tangential rows per contact in the box (0, 1, 2); rows D
  Index width_ = 0;                       // degrees of freedom, padded
  padded::Vector rows_;                   // N̂, Ŝ, T̂, D̂ without their parts along the equality rows
  BoxLcp box_;
  VectorXd f_n_, f_s_, f_t_, f_d_;
};

}  // namespace tribo
