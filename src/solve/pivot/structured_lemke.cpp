#include "tribo/solve/pivot/structured_lemke.hpp"

#include <array>
#include <cmath>

#include "solve/pivot/pyramid_path.hpp"

namespace tribo {

class StructuredLemkeSolver::Workspace {
 public:
  struct Attempt {
    PyramidPathSettings path;
    const char* name;  // in the report, where it was not the first
  };

  // One run, on the path of the smallest size that takes it.
  SolveReport run(const PyramidProblem& problem, const Attempt& attempt, std::span<const LoadedContact> warm,
                  PyramidSolution& solution) {
    SolveReport report;
    PyramidPathSettings path = attempt.path;
    path.max_pivots = settings.max_pivots;
    const bool small = path.rows == PyramidRows::kSliding && !path.lexicographic;
    const auto with = [&](auto& on) {
      if (!on.run(problem, path, warm, report)) return false;
      if (report.status == Status::kSolved) on.read(solution);
      return true;
    };
    if (small && problem.dof() <= 6 && with(one)) return report;
    if (small && problem.dof() <= 12 && with(two)) return report;
    if (small && problem.dof() <= 30 && with(five)) return report;
    with(any);
    return report;
  }

  StructuredLemkeSettings settings;
  PyramidPath<6> one;
  PyramidPath<12> two;
  PyramidPath<30> five;
  PyramidPath<0> any;
};

StructuredLemkeSolver::StructuredLemkeSolver(StructuredLemkeSettings settings)
    : workspace_(std::make_unique<Workspace>()) {
  workspace_->settings = settings;
}
StructuredLemkeSolver::~StructuredLemkeSolver() = default;
StructuredLemkeSolver::StructuredLemkeSolver(StructuredLemkeSolver&&) noexcept = default;
StructuredLemkeSolver& StructuredLemkeSolver::operator=(StructuredLemkeSolver&&) noexcept = default;

SolveReport StructuredLemkeSolver::solve(const PyramidProblem& problem, std::span<const LoadedContact> warm,
                                         PyramidSolution& solution) {
  using Attempt = Workspace::Attempt;
  static constexpr std::array kReduced = {
      Attempt{{.rows = PyramidRows::kSliding, .seed = 1}, ""},
      Attempt{{.rows = PyramidRows::kSliding, .seed = 2}, "second covering vector"},
      Attempt{{.rows = PyramidRows::kExpanding, .lexicographic = true}, "raised covers, lexicographic"},
      Attempt{{.rows = PyramidRows::kAll, .lexicographic = true}, "structural, lexicographic"},
  };
  static constexpr std::array kStructural = {
      Attempt{{.rows = PyramidRows::kAll, .seed = 1}, ""},
      Attempt{{.rows = PyramidRows::kAll, .lexicographic = true}, "lexicographic"},
  };
  const bool reduced = workspace_->settings.form == LemkeForm::kReduced;
  const std::span<const Attempt> chain =
      reduced ? std::span<const Attempt>(kReduced) : std::span<const Attempt>(kStructural);
  SolveReport report;
  int pivots = 0;
  for (const Attempt& attempt : chain) {
    const bool first = &attempt == chain.data();
    report = workspace_->run(problem, attempt, first ? warm : std::span<const LoadedContact>(), solution);
    pivots += report.pivots;
    report.fallback = !first;
    if (report.status == Status::kSolved) {
      report.detail = attempt.name;
      break;
    }
    if (!workspace_->settings.fallback) break;
  }
  report.pivots = report.iterations = pivots;
  if (report.status != Status::kSolved) {
    const Index n = problem.size();
    solution.theta.setZero(n);
    solution.phi_s.setZero(n);
    solution.phi_t.setZero(n);
    solution.loaded.clear();
  }
  return report;
}

}  // namespace tribo
