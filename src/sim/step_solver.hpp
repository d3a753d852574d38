// One ContactProblem to its certified answer, island by island, with memory that is kept.
//     cone, solver auto   formulation and solver of this object, started at the impulses that are known
//     anything else, and islands that this does not certify: the chain of contact/solve.hpp
#pragma once

#include "tribo/contact/solve.hpp"
#include "tribo/problem/islands.hpp"
#include "tribo/sim/simulation.hpp"

#include <memory>
#include <vector>

namespace tribo {

class StepSolver {
 public:
  StepSolver(const ContactModel& model, std::string solver, double tolerance, int threads);
  ~StepSolver();

  // `known`: impulses to start from (f_n, f_s, f_t, f_j …), empty: none. Fills islands, counts and status of the report.
  const ContactSolution& solve(const ContactProblem& problem, const ContactSolution& known, StepReport& report);

 private:
  struct Workspace;
  struct Outcome {
    IslandReport report;
    int pivots = 0, sweeps = 0;
    bool fallback = false;
    double seconds_certify = 0.0;
    std::string detail;
  };
  Outcome solve_island(const ContactProblem& problem, const ContactSolution& known, Workspace& workspace,
                       ContactSolution& out) const;

  ContactModel model_;
  std::string solver_;
  double tolerance_;
  int threads_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;  // one per island
  std::vector<ContactSolution> parts_, starts_;
  std::vector<Outcome> outcomes_;
  ContactSolution solution_;
};

}  // namespace tribo
