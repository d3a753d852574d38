// One ContactProblem to its certified answer, island by island, in parallel. Islands take pipelines from a pool, one per worker: what
// a pipeline solved before changes no bit, so answers do not depend on the threads, and memory follows the largest islands times
// the workers. What rests is held by the impulses of the last step, for every model (contact/rest.hpp): no pivot, no sweep.
#pragma once

#include "tribo/contact/pipeline.hpp"
#include "tribo/problem/islands.hpp"
#include "tribo/sim/simulation.hpp"

#include <vector>

namespace tribo {

class StepSolver {
 public:
  StepSolver(const ContactModel& model, std::string solver, double tolerance, int threads);

  // `known`: where to start, in the order of the problem; `of_rest`, per contact: its impulse was found while nothing moved, brought
  // up to date. Fills islands, counts and status of the report.
  const ContactSolution& solve(const ContactProblem& problem, const StartValues& known,
                               std::vector<std::uint8_t>& of_rest, StepReport& report);

 private:
  struct Outcome {
    IslandReport report;
    int pivots = 0, sweeps = 0;
    bool fallback = false;
    double seconds_certify = 0.0;
    bool rests = false;  // before the step and after it
    std::string detail;
  };
  void solve_island(const ContactProblem& problem, const StartValues& known, ContactPipeline& pipeline,
                    ContactSolution& out, Outcome& outcome) const;

  int threads_;
  IslandSplitter islands_;
  std::vector<ContactPipeline> pipelines_;  // per worker
  std::vector<ContactSolution> parts_;
  std::vector<StartValues> starts_;
  StartValues whole_start_;
  std::vector<Outcome> outcomes_;
  std::vector<std::uint8_t> of_rest_;  // per island
  ContactSolution solution_;
};

}  // namespace tribo
