#include "tribo/solve/pivot/lemke.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>

#include "solve/pivot/lemke_path.hpp"

namespace tribo {

void LemkePath::reserve(Index n) {
  basis_.reserve(n);
  crash_.reserve(n);
  polish_.reserve(n);
  if (x_.size() >= n + 1) return;
  Ms_.resize(n, n);
  for (VectorXd* v : {&qs_, &r_, &c_, &cover_, &cover_size_, &lo_, &hi_, &x_, &ws_, &dx_, &dw_, &scratch_, &xs_, &z, &w,
                      &largest_z_, &largest_w_}) {
    v->setZero(n + 1);
  }
  blocking_.reserve(2 * n + 2);
  rows_.reserve(n + 1);
  columns_.reserve(n + 1);
}

// The listing: price (calc_direction), ratio test, pivot, until z₀ leaves or nothing blocks.
void LemkePath::follow_path(Evidence& evidence) {
  make_cover();
  note_sizes();
  Variable drive{false, n_};
  const int most_pivots = settings_.max_pivots > 0 ? settings_.max_pivots : 1000 + 50 * static_cast<int>(n_);
  while (report_.pivots < most_pivots) {
    if (report_.pivots > 0 && try_without_z0(drive.index)) {
      report_.status = Status::kSolved;
      return;
    }
    calc_direction(drive);
    if (report_.pivots > 0 && !refresh(drive)) {
      report_.detail = "the basis became singular";
      return;
    }
    const Variable leaving = report_.pivots == 0 ? first_blocking() : ratio_test();
    if (leaving.index < 0) {
      if (smallest_rate_ < -kZeroRate || !is_genuine_ray(drive)) {  // something blocks, but too weakly to pivot on
        report_.detail = "the only pivots left are too small";
        return;
      }
      report_.status = Status::kRay;
      report_.detail = "Lemke's path ended in a secondary ray";
      keep_ray(drive, evidence);
      return;
    }
    step(drive, leaving);
    if (!leaving.is_w && leaving.index == n_) {
      if (arrive()) {
        report_.status = Status::kSolved;
      } else {
        report_.detail = "accuracy lost: the final index set is not complementary";
      }
      return;
    }
    drive = {!leaving.is_w, leaving.index};
  }
  report_.status = Status::kIterationLimit;
  report_.detail = "the limit of pivots was reached";
}

// z₀ has left: the basis is the answer's index set.
bool LemkePath::arrive() {
  rows_.clear();
  columns_.clear();
  for (Index p = 0; p < basis_.size(); ++p) {
    rows_.push_back(basis_.row(p));
    columns_.push_back(basis_.column(p));
  }
  xs_.setZero();
  const double quick = polish_(Ms(), qs_.head(n_), lo_.head(n_), hi_.head(n_), rows_, columns_, basis_.size(),
                               basis_.inverse(), xs_.head(n_), ws_.head(n_));
  return quick <= kClaim || polish() <= kClaim;
}

// One run from an index set (empty: cold). Leaves status, answer and evidence.
void LemkePath::run(const std::vector<IndexState>& states, Evidence& evidence) {
  report_ = {};
  evidence.clear();
  largest_z_.setZero();
  largest_w_.setZero();
  last_try_ = kInfinity;
  if (!start_basis(states)) {
    report_.detail = "no regular first basis: the equality rows are dependent";
    return;
  }
  basis_.values(qs_, x_, ws_);
  if (try_index_set()) {
    report_.status = Status::kSolved;
  } else {
    follow_path(evidence);
  }
  if (report_.status != Status::kSolved) {
    xs_.setZero();  // the last iterate, without z₀
    for (Index p = 0; p < basis_.size(); ++p) {
      if (basis_.column(p) < n_) xs_(basis_.column(p)) = x_(p);
    }
    polish_.judge(Ms(), qs_.head(n_), lo_.head(n_), hi_.head(n_), xs_.head(n_), ws_.head(n_));  // w = M z + q
  }
  finish();
}

// Back to the caller's units: z = c x̃ unit, w = w̃ unit / r.
void LemkePath::finish() {
  z.head(n_) = c_.head(n_).cwiseProduct(xs_.head(n_)) * unit_;
  w.head(n_) = ws_.head(n_).cwiseQuotient(r_.head(n_)) * unit_;
}

SolveReport LemkePath::solve(const MatrixXd& M, const VectorXd& q, Index free, const WarmStart& warm,
                             Evidence& evidence) {
  TRIBO_REQUIRE(M.rows() == q.size() && M.cols() == q.size() && free >= 0 && free <= q.size(),
                "Lemke: M must be square and match q");
  TRIBO_REQUIRE(warm.states.empty() || static_cast<Index>(warm.states.size()) == q.size() - free,
                "Lemke: a warm start needs one state per complementarity row");
  TRIBO_REQUIRE(warm.z.size() == 0 || warm.z.size() == q.size(), "Lemke: a warm start needs one value per unknown");
  n_ = q.size();
  free_ = free;
  report_ = {};
  evidence.clear();
  reserve(n_);
  z.setZero();
  w.setZero();
  if (!M.allFinite() || !q.allFinite()) {
    report_.detail = "the problem is not finite";
    return report_;
  }
  if (n_ == 0) {
    report_.status = Status::kSolved;
    return report_;
  }
  scale(M, q);
  if (warm.z.size() > 0 && try_point(warm.z)) {
    finish();
    report_.status = Status::kSolved;
    return report_;
  }

  run(warm.states, evidence);
  report_.iterations = report_.pivots;
  if (report_.status == Status::kRay && !warm.states.empty()) {
    report_.status = Status::kBreakdown;
    report_.detail = "the path from the given index set ended in a ray, which proves nothing";
    evidence.clear();
  }
  return report_;
}

LemkeSolver::LemkeSolver(LemkeSettings settings) : path_(std::make_unique<LemkePath>(settings)) {}
LemkeSolver::~LemkeSolver() = default;
LemkeSolver::LemkeSolver(LemkeSolver&&) noexcept = default;
LemkeSolver& LemkeSolver::operator=(LemkeSolver&&) noexcept = default;

void LemkeSolver::reserve(Index rows) { path_->reserve(rows); }

SolveReport LemkeSolver::solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution) {
  const SolveReport report = path_->solve(lcp.M, lcp.q, 0, warm, solution.evidence);
  solution.z = path_->z.head(lcp.size());
  solution.w = path_->w.head(lcp.size());
  return report;
}

SolveReport LemkeSolver::solve(const MixedLcp& lcp, const WarmStart& warm, MixedLcpSolution& solution) {
  const SolveReport report = path_->solve(lcp.M, lcp.q, lcp.free, warm, solution.evidence);
  solution.u = path_->z.head(lcp.free);
  solution.z = path_->z.segment(lcp.free, lcp.complementary());
  solution.w = path_->w.segment(lcp.free, lcp.complementary());
  return report;
}

}  // namespace tribo
