#include "tribo/solve/sweep/pgs.hpp"

#include "solve/sweep/sweeper.hpp"

namespace tribo {

class PgsSolver::Workspace {
 public:
  explicit Workspace(PgsSettings s) : settings(s) {}

  SolveReport solve(const MatrixXd& M, const VectorXd& q, const VectorXd& lo, const VectorXd& hi,
                    const VectorXd& warm) {
    SolveReport report;
    if (!sweeper.start(M, q, lo, hi, warm, report)) return report;
    bool converged = sweeper.residual() <= settings.tolerance;
    while (!converged && report.sweeps < settings.max_sweeps) {
      sweeper.sweep();  // (1)
      ++report.sweeps;
      // A residual costs as much as a sweep: look at every sweep at first, then at every fourth.
      if (report.sweeps < 16 || report.sweeps % 4 == 0) converged = sweeper.residual() <= settings.tolerance;  // (2)
    }
    sweeper.finish(converged, report);
    return report;
  }

  PgsSettings settings;
  Sweeper sweeper;
};

PgsSolver::PgsSolver(PgsSettings settings) : workspace_(std::make_unique<Workspace>(settings)) {}
PgsSolver::~PgsSolver() = default;
PgsSolver::PgsSolver(PgsSolver&&) noexcept = default;
PgsSolver& PgsSolver::operator=(PgsSolver&&) noexcept = default;

void PgsSolver::reserve(Index n) { workspace_->sweeper.reserve(n); }

SolveReport PgsSolver::solve(const BoxLcp& lcp, const WarmStart& warm, BoxLcpSolution& solution) {
  reserve(lcp.size());
  const SolveReport report = workspace_->solve(lcp.M, lcp.q, lcp.lo, lcp.hi, warm.z);
  solution.z = workspace_->sweeper.z.head(lcp.size());
  solution.w = workspace_->sweeper.w.head(lcp.size());
  solution.evidence.clear();
  return report;
}

SolveReport PgsSolver::solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution) {
  reserve(lcp.size());
  Sweeper& sweeper = workspace_->sweeper;
  const SolveReport report = workspace_->solve(lcp.M, lcp.q, sweeper.default_lo, sweeper.default_hi, warm.z);
  solution.z = sweeper.z.head(lcp.size());
  solution.w = sweeper.w.head(lcp.size());
  solution.evidence.clear();
  return report;
}

}  // namespace tribo
