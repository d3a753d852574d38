// Stage 6, solve: impulses and v⁺, island by island, in parallel. An island is what contacts and loops join; bodies without rows are
// one island of their own. Islands take pipelines from a pool, one per worker thread. An answer does not depend on what its pipeline
// solved before, so it is the same, bit for bit, for any number of threads; memory scales with the largest islands times the workers.
//     in   problem, start values
//     out  StepAnswer: impulses, v⁺, verdict per row (open, sticks, slides), a report per island
// Rest         An island with v = 0 whose bodies the start values balance one by one keeps them with v⁺ = 0, if that certifies: nothing
//              is solved. An answer slower than the tolerance can tell from rest becomes v⁺ = 0, if that certifies: so motion ends
//              (contact/rest.hpp).
// Relaxed      Rows of N that are proved to contradict one another (a body jammed between walls that close) are eased by as much as
//              it takes. Status solved_reduced: the certificate is that of the eased problem.
// Uncertified  The best v⁺ that was found is applied, and its forces are recorded and remembered; the status says so. Only an
//              island without any v⁺ (loops that contradict one another, numbers that overflow) ends the step, for all islands.
//              Masses in one island that differ by more than 10¹³ count as not certified.
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
      at_rest;  // per row of N, then of D: nothing of its island moved before the step, nor does after it
  std::vector<IslandReport> islands;
  Status status = Status::kSolved;  // of the worst island, in the order of severity()
  std::string detail;               // likewise, of a failure or of what was eased
  int pivots = 0, sweeps = 0;
  bool fallback = false;         // the first attempt of an island was not certified
  double worst = 0.0;            // the largest certificate
  double seconds_certify = 0.0;  // of certificates: their sum over islands, divided by the threads that share them

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
  };
  void solve_island(const ContactProblem& problem, const StartValues& start, ContactPipeline& pipeline,
                    Outcome& outcome) const;
  void gather(const ContactProblem& problem, std::size_t count, StepAnswer& out) const;

  int threads_;
  bool automatic_;  // solver "auto" takes every problem
  IslandSplitter islands_;
  std::vector<ContactPipeline> pipelines_;  // per worker
  std::vector<Outcome> outcomes_;           // per island
  std::vector<StartValues> starts_;         // likewise
  std::vector<ContactSolution> parts_;      // likewise
};

}  // namespace tribo
