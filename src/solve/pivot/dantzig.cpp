#include "tribo/solve/pivot/dantzig.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/growing_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/accurate_product.hpp"
#include "solve/add_columns.hpp"
#include "solve/pivot/rank_test.hpp"
#include "solve/residual.hpp"

namespace tribo {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kDependent = 1e-12;  // d² / M_ii below which a row depends on C
constexpr double kNoise = 1e-8;       // dw_j / sqrt(M_jj d²) below which w_j is not moving (spec E.1)
constexpr double kZero = 1e-13;       // of the terms summed in w_i: what rounding may leave of a zero
constexpr double kSatisfied = 1e-9;   // the same for a row that depends on C, whose rounding is that of all of C
constexpr int kRecomputeEvery = 16;   // settled indices between recomputations of z_C and w

enum class Place : char { kWaiting, kLower, kUpper, kClamped, kIdle };  // kIdle: w = 0 inside, dependent on C

}  // namespace

class DantzigSolver::Workspace {
 public:
  explicit Workspace(DantzigSettings settings) : settings_(settings) {}

  void reserve(Index n);
  SolveReport solve(const MatrixXd& M, const VectorXd& q, const VectorXd& lo, const VectorXd& hi, const WarmStart& warm,
                    Evidence& evidence);

  VectorXd z, w, lower, upper;

 private:
  enum class Drive { kDone, kInfeasible, kNearlySingular, kLimit };

  void start_from(const WarmStart& warm);
  void recompute();
  void settle();
  Index most_wrong();
  bool is_small(Index i) const;
  double row_size(Index i) const;
  Drive drive(Index i, int limit, Evidence& evidence);
  bool test(Index i);
  void append(Index i);
  void remove(Index position, Place place);
  void refine();

  double lo(Index i) const { return (*lo_)(i); }
  double hi(Index i) const { return (*hi_)(i); }

  DantzigSettings settings_;
  const MatrixXd* M_ = nullptr;
  const VectorXd* q_ = nullptr;
  const VectorXd* lo_ = nullptr;
  const VectorXd* hi_ = nullptr;
  Index n_ = 0;
  SolveReport report_;
  GrowingCholesky factor_;
  AccurateProduct product_;
  BackwardError backward_error_;
  IndexList clamped_;
  std::vector<Place> place_;
  VectorXd column_, dz_, dw_;
  double schur_ = 0.0;
  double speed_ = 0.0;  // max |q_i| / sqrt(M_ii), the scale of M^½ z
};

void DantzigSolver::Workspace::reserve(Index n) {
  factor_.reserve(n);
  product_.reserve(n);
  backward_error_.reserve(n);
  if (z.size() >= n) return;
  for (VectorXd* v : {&z, &w, &column_, &dz_, &dw_, &lower}) v->setZero(n);
  upper.setConstant(n, kUnbounded);
  clamped_.reserve(n);
  place_.resize(n);
}

// Is row i independent of C? The same test as in active_set.cpp.
bool DantzigSolver::Workspace::test(Index i) {
  const Index k = factor_.size();
  const double diagonal = (*M_)(i, i);
  for (Index p = 0; p < k; ++p) column_(p) = (*M_)(clamped_[p], i);
  schur_ = factor_.test(column_.head(k), diagonal);
  if (!(schur_ > kDependent * diagonal)) return false;
  if (schur_ > kSuspicious * diagonal) return true;
  dz_.head(k) = column_.head(k);
  factor_.solve_upper(dz_.head(k));
  double size = std::sqrt(diagonal);
  for (Index p = 0; p < k; ++p) size += std::abs(dz_(p)) * std::sqrt((*M_)(clamped_[p], clamped_[p]));
  return schur_ > kRounding * size * size;
}

void DantzigSolver::Workspace::append(Index i) {
  factor_.append(column_.head(factor_.size()), schur_);
  clamped_.push_back(i);
  place_[i] = Place::kClamped;
}

void DantzigSolver::Workspace::remove(Index position, Place place) {
  place_[clamped_[position]] = place;
  factor_.remove(position);
  clamped_.erase(clamped_.begin() + position);
}

