#include "solve/pivot/active_set_finish.hpp"

#include "tribo/solve/pivot/lemke.hpp"

namespace tribo {
namespace {

template <typename Set>
void write_answer(const Set& set, const ActiveSetScratch& scratch, LcpSolution& solution) {
  const Index n = set.caller_rows();
  solution.z.setZero(n);
  for (Index p = 0; p < set.size(); ++p) solution.z(set.caller_row(set.at(p))) = std::max(0.0, scratch.z(p));
  solution.w.resize(n);
  set.copy_slack(scratch.w, solution.w);
}

void judge(double error, SolveReport& report) {
  report.iterations = std::max(report.iterations, report.pivots);
  if (report.status != Status::kSolved || error <= kClaim) return;
  report.status = Status::kBreakdown;
  report.detail = "accuracy lost: the active set is too ill-conditioned";
}

}  // namespace

void ActiveSetFinish::reserve(Index n) {
  backward_error_.reserve(n);
  if (lo_.size() >= n) return;
  lo_.setZero(n);
  hi_.setConstant(n, std::numeric_limits<double>::infinity());
}

bool ActiveSetFinish::is_finite(const Lcp& lcp) { return lcp.M.allFinite() && lcp.q.allFinite(); }

bool ActiveSetFinish::is_finite(const FactoredLcp& lcp) {
  // x − x is NaN for what is not finite; sums of zeros are zero.
  const double sum = (lcp.G - lcp.G).sum() + (lcp.q - lcp.q).sum() + (lcp.row_norm - lcp.row_norm).sum();
  return sum == 0.0 && std::isfinite(lcp.speed);
}

bool ActiveSetFinish::is_finite(const LeastDistance& problem) {
  double sum = problem.speed;
  for (const double u : problem.start) sum += u;
  const auto add_all = [&sum](const double* values, Index count) {
    double lane[8] = {};
    for (Index i = 0; i < count; i += 8) {
      for (Index k = 0; k < 8; ++k) lane[k] += values[i + k] - values[i + k];
    }
    for (const double value : lane) sum += value;
  };
  add_all(problem.rows.weights(), problem.rows.positions());
  if (!problem.offset.empty()) add_all(problem.offset.data(), problem.rows.positions());
  return sum - sum == 0.0;
}

SolveReport ActiveSetFinish::refuse(Index n, LcpSolution& solution) const {
  solution.z.setZero(n);
  solution.w.setZero(n);
  SolveReport report;
  report.detail = "the problem is not finite";
  return report;
}

void ActiveSetFinish::operator()(GramActiveSet& set, const Lcp& lcp, ActiveSetScratch& scratch, SolveReport& report,
                                 LcpSolution& solution) {
  const Index n = lcp.size();
  set.refine(scratch.z, scratch.w);
  write_answer(set, scratch, solution);
  const double error = backward_error_(lcp.M, lcp.q, lo_.head(n), hi_.head(n), solution.z, solution.w);
  for (Index p = 0; p < set.size(); ++p) {
    if (solution.z(set.at(p)) > 0.0) solution.w(set.at(p)) = 0.0;
  }
  judge(error, report);
  if (report.status == Status::kBreakdown && may_ask_lemke) ask_lemke(lcp, report, solution);
}

// Rows that are dependent to ten or twelve digits leave an active set no good factor. Lemke's method does not need the
// symmetry that this one builds on, and chooses another basis; it is asked in about one of 10⁵ such problems.
void ActiveSetFinish::ask_lemke(const Lcp& lcp, SolveReport& report, LcpSolution& solution) {
  LcpSolution other;
  const SolveReport second = LemkeSolver().solve(lcp, {}, other);
  report.pivots += second.pivots;
  report.iterations += second.pivots;
  if (second.status == Status::kRay && is_null_direction(lcp.M, other.evidence.dz)) {
    solution.evidence.kind = Evidence::Kind::kFarkas;
    solution.evidence.y = other.evidence.dz;  // a direction of a ray is a Farkas vector for symmetric semidefinite M
    report.status = Status::kInfeasible;
  } else if (second.status == Status::kSolved) {
    solution = std::move(other);
    report.status = Status::kSolved;
  } else {
    return;
  }
  report.fallback = true;
  report.detail = "finished by Lemke's method: rows are nearly dependent";
}

template <typename Set>
void ActiveSetFinish::finish_rows(Set& set, ActiveSetScratch& scratch, SolveReport& report, LcpSolution& solution) {
  set.refine(scratch.z, scratch.w);
  write_answer(set, scratch, solution);
  // Scaled min-map (spec B.7): what is left of w over A, and the signs of z and w.
  const double speed = set.speed() > 0.0 ? set.speed() : 1.0;
  double error = std::max(set.defect(), scratch.skipped / speed);
  const Index least = set.find_violated(scratch.w, 0.0);
  if (least >= 0) error = std::max(error, -scratch.w(least) / (set.row_norm(least) * speed));
  for (Index p = 0; p < set.size(); ++p) {
    error = std::max(error, -scratch.z(p) * set.active_norm(p) / speed);
  }
  judge(error, report);
}

void ActiveSetFinish::operator()(FactoredActiveSet& set, const FactoredLcp&, ActiveSetScratch& scratch,
                                 SolveReport& report, LcpSolution& solution) {
  finish_rows(set, scratch, report, solution);
}

void ActiveSetFinish::operator()(PairActiveSet& set, const LeastDistance&, ActiveSetScratch& scratch,
                                 SolveReport& report, LcpSolution& solution) {
  finish_rows(set, scratch, report, solution);
}

}  // namespace tribo
