#include "tribo/solve/pivot/structured_lemke.hpp"

#include <cmath>

#include "solve/pivot/pyramid_path.hpp"

namespace tribo {

class StructuredLemkeSolver::Workspace {
 public:
  PyramidPathSettings path_settings() const {
    PyramidPathSettings path;
    path.rows = settings.form == LemkeForm::kStructural ? PyramidRows::kAll
                : settings.lexicographic                ? PyramidRows::kExpanding
                                                        : PyramidRows::kSliding;
    path.seed = settings.lexicographic ? 0 : settings.seed;
    path.lexicographic = settings.lexicographic;
    path.max_pivots = settings.max_pivots;
    return path;
  }

  // On the path of the smallest size that takes the problem.
  SolveReport run(const PyramidProblem& problem, std::span<const LoadedContact> warm, PyramidSolution& solution) {
    SolveReport report;
    const PyramidPathSettings path = path_settings();
    const bool small = path.rows == PyramidRows::kSliding && !path.lexicographic;
    const auto with = [&](auto& on) {
      if (on == nullptr) on = std::make_unique<typename std::decay_t<decltype(on)>::element_type>();
      if (!on->run(problem, path, warm, report)) return false;
      if (report.status == Status::kSolved) on->read(solution);
      return true;
    };
    if (small && problem.dof() <= 6 && with(one)) return report;
    if (small && problem.dof() <= 12 && with(two)) return report;
    if (small && problem.dof() <= 30 && with(five)) return report;
    with(any);
    return report;
  }

  StructuredLemkeSettings settings;
  // Made when a problem of their size comes: arrays of fixed size are large.
  std::unique_ptr<PyramidPath<6>> one;
  std::unique_ptr<PyramidPath<12>> two;
  std::unique_ptr<PyramidPath<30>> five;
  std::unique_ptr<PyramidPath<0>> any;
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
  SolveReport report = workspace_->run(problem, warm, solution);
  report.iterations = report.pivots;
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