// z_C from the other z (at their bounds), then w for all rows.
void DantzigSolver::Workspace::recompute() {
  const Index k = factor_.size();
  w.head(n_) = *q_;
  for (Index j = 0; j < n_; ++j) {
    if (place_[j] != Place::kClamped && z(j) != 0.0) w.head(n_) += z(j) * M_->col(j);
  }
  for (Index p = 0; p < k; ++p) column_(p) = -w(clamped_[p]);
  factor_.solve(column_.head(k));
  add_columns(k, column_.data(), n_, w.data(), [this](Index p) { return M_->col(clamped_[p]).data(); });
  for (Index p = 0; p < k; ++p) {
    z(clamped_[p]) = column_(p);
    w(clamped_[p]) = 0.0;
  }
}

void DantzigSolver::Workspace::start_from(const WarmStart& warm) {
  factor_.clear();
  clamped_.clear();
  for (Index i = 0; i < n_; ++i) {
    place_[i] = Place::kWaiting;
    const bool has_value = warm.z.size() == n_ && std::isfinite(warm.z(i));
    z(i) = std::clamp(has_value ? warm.z(i) : 0.0, lo(i), hi(i));
    if (warm.states.empty()) continue;
    if (warm.states[i] == IndexState::kLower && std::isfinite(lo(i))) z(i) = lo(i);
    if (warm.states[i] == IndexState::kUpper && std::isfinite(hi(i))) z(i) = hi(i);
  }
  if (!warm.states.empty()) {
    for (Index i = 0; i < n_; ++i) {
      if (warm.states[i] == IndexState::kActive && lo(i) < hi(i) && test(i)) append(i);
    }
  }
  recompute();
  // Members of C outside their bounds go back to the bound, the worst first (spec E.3).
  while (true) {
    Index worst = -1;
    double excess = 0.0;
    for (Index p = 0; p < factor_.size(); ++p) {
      const Index j = clamped_[p];
      const double out = std::max(lo(j) - z(j), z(j) - hi(j)) * std::sqrt((*M_)(j, j));
      if (out > excess) {
        excess = out;
        worst = p;
      }
    }
    if (worst < 0) break;
    const Index j = clamped_[worst];
    remove(worst, Place::kWaiting);
    z(j) = std::clamp(z(j), lo(j), hi(j));
    recompute();
  }
}

// A cheap look before row_size(), which costs a pass over the row.
bool DantzigSolver::Workspace::is_small(Index i) const {
  return std::abs(w(i)) <= 1e-8 * std::sqrt(std::max(0.0, (*M_)(i, i))) * speed_;
}

double DantzigSolver::Workspace::row_size(Index i) const {
  double sum = std::abs((*q_)(i));
  for (Index j = 0; j < n_; ++j) sum += std::abs((*M_)(j, i) * z(j));
  return sum;
}

// Waiting indices that are right as they stand are settled without a pivot.
void DantzigSolver::Workspace::settle() {
  for (Index i = 0; i < n_; ++i) {
    if (place_[i] != Place::kWaiting) continue;
    if (z(i) == lo(i) && (w(i) >= 0.0 || lo(i) == hi(i))) {
      place_[i] = Place::kLower;
    } else if (z(i) == hi(i) && w(i) <= 0.0) {
      place_[i] = Place::kUpper;
    } else if (w(i) == 0.0 || (is_small(i) && std::abs(w(i)) <= kZero * row_size(i))) {
      w(i) = 0.0;
      place_[i] = z(i) == lo(i) ? Place::kLower : z(i) == hi(i) ? Place::kUpper : Place::kIdle;
    }
  }
}

Index DantzigSolver::Workspace::most_wrong() {
  settle();
  Index worst = -1;
  double largest = 0.0;
  for (Index i = 0; i < n_; ++i) {
    if (place_[i] != Place::kWaiting) continue;
    const double diagonal = (*M_)(i, i);
    const double scaled = std::abs(w(i)) / (diagonal > 0.0 ? std::sqrt(diagonal) : 1.0);
    if (worst < 0 || scaled > largest) {
      largest = scaled;
      worst = i;
    }
  }
  return worst;
}

