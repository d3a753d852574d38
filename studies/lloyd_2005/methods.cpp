#include "methods.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/problem/pyramid.hpp"

namespace tribo {
namespace {

constexpr std::size_t kPaths = 9;  // the covering vector of ones, then random ones

LemkeForm form_of(LemkeMethod method) {
  return method == LemkeMethod::kStructural ? LemkeForm::kStructural : LemkeForm::kReduced;
}

}  // namespace

std::string to_string(LemkeMethod method) {
  switch (method) {
    case LemkeMethod::kStandard:
      return "standard";
    case LemkeMethod::kStructural:
      return "structural";
    case LemkeMethod::kReduced:
      break;
  }
  return "reduced";
}

LemkeStep::LemkeStep(LemkeMethod method)
    : method_(method), structured_(StructuredLemkeSettings{.form = form_of(method)}) {}

SolveReport LemkeStep::solve(const ContactProblem& problem, ContactSolution& solution) {
  TRIBO_REQUIRE(formulation_.update(problem, CoulombPyramid{kSides}).has_value(), "the model does not fit the problem");
  TRIBO_REQUIRE(formulation_.consistent(), "no bilateral rows, no contradiction");
  rows_ = 0;
  const SolveReport report =
      method_ == LemkeMethod::kStandard ? solve_standard() : structured_.solve(formulation_.problem(), {}, pyramid_);
  if (is_solved(report.status)) formulation_.lift(pyramid_, solution);
  return report;
}

SolveReport LemkeStep::solve_standard() {
  const PyramidLcp dense(formulation_.problem());
  rows_ = dense.lcp().size();
  WarmStart start;
  start.z = dense.guess();
  SolveReport report;
  int pivots = 0;
  for (std::size_t path = 0; path < kPaths && !is_solved(report.status); ++path) {
    if (path == paths_.size()) paths_.emplace_back(LemkeSettings{.cover_seed = path});
    report = paths_[path].solve(dense.lcp(), start, answer_);
    report.fallback = path > 0;
    report.pivots = pivots += report.pivots;
  }
  if (is_solved(report.status)) dense.lift(answer_.z, pyramid_);
  return report;
}

double LemkeStep::certificate(const ContactProblem& problem, const ContactSolution& solution) const {
  return certify(problem, CoulombPyramid{kSides}, solution).worst;
}

Index LemkeStep::core() const {
  Index equations = 0;
  for (const LoadedContact& contact : pyramid_.loaded) {
    Index directions = 0;
    for (const auto direction : contact.directions) directions += direction >= 0 ? 1 : 0;
    equations += 1 + directions - (contact.slides && directions > 0 ? 1 : 0);
  }
  return equations;
}

}  // namespace tribo
