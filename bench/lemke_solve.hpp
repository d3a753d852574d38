// From a ContactProblem to every impulse and v⁺ under Coulomb friction on a polygon, workspaces kept between calls: what
// `bench lemke` times and judges.
#pragma once

#include "tribo/core/assert.hpp"
#include "tribo/formulation/pyramid.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/pyramid.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/pivot/lemke.hpp"
#include "tribo/solve/pivot/structured_lemke.hpp"
#include "tribo/solve/report.hpp"

#include <span>
#include <string>

namespace tribo {

enum class LemkeMethod { kReduced, kStructural, kStandard };
// The solver's name on the command line.
inline std::string to_string(LemkeMethod method) {
  switch (method) {
    case LemkeMethod::kReduced:
      return "lemke/reduced";
    case LemkeMethod::kStructural:
      return "lemke/structural";
    case LemkeMethod::kStandard:
      break;
  }
  return "lemke/standard";
}

class PyramidSolve {
 public:
  explicit PyramidSolve(LemkeMethod method, int sides = 8)
      : method_(method),
        model_{sides},
        structured_({.form = method == LemkeMethod::kStructural ? LemkeForm::kStructural : LemkeForm::kReduced}) {}

  void set_sides(int sides) { model_.sides = sides; }
  const CoulombPyramid& model() const { return model_; }

  // The problem must be valid and the model must fit it. Bilateral rows that contradict one another:
  // kInconsistentEqualities. solution() is that of this run only where the report says solved.
  SolveReport run(const ContactProblem& problem, std::span<const LoadedContact> warm = {}) {
    formulate(problem);
    if (!formulation_.consistent()) return {.status = Status::kInconsistentEqualities, .detail = "contradicting rows"};
    const SolveReport report = solve(warm);
    if (is_solved(report.status)) lift();
    return report;
  }

  // The steps of run(), to be timed apart.
  void formulate(const ContactProblem& problem) {
    TRIBO_REQUIRE(formulation_.update(problem, model_).has_value(), "the model does not fit the problem");
  }
  SolveReport solve(std::span<const LoadedContact> warm = {}) {
    if (method_ != LemkeMethod::kStandard) return structured_.solve(formulation_.problem(), warm, pyramid_);
    const PyramidLcp dense(formulation_.problem());
    start_.z = dense.guess();
    const SolveReport report = standard_.solve(dense.lcp(), start_, answer_);
    if (is_solved(report.status)) dense.lift(answer_.z, pyramid_);
    return report;
  }
  void lift() { formulation_.lift(pyramid_, solution_); }

  // Of the last run().
  const ContactSolution& solution() const { return solution_; }
  const PyramidSolution& pyramid() const { return pyramid_; }
  PyramidFormulation& formulation() { return formulation_; }

 private:
  LemkeMethod method_;
  CoulombPyramid model_;
  PyramidFormulation formulation_;
  StructuredLemkeSolver structured_;
  LemkeSolver standard_;
  PyramidSolution pyramid_;
  LcpSolution answer_;
  ContactSolution solution_;
  WarmStart start_;
};

}  // namespace tribo
