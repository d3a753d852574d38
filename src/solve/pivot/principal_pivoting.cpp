#include "tribo/solve/pivot/principal_pivoting.hpp"

#include "tribo/core/assert.hpp"

#include <cstdint>

#include "solve/pivot/active_set_finish.hpp"
#include "solve/pivot/active_set_method.hpp"
#include "solve/pivot/pair_active_set.hpp"

namespace tribo {
namespace {

constexpr double kNegativeZ = 1e-10;  // of speed / row_norm (spec B.3)

// A hash of the set, whatever its order: the sum of one scrambled word per member.
std::uint64_t scramble(Index i) {
  auto x = static_cast<std::uint64_t>(i) + 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

Index dimension(const Lcp& lcp) { return lcp.size(); }
Index dimension(const FactoredLcp& lcp) { return lcp.G.cols(); }
Index dimension(const LeastDistance& problem) { return problem.dof(); }

}  // namespace

class PrincipalPivotingSolver::Workspace {
 public:
  void reserve(Index n) {
    scratch.reserve(n);
    finish.reserve(n);
    seen.reserve(5 + 3 * n);
  }

  // The printed rule (3). True: finished with an answer; false: cycle, dependent row or too many iterations.
  template <typename Set>
  bool run_rule(Set& set, int limit, SolveReport& report) {
    seen.clear();
    std::uint64_t hash = 0;
    for (Index p = 0; p < set.size(); ++p) hash += scramble(set.at(p));
    while (true) {
      set.solve(scratch.z);  // (1)
      scratch.update_slack(set);
      Index i = most_violated(set, scratch);  // (2)
      while (i >= 0 && !set.test(i)) {
        if (!set.is_noise(i, scratch.w(i), scratch.z)) {
          report.detail = "principal pivoting met a dependent row";
          return false;
        }
        scratch.skip(set, i);
        i = most_violated(set, scratch);
      }
      Index p = -1;
      double least = -kNegativeZ * set.speed();
      for (Index j = 0; j < set.size(); ++j) {
        const double scaled = scratch.z(j) * set.active_norm(j);
        if (scaled < least) {
          least = scaled;
          p = j;
        }
      }
      if (i < 0 && p < 0) return true;
      if (std::find(seen.begin(), seen.end(), hash) != seen.end()) {
        report.detail = "principal pivoting cycled";
        return false;
      }
      if (report.iterations >= limit) {
        report.detail = "principal pivoting took too many iterations";
        return false;
      }
      seen.push_back(hash);
      ++report.iterations;
      if (i >= 0) {  // (3)
        set.append(i);
        hash += scramble(i);
        ++report.pivots;
      }
      if (p >= 0) {
        hash -= scramble(set.at(p));
        set.remove(p);
        ++report.pivots;
      }
    }
  }

  template <typename Set, typename Problem>
  SolveReport solve(Set& set, const Problem& problem, const WarmStart& warm, LcpSolution& solution) {
    const Index n = problem.size();
    TRIBO_REQUIRE(warm.states.empty() || static_cast<Index>(warm.states.size()) == n,
                  "principal pivoting: a warm start needs one state per row");
    solution.evidence.clear();
    if (!finish.is_finite(problem)) return finish.refuse(n, solution);
    set.start(problem);
    start_from(set, warm);
    const int usual = 5 + 3 * static_cast<int>(std::min(n, dimension(problem)));
    SolveReport report;
    if (run_rule(set, settings.max_iterations > 0 ? settings.max_iterations : usual, report)) {
      report.status = Status::kSolved;
    } else if (settings.fallback) {
      set.clear();
      const char* why = report.detail;
      const SolveReport rest = run_dual_steps(set, 200 + 20 * static_cast<int>(n), scratch, solution.evidence);
      report.status = rest.status;
      report.iterations += rest.pivots;
      report.pivots += rest.pivots;
      report.index = rest.index;
      report.fallback = true;
      report.detail = rest.status == Status::kSolved ? why : rest.detail;
    } else {
      report.status = Status::kIterationLimit;
    }
    finish(set, problem, scratch, report, solution);
    return report;
  }

  PrincipalPivotingSettings settings;
  GramActiveSet gram;
  FactoredActiveSet factored;
  PairActiveSet pairs;
  ActiveSetScratch scratch;
  ActiveSetFinish finish;
  std::vector<std::uint64_t> seen;
};

PrincipalPivotingSolver::PrincipalPivotingSolver(PrincipalPivotingSettings settings)
    : workspace_(std::make_unique<Workspace>()) {
  workspace_->settings = settings;
  workspace_->finish.may_ask_lemke = settings.fallback;
}
PrincipalPivotingSolver::~PrincipalPivotingSolver() = default;
PrincipalPivotingSolver::PrincipalPivotingSolver(PrincipalPivotingSolver&&) noexcept = default;
PrincipalPivotingSolver& PrincipalPivotingSolver::operator=(PrincipalPivotingSolver&&) noexcept = default;

void PrincipalPivotingSolver::reserve(Index n) {
  workspace_->gram.reserve(n);
  workspace_->reserve(n);
}

void PrincipalPivotingSolver::reserve(Index n, Index m) {
  workspace_->factored.reserve(n, m);
  workspace_->reserve(n);
}

SolveReport PrincipalPivotingSolver::solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution) {
  reserve(lcp.size());
  return workspace_->solve(workspace_->gram, lcp, warm, solution);
}

SolveReport PrincipalPivotingSolver::solve(const FactoredLcp& lcp, const WarmStart& warm, LcpSolution& solution) {
  reserve(lcp.size(), lcp.G.cols());
  return workspace_->solve(workspace_->factored, lcp, warm, solution);
}

void PrincipalPivotingSolver::reserve(const LeastDistance& problem) {
  workspace_->pairs.reserve(problem);
  workspace_->reserve(workspace_->pairs.capacity());
}

SolveReport PrincipalPivotingSolver::solve(const LeastDistance& problem, const WarmStart& warm, LcpSolution& solution) {
  reserve(problem);
  return workspace_->solve(workspace_->pairs, problem, warm, solution);
}

}  // namespace tribo