DantzigSolver::Workspace::Drive DantzigSolver::Workspace::drive(Index i, int limit, Evidence& evidence) {
  const double sign = w(i) < 0.0 ? 1.0 : -1.0;
  while (true) {
    if (report_.pivots >= limit) return Drive::kLimit;
    const bool dependent = !test(i);
    if (dependent && std::abs(w(i)) <= kSatisfied * row_size(i)) {  // zero as far as rounding can tell
      w(i) = 0.0;
      place_[i] = z(i) == lo(i) ? Place::kLower : z(i) == hi(i) ? Place::kUpper : Place::kIdle;
      return Drive::kDone;
    }
    const Index k = factor_.size();
    // (1)
    dz_.head(k) = -sign * column_.head(k);
    factor_.solve_upper(dz_.head(k));
    dw_.head(n_) = sign * M_->col(i);
    if (dependent) {
      dw_.head(n_).setZero();  // exactly so in exact arithmetic
    } else {
      add_columns(k, dz_.data(), n_, dw_.data(), [this](Index p) { return M_->col(clamped_[p]).data(); });
    }
    // (2)
    double length = sign > 0.0 ? hi(i) - z(i) : z(i) - lo(i);
    enum class Event { kOwnBound, kOwnZero, kLeaves, kJoins } event = Event::kOwnBound;
    Index who = -1;
    if (!dependent && std::abs(w(i)) <= length * schur_) {
      length = std::abs(w(i)) / schur_;
      event = Event::kOwnZero;
    }
    double largest = 0.0;
    for (Index p = 0; p < k; ++p)
      largest = std::max(largest, std::abs(dz_(p)) * std::sqrt((*M_)(clamped_[p], clamped_[p])));
    for (Index p = 0; p < k; ++p) {
      const Index j = clamped_[p];
      if (std::abs(dz_(p)) * std::sqrt((*M_)(j, j)) <= 1e-13 * largest) continue;
      const double room = dz_(p) > 0.0 ? hi(j) - z(j) : z(j) - lo(j);
      const double ratio = std::max(0.0, room) / std::abs(dz_(p));
      if (ratio < length) {
        length = ratio;
        event = Event::kLeaves;
        who = p;
      }
    }
    if (!dependent) {
      for (Index j = 0; j < n_; ++j) {
        const Place place = place_[j];
        if (place == Place::kClamped || place == Place::kWaiting || j == i || lo(j) == hi(j)) continue;
        const double noise = kNoise * std::sqrt(std::max(0.0, (*M_)(j, j)) * schur_);
        const bool blocks = (place == Place::kLower && dw_(j) < -noise) || (place == Place::kUpper && dw_(j) > noise) ||
                            (place == Place::kIdle && std::abs(dw_(j)) > noise);
        if (!blocks) continue;
        const double ratio = place == Place::kIdle ? 0.0 : std::max(0.0, -w(j) / dw_(j));
        if (ratio < length) {
          length = ratio;
          event = Event::kJoins;
          who = j;
        }
      }
    }
    if (length == kUnbounded) {  // (3)
      evidence.kind = Evidence::Kind::kFarkas;
      evidence.y = VectorXd::Zero(n_);
      evidence.y(i) = sign;
      for (Index p = 0; p < k; ++p) evidence.y(clamped_[p]) = dz_(p);
      report_.index = i;
      return is_null_direction(*M_, evidence.y) ? Drive::kInfeasible : Drive::kNearlySingular;
    }
    z(i) += sign * length;
    for (Index p = 0; p < k; ++p) z(clamped_[p]) += length * dz_(p);
    w.head(n_) += length * dw_.head(n_);
    for (const Index j : clamped_) w(j) = 0.0;
    ++report_.pivots;
    switch (event) {
      case Event::kOwnZero:
        w(i) = 0.0;
        append(i);  // column_ still belongs to i
        return Drive::kDone;
      case Event::kOwnBound:
        z(i) = sign > 0.0 ? hi(i) : lo(i);
        place_[i] = sign > 0.0 ? Place::kUpper : Place::kLower;
        return Drive::kDone;
      case Event::kLeaves: {
        const Index j = clamped_[who];
        const bool up = dz_(who) > 0.0;
        z(j) = up ? hi(j) : lo(j);
        remove(who, up ? Place::kUpper : Place::kLower);
        break;
      }
      case Event::kJoins:
        w(who) = 0.0;
        if (test(who)) {
          append(who);
        } else {
          place_[who] = Place::kWaiting;  // it moved without being independent: rounding; look at it again later
        }
        break;
    }
  }
}

