// Stage 6, impacts: impacts that follow from impacts. A ball that is hit within a step may reach its neighbour within the same step.
// The row that keeps them apart then acts as one without restitution, and a cradle would swallow its own motion. Where that
// happens, the step is taken impact by impact:
//     first   the step itself, without what may be hit by and by
//     then    v⁺ → v⁺⁺ without forces: contacts that close within the step at more than bounce_speed bounce, until none does
//     last    what closes more slowly meets without bouncing
//     in      rows and their laws, the islands of the solve
//     out     StepAnswer: the answers of such islands are replaced
// Each of these is a contact problem with its own certificate. What the forces of this step alone close does not bounce (a body
// that is pressed against another rests), and the dry friction of joints has had its share in the first. Bouncing in several
// points under friction may give more energy than it takes (Newton's law of impact does not exclude it); then less restitution
// is tried, in the end none. Where a bilateral row prescribes a speed (a body is moved by hand) energy may come from there, and
// all is given.
// All this is decided and done island by island: what bounces elsewhere changes nothing here.
#pragma once

#include "tribo/certify/contact_certifier.hpp"
#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/problem/islands.hpp"

#include "sim/rows.hpp"
#include "sim/setup.hpp"
#include "sim/solve_islands.hpp"

namespace tribo {

struct ImpactInput {
  const StepRows& rows;
  const IslandSplitter& islands;  // of the problem of these rows
};

class ImpactStage {
 public:
  explicit ImpactStage(const StepSetup& setup);
  void run(const ImpactInput& input, StepAnswer& answer);

 private:
  // What a row of the island at hand is to a bounce.
  struct Row {
    double restitution = 0.0;  // 0: it never bounces
    double gap = 0.0;          // m, before the step
  };
  bool needs_impacts(const ContactProblem& problem, const ContactSolution& solution);
  bool set_bounces(double share);
  void add_part(const ContactSolution& part);
  bool solve_part();
  void solve_impacts();
  void take_over(const ContactProblem& own, const Island& island, const BlockLayout& layout, StepAnswer& answer);

  const StepSetup& setup_;
  StepSolver solver_;
  ContactCertifier classifier_;
  // Of the island at hand.
  ContactProblem problem_;
  std::vector<Row> rows_;
  StartValues no_load_;  // impacts start cold
  ContactSolution straight_, sum_;
  VectorXd offsets_;  // b_N without bouncing
  VectorXd pressed_;  // m/s, per row: how much faster the forces of the step alone make it close
  VectorXd free_;     // m/s: v without contacts
  BlockCholesky mass_factor_;
  StepAnswer part_;              // of one impact
  IslandReport worst_;           // of all impacts of the island
  int pivots_ = 0, sweeps_ = 0;  // likewise, their sums
  bool fallback_ = false;
  double seconds_ = 0.0, seconds_certify_ = 0.0;
  std::vector<ContactState> states_, dry_states_;
};

}  // namespace tribo
