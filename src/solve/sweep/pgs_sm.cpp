#include "tribo/solve/sweep/pgs_sm.hpp"

#include "tribo/linalg/growing_cholesky.hpp"

#include <algorithm>

#include "solve/sweep/sweeper.hpp"

namespace tribo {

class PgsSmSolver::Workspace {
 public:
  explicit Workspace(PgsSmSettings s) : settings(s) {}

  void reserve(Index n) {
    sweeper.reserve(n);
    factor_.reserve(n);
    if (x_.size() >= n) return;
    for (VectorXd* v : {&x_, &rhs_, &column_, &scratch_}) v->setZero(n);
    free_.reserve(n);
  }

  SolveReport solve(const MatrixXd& M, const VectorXd& q, const VectorXd& lo, const VectorXd& hi,
                    const VectorXd& warm) {
    SolveReport report;
    if (!sweeper.start(M, q, lo, hi, warm, report)) return report;
    bool converged = sweeper.residual() <= settings.tolerance;
    while (!converged && report.sweeps < settings.max_sweeps) {
      for (int k = 0; k < settings.sweeps; ++k) sweeper.sweep();  // (1)
      report.sweeps += settings.sweeps;
      converged = sweeper.residual() <= settings.tolerance;
      if (converged) break;
      if (minimize_subspace(report)) converged = sweeper.residual() <= settings.tolerance;
    }
    sweeper.finish(converged, report);
    return report;
  }

  PgsSmSettings settings;
  Sweeper sweeper;

 private:
  // (2) and (3). True when the sweeper's point was replaced by a better one.
  bool minimize_subspace(SolveReport& report) {
    const Index n = sweeper.size();
    x_.head(n) = sweeper.z.head(n);
    for (int step = 0; step < settings.subspace_steps; ++step) {
      free_.clear();
      factor_.clear();
      for (Index i = 0; i < n; ++i) {
        if (!(x_(i) > sweeper.lo(i) && x_(i) < sweeper.hi(i)) || sweeper.root(i) == 0.0) continue;
        const Index k = factor_.size();
        for (Index p = 0; p < k; ++p) column_(p) = sweeper.M()(free_[p], i);
        const double d2 = factor_.test(column_.head(k), sweeper.M()(i, i));
        if (d2 <= 1e-12 * sweeper.M()(i, i)) continue;  // dependent: stays where it is
        factor_.append(column_.head(k), d2);
        free_.push_back(i);
      }
      const Index k = factor_.size();
      if (k == 0) return false;
      // In terms of the change: M_FF dx = −(q + M x)_F. A second pass refines the first.
      for (int pass = 0; pass < 2; ++pass) {
        scratch_.head(n) = sweeper.q();
        for (Index j = 0; j < n; ++j) {
          if (x_(j) != 0.0) scratch_.head(n) += x_(j) * sweeper.M().col(j);
        }
        for (Index p = 0; p < k; ++p) rhs_(p) = -scratch_(free_[p]);
        factor_.solve(rhs_.head(k));
        for (Index p = 0; p < k; ++p) x_(free_[p]) += rhs_(p);
      }
      ++report.pivots;
      bool inside = true;
      for (Index p = 0; p < k; ++p) {
        const Index i = free_[p];
        const double clipped = std::clamp(x_(i), sweeper.lo(i), sweeper.hi(i));
        inside = inside && clipped == x_(i);
        x_(i) = clipped;
      }
      if (inside) break;
    }
    const double before = sweeper.objective(sweeper.z, scratch_);
    const double after = sweeper.objective(x_, scratch_);
    if (!(after <= before + 1e-15 * std::abs(before))) return false;
    sweeper.z.head(n) = x_.head(n);
    return true;
  }

  GrowingCholesky factor_;
  IndexList free_;
  VectorXd x_, rhs_, column_, scratch_;
};

PgsSmSolver::PgsSmSolver(PgsSmSettings settings) : workspace_(std::make_unique<Workspace>(settings)) {}
PgsSmSolver::~PgsSmSolver() = default;
PgsSmSolver::PgsSmSolver(PgsSmSolver&&) noexcept = default;
PgsSmSolver& PgsSmSolver::operator=(PgsSmSolver&&) noexcept = default;

void PgsSmSolver::reserve(Index n) { workspace_->reserve(n); }

SolveReport PgsSmSolver::solve(const BoxLcp& lcp, const WarmStart& warm, BoxLcpSolution& solution) {
  reserve(lcp.size());
  const SolveReport report = workspace_->solve(lcp.M, lcp.q, lcp.lo, lcp.hi, warm.z);
  solution.z = workspace_->sweeper.z.head(lcp.size());
  solution.w = workspace_->sweeper.w.head(lcp.size());
  solution.evidence.clear();
  return report;
}

SolveReport PgsSmSolver::solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution) {
  reserve(lcp.size());
  Sweeper& sweeper = workspace_->sweeper;
  const SolveReport report = workspace_->solve(lcp.M, lcp.q, sweeper.default_lo, sweeper.default_hi, warm.z);
  solution.z = sweeper.z.head(lcp.size());
  solution.w = sweeper.w.head(lcp.size());
  solution.evidence.clear();
  return report;
}

}  // namespace tribo