void DantzigSolver::Workspace::refine() {
  const Index k = factor_.size();
  for (int pass = 0; pass < 3; ++pass) {
    product_(*M_, z.head(n_), *q_, w.head(n_));
    if (pass == 2 || k == 0) break;
    for (Index p = 0; p < k; ++p) column_(p) = -w(clamped_[p]);
    factor_.solve(column_.head(k));
    for (Index p = 0; p < k; ++p) {
      const Index j = clamped_[p];
      z(j) = std::clamp(z(j) + column_(p), lo(j), hi(j));
    }
  }
}

SolveReport DantzigSolver::Workspace::solve(const MatrixXd& M, const VectorXd& q, const VectorXd& lo_in,
                                            const VectorXd& hi_in, const WarmStart& warm, Evidence& evidence) {
  TRIBO_REQUIRE(M.rows() == q.size() && M.cols() == q.size() && lo_in.size() >= q.size() && hi_in.size() >= q.size(),
                "Dantzig: sizes of M, q, lo and hi must match");
  TRIBO_REQUIRE(warm.states.empty() || static_cast<Index>(warm.states.size()) == q.size(),
                "Dantzig: a warm start needs one state per row");
  TRIBO_REQUIRE(warm.z.size() == 0 || warm.z.size() == q.size(), "Dantzig: a warm start needs one value per row");
  M_ = &M;
  q_ = &q;
  lo_ = &lo_in;
  hi_ = &hi_in;
  n_ = q.size();
  report_ = {};
  evidence.clear();
  if (!M.allFinite() || !q.allFinite()) {
    z.setZero();
    w.setZero();
    report_.detail = "the problem is not finite";
    return report_;
  }
  speed_ = 0.0;
  for (Index i = 0; i < n_; ++i) {
    if (M(i, i) > 0.0) speed_ = std::max(speed_, std::abs(q(i)) / std::sqrt(M(i, i)));
  }
  start_from(warm);
  const int limit = settings_.max_pivots > 0 ? settings_.max_pivots : 200 + 20 * static_cast<int>(n_);
  Drive outcome = Drive::kDone;
  int settled = 0;
  for (Index i = most_wrong(); i >= 0; i = most_wrong()) {
    outcome = drive(i, limit, evidence);
    if (outcome != Drive::kDone) break;
    if (++settled % kRecomputeEvery == 0) recompute();
  }
  report_.iterations = report_.pivots;
  refine();
  const double error = backward_error_(M, q, lo_in.head(n_), hi_in.head(n_), z.head(n_), w.head(n_));
  for (const Index j : clamped_) {
    if (z(j) > lo(j) && z(j) < hi(j)) w(j) = 0.0;
  }
  if (outcome == Drive::kNearlySingular) {
    evidence.clear();
    report_.detail = "rows are too nearly dependent to tell whether an answer exists";
  } else if (outcome == Drive::kInfeasible) {
    report_.status = Status::kInfeasible;
    report_.detail = "a combination of rows cannot be satisfied";
  } else if (outcome == Drive::kLimit) {
    report_.status = Status::kIterationLimit;
    report_.detail = "the limit of pivots was reached";
  } else if (error <= kClaim) {
    report_.status = Status::kSolved;
  } else {
    report_.detail = "accuracy lost: the index set is too ill-conditioned";
  }
  return report_;
}

DantzigSolver::DantzigSolver(DantzigSettings settings) : workspace_(std::make_unique<Workspace>(settings)) {}
DantzigSolver::~DantzigSolver() = default;
DantzigSolver::DantzigSolver(DantzigSolver&&) noexcept = default;
DantzigSolver& DantzigSolver::operator=(DantzigSolver&&) noexcept = default;

void DantzigSolver::reserve(Index n) { workspace_->reserve(n); }

SolveReport DantzigSolver::solve(const BoxLcp& lcp, const WarmStart& warm, BoxLcpSolution& solution) {
  reserve(lcp.size());
  const SolveReport report = workspace_->solve(lcp.M, lcp.q, lcp.lo, lcp.hi, warm, solution.evidence);
  solution.z = workspace_->z.head(lcp.size());
  solution.w = workspace_->w.head(lcp.size());
  return report;
}

SolveReport DantzigSolver::solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution) {
  reserve(lcp.size());
  const SolveReport report =
      workspace_->solve(lcp.M, lcp.q, workspace_->lower, workspace_->upper, warm, solution.evidence);
  solution.z = workspace_->z.head(lcp.size());
  solution.w = workspace_->w.head(lcp.size());
  return report;
}

}  // namespace tribo
