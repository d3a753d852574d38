// The rows of a step and what each of them stands for: the one owner of all that is known per row. `dynamics` writes the rows of
// joints, `assemble` those of contacts, `recall` springs and bounds that the last step left, `record` what the answer says of each row
// (JointRowRecord and ContactRecord of sim/simulation.hpp). A row of N has a gap, > 0: apart. Rows S and T of limits are zero.
//     N, S, T …   limits of joints within reach, then contacts:  row i < limits() is joint_rows[i], else contacts[i − limits()]
//     D           dry friction of joints:                        row i is joint_rows[limits() + i]
#pragma once

#include "tribo/multibody/integrator.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/sim/simulation.hpp"

#include <vector>

namespace tribo {

// Restitution and spring data of a row of N.
struct RowLaw {
  double restitution = 0.0;  // 0 … 1; 0: it never bounces
  bool bounces = false;      // in this step, with the speed −b_N
  // m/s: by which the turning bodies change N v in a step; 0 for limits, whose rows may jump (ball joints, tendons that wrap).
  double most_turn = 0.0;
  // Of what a step changes in a tangential impulse the spring takes this part, and the damper the rest.
  double spring_share = 1.0;
};

// When the forces of a step act on a tree or a kinematic body, on the way from its beginning to its end.
struct StepTimes {
  Integrator integrator = Integrator::kMidpoint;
  double h = 0.0;             // s
  std::vector<double> leads;  // per block of v
  double list = 0.0;          // s: from there to where the next step looks for contacts, at most

  StepRule of(Index block) const { return {integrator, h, leads[static_cast<std::size_t>(block)]}; }
  // Of what joins two blocks, -1: nothing that moves. They mostly have one lead.
  StepRule of(Index a, Index b) const { return a < 0 ? of(b) : b < 0 || of(a).lead <= of(b).lead ? of(a) : of(b); }
  StepRule of(const BlockRows& rows, Index i) const { return of(rows.block(i, 0), rows.block(i, 1)); }
};

struct StepRows {
  ContactProblem problem;
  StepTimes times;
  std::vector<JointRowRecord> joint_rows;
  std::vector<ContactRecord> contacts;
  std::vector<RowLaw> laws;  // per row of N

  Index limits() const { return std::ssize(joint_rows) - problem.dry(); }
  double gap(Index row) const {  // m or rad, where the forces of the step act
    return row < limits() ? joint_rows[static_cast<std::size_t>(row)].gap
                          : contacts[static_cast<std::size_t>(row - limits())].gap;
  }
};

}  // namespace tribo
