// The solver of the true cone by itself on a kept formulation, for what solve() does not offer: starts at the very bits of an answer
// and, for friction problems given as matrices, any start at all. Nothing is certified here.
#pragma once

#include "tribo/core/assert.hpp"
#include "tribo/formulation/cone.hpp"
#include "tribo/solve/cone/cone_solver.hpp"

namespace tribo {

class ConeAlone {
 public:
  explicit ConeAlone(double tolerance = 1e-8) : solver_({.tolerance = tolerance}) {}

  // The problem must be valid and stay where it is; one that the formulation refuses is the caller's mistake.
  template <typename Problem>
  void formulate(const Problem& problem) {
    TRIBO_REQUIRE(formulation_.update(problem).has_value(), "the formulation refuses the problem");
  }
  SolveReport solve(const ConeWarmStart& warm = {}) { return solver_.solve(formulation_.problem(), warm, solution_); }
  template <typename Problem>
  SolveReport run(const Problem& problem, const ConeWarmStart& warm = {}) {
    formulate(problem);
    return solve(warm);
  }
  void lift(FrictionSolution& solution) { formulation_.lift(solution_, solution); }

  const ConeSolution& solution() const { return solution_; }
  ConeWarmStart warm_start() const { return {solution_.r, solution_.states}; }

 private:
  ConeFormulation formulation_;
  ConeSolver solver_;
  ConeSolution solution_;
};

}  // namespace tribo
