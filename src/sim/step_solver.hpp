// One ContactProblem to its certified answer, island by island, with memory that is kept. In this order:
//     rest                what did not move, with the impulses of the last step and v⁺ = 0, for every model: no pivot, no sweep
//     cone, solver auto   formulation and solver of this object, started at the impulses that are known
//     the rest            the chain of contact/solve.hpp
// What comes closer to rest than the tolerance tells apart is brought to rest: v⁺ = 0 is then an answer too, and the one that
// does not drift. Nothing of this is taken on trust: each is the answer only when its certificate says so, and when each body
// by itself is that close to rest.
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

  // `known`: impulses to start from (f_n, f_s, f_t, f_j …), empty: none; `of_rest`, per contact: they were found while nothing
  // moved, brought up to date. Fills islands, counts and status of the report.
  const ContactSolution& solve(const ContactProblem& problem, const ContactSolution& known,
                               std::vector<std::uint8_t>& of_rest, StepReport& report);

 private:
  struct Workspace;
  struct Outcome {
    IslandReport report;
    int pivots = 0, sweeps = 0;
    bool fallback = false;
    double seconds_certify = 0.0;
    bool rests = false;  // before the step and after it
    std::string detail;
  };
  Outcome solve_one(const ContactProblem& problem, const ContactSolution& known, bool of_rest, Workspace& workspace,
                    ContactSolution& out) const;
  // As solve_one(), which sees the island as a whole, and refused where that says nothing of its lightest body.
  Outcome solve_island(const ContactProblem& problem, const ContactSolution& known, bool of_rest, Workspace& workspace,
                       ContactSolution& out) const;
  void settle(const ContactProblem& problem, Workspace& workspace, ContactSolution& out, Outcome& outcome) const;
  bool stays_at_rest(const ContactProblem& problem, const ContactSolution& known, bool of_rest, Workspace& workspace,
                     ContactSolution& out, Outcome& outcome) const;
  bool certifies_rest(const ContactProblem& problem, double tolerance, ContactSolution& answer, Workspace& workspace,
                      Outcome& outcome) const;

  ContactModel model_;
  std::string solver_;
  double tolerance_;
  int threads_;
  IslandSplitter islands_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;  // one per island
  std::vector<ContactSolution> parts_, starts_;
  std::vector<Outcome> outcomes_;
  std::vector<std::uint8_t> of_rest_;  // per island
  ContactSolution solution_;
};

}  // namespace tribo
