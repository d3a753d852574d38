// Stage 7, impacts: impacts that are triggered by other impacts. A ball that is hit within a step may reach its neighbour within the
// same step. The row that keeps them apart then acts as one without restitution, and Newton's cradle would lose its motion. And where
// several contacts bounce at once under friction, more energy may come out than went in.
//     in      rows and their laws, the islands of the solve
//     out     StepAnswer: the answers of islands in which either happens are replaced
// Such an island takes the step impact by impact:
//     first   the step itself; the rows of contacts that bounce, now or later in it, get an offset that no motion closes
//     then    v⁺ → v⁺⁺ without forces: contacts that close within the step at more than bounce_speed bounce, until none does (at most
//             a hundred times)
//     last    contacts that close more slowly meet without bouncing
// Each of these is a contact problem with its own certificate; the report has the worst residual and the last failure, the verdicts are those of the sum. A contact that only the forces of this step close does not bounce (a
// body that is pressed against another rests). Dry friction of joints acts in the first solve only. Bouncing in several
// points under friction may add energy (Newton's law of impact does not exclude it); then restitution is reduced until it
// does not, in the end to zero. Where a bilateral row prescribes a speed (a kinematic body) energy may come from there, and
// restitution is not reduced.
// All this is decided and done island by island: impacts elsewhere change nothing here.
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
    double restitution = 0.0;       // 0: it never bounces
    bool bounces = false;           // in the step's own solve
    double gap = 0.0;               // m, where the forces of the step act
    double rest = 0.0, look = 0.0;  // s, StepRule
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
  ContactSolution single_, sum_;
  VectorXd offsets_;  // b_N without bouncing
  VectorXd pressed_;  // m/s, per row: how much faster it closes than before the step, by its forces alone
  VectorXd free_;     // m/s: v without contacts
  BlockCholesky mass_factor_;
  StepAnswer part_;              // of one impact
  IslandReport worst_;           // of all impacts of the island
  int pivots_ = 0, sweeps_ = 0;  // likewise, their sums
  bool fallback_ = false;
  double seconds_certify_ = 0.0;
  std::vector<ContactState> states_, dry_states_;
};

}  // namespace tribo
