#include "tribo/solve/pivot/dual_active_set.hpp"

#include "tribo/core/assert.hpp"

#include "solve/pivot/active_set_finish.hpp"
#include "solve/pivot/active_set_method.hpp"
#include "solve/pivot/pair_active_set.hpp"

namespace tribo {

class DualActiveSetSolver::Workspace {
 public:
  template <typename Set, typename Problem>
  SolveReport solve(Set& set, const Problem& problem, const WarmStart& warm, LcpSolution& solution) {
    const Index n = problem.size();
    TRIBO_REQUIRE(warm.states.empty() || static_cast<Index>(warm.states.size()) == n,
                  "dual active set: a warm start needs one state per row");
    solution.evidence.clear();
    if (!finish.is_finite(problem)) return finish.refuse(n, solution);
    set.start(problem);
    start_from(set, warm);
    const int limit = settings.max_steps > 0 ? settings.max_steps : 200 + 20 * static_cast<int>(n);
    SolveReport report = run_dual_steps(set, limit, scratch, solution.evidence);
    finish(set, problem, scratch, report, solution);
    return report;
  }

  DualActiveSetSettings settings;
  GramActiveSet gram;
  FactoredActiveSet factored;
  PairActiveSet pairs;
  ActiveSetScratch scratch;
  ActiveSetFinish finish;
};

DualActiveSetSolver::DualActiveSetSolver(DualActiveSetSettings settings) : workspace_(std::make_unique<Workspace>()) {
  workspace_->settings = settings;
}
DualActiveSetSolver::~DualActiveSetSolver() = default;
DualActiveSetSolver::DualActiveSetSolver(DualActiveSetSolver&&) noexcept = default;
DualActiveSetSolver& DualActiveSetSolver::operator=(DualActiveSetSolver&&) noexcept = default;

void DualActiveSetSolver::reserve(Index n) {
  workspace_->gram.reserve(n);
  workspace_->scratch.reserve(n);
  workspace_->finish.reserve(n);
}

void DualActiveSetSolver::reserve(Index n, Index m) {
  workspace_->factored.reserve(n, m);
  workspace_->scratch.reserve(n);
  workspace_->finish.reserve(n);
}

SolveReport DualActiveSetSolver::solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution) {
  reserve(lcp.size());
  return workspace_->solve(workspace_->gram, lcp, warm, solution);
}

SolveReport DualActiveSetSolver::solve(const FactoredLcp& lcp, const WarmStart& warm, LcpSolution& solution) {
  reserve(lcp.size(), lcp.G.cols());
  return workspace_->solve(workspace_->factored, lcp, warm, solution);
}

void DualActiveSetSolver::reserve(const LeastDistance& problem) {
  workspace_->pairs.reserve(problem);
  workspace_->scratch.reserve(workspace_->pairs.capacity());
  workspace_->finish.reserve(workspace_->pairs.capacity());
}

SolveReport DualActiveSetSolver::solve(const LeastDistance& problem, const WarmStart& warm, LcpSolution& solution) {
  reserve(problem);
  return workspace_->solve(workspace_->pairs, problem, warm, solution);
}

}  // namespace tribo
