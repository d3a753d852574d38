// Stage 5, solve: one ContactProblem to its certified answer, island by island, in parallel. Islands take pipelines from a pool, one
// per worker thread. An answer does not depend on what its pipeline solved before, so it is the same, bit for bit, for any number
// of threads; memory scales with the largest islands times the workers. An island that did not move in the last step (v = 0) is
// tested with the impulses of that step first: where they hold it with v⁺ = 0, certified, nothing is solved (contact/rest.hpp).
//     in   problem, start values
//     out  StepAnswer: impulses, v⁺, verdict per row (open, sticks, slides), a report per island
#pragma once

#include "tribo/contact/pipeline.hpp"
#include "tribo/problem/islands.hpp"
#include "tribo/sim/simulation.hpp"

#include <string>
#include <vector>

namespace tribo {

struct SolveInput {
  const ContactProblem& problem;
  const StartValues& start;  // in the order of the problem
};

struct StepAnswer {
  ContactSolution solution;
  // Verdict per row of N, limits first; empty: an island has no answer that can be judged.
  std::vector<ContactState> states;
  std::vector<ContactState> dry_states;  // per row of D; likewise
  std::vector<std::uint8_t>
      at_rest;  // per contact, then per row of D: nothing of its island moved before the step, nor does after it
  std::vector<IslandReport> islands;
  Status status = Status::kSolved;  // of the worst island
  std::string detail;               // of a failure
  int pivots = 0, sweeps = 0;
  bool fallback = false;         // the first attempt of an island was not certified
  double worst = 0.0;            // the largest certificate
  double seconds_certify = 0.0;  // of certificates: the sum over islands by the threads that share them

  bool is_usable(Index dof) const { return solution.v_next.size() == dof && solution.v_next.allFinite(); }
  // Computes status, worst and detail from the islands, after answers of some were replaced; counts stay.
  void judge_islands();
};

class StepSolver {
 public:
  StepSolver(const ContactModel& model, std::string solver, double tolerance, int threads);

  void run(const SolveInput& input, StepAnswer& out);
  const IslandSplitter& islands() const { return islands_; }  // of the last run

 private:
  struct Outcome {
    ContactSolution solution;
    IslandReport report;
    std::vector<ContactState> states, dry_states;
    int pivots = 0, sweeps = 0;
    bool fallback = false;
    double seconds_certify = 0.0;
    bool at_rest = false;
    std::string detail;
  };
  void solve_island(const ContactProblem& problem, const StartValues& start, ContactPipeline& pipeline,
                    Outcome& outcome) const;
  void gather(const ContactProblem& problem, std::size_t count, StepAnswer& out) const;

  int threads_;
  IslandSplitter islands_;
  std::vector<ContactPipeline> pipelines_;  // per worker
  std::vector<Outcome> outcomes_;           // per island
  std::vector<StartValues> starts_;         // likewise
  std::vector<ContactSolution> parts_;      // likewise
};

}  // namespace tribo
