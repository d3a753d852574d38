// Impacts that follow from impacts. A ball that is hit within a step may reach its neighbour within the same step. The row that
// keeps them apart then acts as one without restitution, and a cradle would swallow its own motion. So, where that happens, the
// step is taken impact by impact:
//     first   the step itself, without what may be hit by and by
//     then    v⁺ → v⁺⁺ without forces: contacts that close within the step at more than bounce_speed bounce, until none does
//     last    what closes more slowly meets without bouncing
// Each of them is a contact problem with its own certificate. What the forces of this step alone close does not bounce (a body
// that is pressed against another rests), and the dry friction of joints has had its share in the first. Bouncing in several
// points under friction may give more energy than it takes (Newton's law of impact does not know better); then less restitution
// is tried, in the end none. Where a bilateral row prescribes a speed (a body is moved by hand) energy may come from there, and
// all is given.
// All this is decided and done island by island: what bounces elsewhere changes nothing here.
#pragma once

#include "tribo/problem/islands.hpp"
#include "tribo/sim/simulation.hpp"

#include "sim/step_solver.hpp"

namespace tribo {

// What a row of the problem is to a bounce.
struct BounceRow {
  double restitution = 0.0;   // 0: it never bounces
  double gap = 0.0;           // m, before the step
  bool dry_friction = false;  // of a joint
};

class BounceSolver {
 public:
  // bounce_speed: m/s, > 0: slower approaches do not bounce.
  BounceSolver(const SimulationOptions& options, double bounce_speed);

  // The answer of the step: `straight`, but for the islands that must be taken impact by impact. `of_rest`, per contact, and
  // the report, both of `straight`, are brought up to date.
  const ContactSolution& solve(const ContactProblem& problem, const std::vector<BounceRow>& rows,
                               const ContactSolution& straight, std::vector<std::uint8_t>& of_rest, StepReport& report);

 private:
  bool needs_impacts(const ContactProblem& problem, const ContactSolution& solution) const;
  bool is_usable(const ContactSolution& solution) const;
  bool set_bounces(double share);
  void add_part(const ContactSolution& part);
  void solve_impacts();
  void take_over(const BlockLayout& layout, const Island& island, std::vector<std::uint8_t>& of_rest,
                 IslandReport& report);

  double touching_, bounce_speed_;
  ContactModel model_;
  StepSolver solver_;
  IslandSplitter islands_;
  // Of the island at hand.
  ContactProblem problem_;
  std::vector<BounceRow> rows_;
  StartValues nothing_;  // no load: impacts start cold
  ContactSolution straight_, sum_;
  VectorXd offsets_;  // b_N without bouncing
  VectorXd pressed_;  // m/s, per row: how much faster the forces of the step alone make it close
  StepReport report_;
  std::vector<std::uint8_t> of_rest_;
  ContactSolution solution_;  // of all
};

}  // namespace tribo
