// The friction box from a ContactProblem to a BoxLcp in (f_n, f_s, f_t), and back (spec D.1): the frictionless problem of normal.hpp,
// whose equality rows are J, and the tangents with bounds. What is approximated: the friction circle by a box whose size is given
// beforehand, nothing else.
//
// The object keeps its memory: update() for a problem of the size of the one before allocates nothing.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/contact_start.hpp"
#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/problem/warm_start.hpp"

namespace tribo {

class BoxFormulation {
 public:
  // The problem must be valid and stay where it is until lift(). Refused: contacts without tangential rows, acceleration level.
  Checked update(const ContactProblem& problem);

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
  NormalFormulation normal_;
  Index n_ = 0, tangents_ = 0;  // contacts; tangential rows per contact (0, 1, 2)
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>
      rows_;  // N̂, Ŝ, T̂ without their parts along the equality rows
  BoxLcp box_;
  VectorXd f_n_, f_s_, f_t_;
};

}  // namespace tribo
