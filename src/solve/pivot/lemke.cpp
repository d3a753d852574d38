#include "tribo/solve/pivot/lemke.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/pivot/crash_basis.hpp"
#include "solve/pivot/equilibrate.hpp"
#include "solve/pivot/lemke_basis.hpp"
#include "solve/pivot/polish.hpp"

namespace tribo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Smallest pivot, relative to the largest entry of the driving column. Rows that repeat one another up to rounding give
// pivots that are rounding as well; where the line runs depends on the problem, so a run that broke down is repeated
// with another one.
constexpr double kPivotTolerance[] = {1e-9, 1e-11, 1e-7};
constexpr int kRepeats = 3;             // and then from other covering vectors
constexpr double kNoRate = 1e-13;       // relative rate that rounding leaves of zero
constexpr double kTieWindow = 1e-13;    // of the largest value a variable has had: what rounding may leave of a zero
constexpr double kDefectSmall = 1e-11;  // of a direction, before it is refined
constexpr double kDefectLimit = 1e-9;   // of a refined direction, before K⁻¹ is rebuilt
constexpr double kAccepted = 1e-11;     // backward error at which a guessed index set is the answer
constexpr double kClaim = 1e-9;         // backward error up to which the final answer is called solved
constexpr double kArrived = 1e-6;       // z₀, of its largest value: worth a look whether the path has arrived
constexpr int kRefreshEvery = 50;       // pivots between recomputations of the basic values

// A variable of the method: z_index (z₀ has index n) or w_index.
struct Variable {
  bool is_w = false;
  Index index = -1;
};

}  // namespace

class LemkeSolver::Workspace {
 public:
  explicit Workspace(LemkeSettings settings) : settings_(settings) {}

  void reserve(Index n);
  SolveReport solve(const MatrixXd& M, const VectorXd& q, Index free, const WarmStart& warm, Evidence& evidence);

  VectorXd z, w;  // the answer over all rows: free variables first

 private:
  void run(const MatrixXd& M, const VectorXd& q, Index free, const WarmStart& warm, Evidence& evidence);
  void scale(const MatrixXd& M, const VectorXd& q);
  bool start_basis(const WarmStart& warm);
  bool try_point(const VectorXd& point);
  bool try_index_set();
  bool try_without_z0(Index s);
  void make_cover();
  void calc_direction(const Variable& drive);
  Variable first_blocking();
  Variable ratio_test();
  Variable break_tie();
  void step(const Variable& drive, const Variable& leaving);
  void note_sizes();
  bool refresh(const Variable& drive);
  void finish();
  bool is_genuine_ray(const Variable& drive);
  void keep_ray(const Variable& drive, Evidence& evidence);

  double polish() {
    const auto count = static_cast<Index>(rows_.size());
    return polish_(Ms(), qs_.head(n_), lo_.head(n_), hi_.head(n_), rows_, columns_, count, xs_.head(n_), ws_.head(n_));
  }
  MatrixIn Ms() const { return Ms_.topLeftCorner(n_, n_); }
  bool is_bounded(Index column) const { return column >= free_; }  // z and z₀, not u
  double value(const Variable& v) const { return v.is_w ? ws_(v.index) : x_(basis_.column_position(v.index)); }
  double rate(const Variable& v) const { return v.is_w ? dw_(v.index) : dx_(basis_.column_position(v.index)); }

  LemkeSettings settings_;
  Index n_ = 0;     // rows
  Index free_ = 0;  // of them, rows of free variables
  SolveReport report_;

  MatrixXd Ms_;          // equilibrated: diag(r) M diag(c)
  VectorXd qs_;          // diag(r) q / unit
  VectorXd r_, c_;       // powers of two
  double unit_ = 1.0;    // of q, a power of two
  VectorXd cover_;       // c of the method, over all rows
  VectorXd cover_size_;  // its size on each constrained variable of the first basis
  VectorXd lo_, hi_;
  LemkeBasis basis_;
  CrashBasis crash_;
  Polish polish_;
  VectorXd x_, ws_;                 // basic values: over C by position, and w over all rows
  VectorXd dx_, dw_;                // how they follow the driving variable
  VectorXd tie_dx_, tie_dw_;        // the same for a column of the lexicographic test
  VectorXd largest_z_, largest_w_;  // the largest value each variable has had on the path
  double pivot_tolerance_ = 0.0;
  std::uint64_t cover_seed_ = 0;
  double smallest_rate_ = 0.0;   // the most negative rate of the last ratio test, over the largest one
  double last_try_ = kInfinity;  // z₀ when the path was last tested for its end
  VectorXd scratch_, xs_;
  std::vector<Variable> blocking_;
  IndexList rows_, columns_;  // of the final basis
};

void LemkeSolver::Workspace::reserve(Index n) {
  basis_.reserve(n);
  crash_.reserve(n);
  polish_.reserve(n);
  if (x_.size() >= n + 1) return;
  Ms_.resize(n, n);
  for (VectorXd* v : {&qs_, &r_, &c_, &cover_, &cover_size_, &lo_, &hi_, &x_, &ws_, &dx_, &dw_, &tie_dx_, &tie_dw_,
                      &scratch_, &xs_, &z, &w, &largest_z_, &largest_w_}) {
    v->setZero(n + 1);
  }
  blocking_.reserve(2 * n + 2);
  rows_.reserve(n + 1);
  columns_.reserve(n + 1);
}

void LemkeSolver::Workspace::scale(const MatrixXd& M, const VectorXd& q) {
  equilibrate(M, r_, c_, scratch_);
  for (Index j = 0; j < n_; ++j) Ms_.col(j).head(n_) = c_(j) * M.col(j).cwiseProduct(r_.head(n_));
  qs_.head(n_) = r_.head(n_).cwiseProduct(q);
  unit_ = power_of_two_near(qs_.head(n_).lpNorm<Eigen::Infinity>());
  qs_.head(n_) /= unit_;
  lo_.setZero();
  lo_.head(free_).setConstant(-kInfinity);
  hi_.setConstant(kInfinity);
}

// The index set to start from: the caller's, or the free variables alone (with help where their rows are dependent).
bool LemkeSolver::Workspace::start_basis(const WarmStart& warm) {
  basis_.start(Ms(), cover_.head(n_));
  if (!warm.states.empty()) {
    for (Index f = 0; f < free_; ++f) basis_.add(f, f);
    for (Index i = free_; i < n_; ++i) {
      if (warm.states[i - free_] == IndexState::kActive) basis_.add(i, i);
    }
    if (basis_.refactor()) return true;
    basis_.start(Ms(), cover_.head(n_));
  }
  if (free_ == 0) return true;
  if (!crash_.find(Ms(), free_)) return false;
  const auto& no_rows = crash_.skipped_rows();
  const auto& no_columns = crash_.skipped_columns();
  IndexList& rows = rows_;
  IndexList& columns = columns_;
  rows.clear();
  columns.clear();
  for (Index f = 0; f < free_; ++f) {
    if (std::find(no_rows.begin(), no_rows.end(), f) == no_rows.end()) rows.push_back(f);
    if (std::find(no_columns.begin(), no_columns.end(), f) == no_columns.end()) columns.push_back(f);
  }
  for (Index p = 0; p < static_cast<Index>(rows.size()); ++p) basis_.add(rows[p], columns[p]);
  for (const Index i : crash_.beta()) basis_.add(i, i);
  return basis_.refactor();
}

// Is the caller's point already the answer? (An index set need not tell: at a degenerate answer the rows with z > 0 may
// not make a basis.)
bool LemkeSolver::Workspace::try_point(const VectorXd& point) {
  if (!point.allFinite()) return false;
  xs_.head(n_) = point.cwiseQuotient(c_.head(n_)) / unit_;
  return polish_.judge(Ms(), qs_.head(n_), lo_.head(n_), hi_.head(n_), xs_.head(n_), ws_.head(n_)) <= kAccepted;
}

// Is the basis as it stands (without z₀) already the answer?
bool LemkeSolver::Workspace::try_index_set() {
  for (Index i = free_; i < n_; ++i) {
    if (basis_.row_position(i) < 0 && ws_(i) < 0.0 && basis_.size() == 0) return false;  // w = q, exactly
  }
  rows_.clear();
  columns_.clear();
  for (Index p = 0; p < basis_.size(); ++p) {
    rows_.push_back(basis_.row(p));
    columns_.push_back(basis_.column(p));
    if (is_bounded(basis_.column(p)) && x_(p) < -1e-8) return false;  // far from an answer: do not polish
  }
  xs_.setZero();
  const double error = polish();
  if (error <= kAccepted) return true;
  basis_.values(qs_, x_, ws_);
  return false;
}

// z₀ has become tiny beside what it was: the path may have arrived although no pivot of acceptable size lets z₀ leave. Two
// complementary index sets differ from the basis by z₀ alone; index s is the one with neither z_s nor w_s basic.
bool LemkeSolver::Workspace::try_without_z0(Index s) {
  const double z0 = x_(basis_.column_position(n_));
  if (z0 > std::min(kArrived * largest_z_(n_), 0.01 * last_try_)) return false;
  last_try_ = z0;
  for (const bool z_s_basic : {false, true}) {
    rows_.clear();
    columns_.clear();
    for (Index p = 0; p < basis_.size(); ++p) {
      if (z_s_basic || basis_.row(p) != s) rows_.push_back(basis_.row(p));
      if (basis_.column(p) != n_) columns_.push_back(basis_.column(p));
    }
    if (z_s_basic) columns_.push_back(s);
    scratch_.head(n_) = ws_.head(n_);
    xs_.setZero();
    if (polish() <= kAccepted) return true;
    ws_.head(n_) = scratch_.head(n_);
  }
  return false;
}

// The column of z₀: every constrained basic variable is to grow with z₀ by its covering size, the free ones not at all.
void LemkeSolver::Workspace::make_cover() {
  Random random(cover_seed_);
  for (Index i = 0; i < n_; ++i) cover_size_(i) = cover_seed_ == 0 ? 1.0 : random.uniform(1.0, 1.5);
  for (Index i = 0; i < n_; ++i) cover_(i) = basis_.row_position(i) < 0 && i >= free_ ? cover_size_(i) : 0.0;
  for (Index p = 0; p < basis_.size(); ++p) {
    const Index j = basis_.column(p);
    if (is_bounded(j)) cover_.head(n_) -= cover_size_(j) * Ms_.col(j).head(n_);
  }
}

void LemkeSolver::Workspace::calc_direction(const Variable& drive) {
  if (drive.is_w) {
    basis_.row_direction(drive.index, dx_, dw_);
  } else {
    basis_.column_direction(drive.index, dx_, dw_);
  }
}

// z₀ enters: the most negative basic variable, counted in covering sizes, leaves. Ties: the last index (spec C.4).
Variable LemkeSolver::Workspace::first_blocking() {
  Variable leaving;
  double least = kInfinity;
  const auto consider = [&](const Variable& v, double value, Index i) {
    const double ratio = value / cover_size_(i);
    if (ratio <= least) {
      least = ratio;
      leaving = v;
    }
  };
  for (Index i = free_; i < n_; ++i) {
    if (basis_.column_position(i) >= 0) {
      consider({false, i}, x_(basis_.column_position(i)), i);
    } else if (basis_.row_position(i) < 0) {
      consider({true, i}, ws_(i), i);
    }
  }
  return leaving;
}

// The basic variables that reach zero first; index −1 when none ever does.
Variable LemkeSolver::Workspace::ratio_test() {
  const Index k = basis_.size();
  double largest_rate = 0.0;
  for (Index p = 0; p < k; ++p) {
    if (is_bounded(basis_.column(p))) largest_rate = std::max(largest_rate, std::abs(dx_(p)));
  }
  for (Index i = free_; i < n_; ++i) {
    if (basis_.row_position(i) < 0) largest_rate = std::max(largest_rate, std::abs(dw_(i)));
  }
  const double smallest_pivot = pivot_tolerance_ * largest_rate;
  double least = kInfinity;
  smallest_rate_ = 0.0;
  for (Index p = 0; p < k; ++p) {
    if (is_bounded(basis_.column(p)) && dx_(p) < -smallest_pivot) {
      least = std::min(least, std::max(0.0, x_(p)) / -dx_(p));
    }
  }
  for (Index i = free_; i < n_; ++i) {
    if (basis_.row_position(i) < 0 && dw_(i) < -smallest_pivot) {
      least = std::min(least, std::max(0.0, ws_(i)) / -dw_(i));
    }
  }
  blocking_.clear();
  if (least == kInfinity) {
    for (Index p = 0; p < k; ++p) {
      if (is_bounded(basis_.column(p))) smallest_rate_ = std::min(smallest_rate_, dx_(p) / largest_rate);
    }
    for (Index i = free_; i < n_; ++i) {
      if (basis_.row_position(i) < 0) smallest_rate_ = std::min(smallest_rate_, dw_(i) / largest_rate);
    }
    return {};
  }
  // A tie: what is left of the value after this step is rounding.
  for (Index p = 0; p < k; ++p) {
    const Index j = basis_.column(p);
    if (!is_bounded(j) || dx_(p) >= -smallest_pivot) continue;
    if (x_(p) + least * dx_(p) > kTieWindow * largest_z_(j)) continue;
    if (j == n_) return {false, n_};  // z₀ may leave: solved
    blocking_.push_back({false, j});
  }
  for (Index i = free_; i < n_; ++i) {
    if (basis_.row_position(i) >= 0 || dw_(i) >= -smallest_pivot) continue;
    if (ws_(i) + least * dw_(i) <= kTieWindow * largest_w_(i)) blocking_.push_back({true, i});
  }
  return blocking_.size() == 1 ? blocking_.front() : break_tie();
}

// Lexicographic rule (spec C.4): compare the rows of [q', B⁻¹], column by column of B⁻¹, each over the driving rate.
Variable LemkeSolver::Workspace::break_tie() {
  for (Index j = free_; j < n_ && blocking_.size() > 1; ++j) {
    if (basis_.row_position(j) < 0) {  // w_j basic: its own row has the only, positive, entry
      std::erase_if(blocking_, [j](const Variable& v) { return v.is_w && v.index == j; });
      continue;
    }
    basis_.row_direction(j, tie_dx_, tie_dw_);
    const auto score = [&](const Variable& v) {
      const double entry = v.is_w ? tie_dw_(v.index) : tie_dx_(basis_.column_position(v.index));
      return entry / rate(v);
    };
    double least = kInfinity, largest = 0.0;
    for (const Variable& v : blocking_) {
      least = std::min(least, score(v));
      largest = std::max(largest, std::abs(score(v)));
    }
    std::erase_if(blocking_, [&](const Variable& v) { return score(v) > least + 1e-10 * largest; });
  }
  // Rows that rounding cannot tell apart: the largest pivot.
  return *std::min_element(blocking_.begin(), blocking_.end(),
                           [&](const Variable& a, const Variable& b) { return rate(a) < rate(b); });
}

void LemkeSolver::Workspace::step(const Variable& drive, const Variable& leaving) {
  const double length = drive.index == n_ && !drive.is_w ? -value(leaving) / rate(leaving)
                                                         : std::max(0.0, value(leaving)) / -rate(leaving);
  const Index k = basis_.size();
  x_.head(k) += length * dx_.head(k);
  ws_.head(n_) += length * dw_.head(n_);
  if (!drive.is_w && leaving.is_w) {
    basis_.grow(leaving.index, drive.index, dx_, dw_(leaving.index));
    x_(k) = length;
  } else if (!drive.is_w) {
    const Index position = basis_.column_position(leaving.index);
    basis_.replace_column(position, drive.index, dx_);
    x_(position) = length;
  } else if (leaving.is_w) {
    basis_.replace_row(basis_.row_position(drive.index), leaving.index);
  } else {
    const Index position = basis_.column_position(leaving.index);
    basis_.shrink(basis_.row_position(drive.index), position);
    x_(position) = x_(k - 1);
  }
  for (Index p = 0; p < basis_.size(); ++p) ws_(basis_.row(p)) = 0.0;
  if (drive.is_w) ws_(drive.index) = length;
  note_sizes();
  ++report_.pivots;
}

void LemkeSolver::Workspace::note_sizes() {
  largest_w_.head(n_) = largest_w_.head(n_).cwiseMax(ws_.head(n_).cwiseAbs());
  for (Index p = 0; p < basis_.size(); ++p) {
    double& largest = largest_z_(basis_.column(p));
    largest = std::max(largest, std::abs(x_(p)));
  }
}

// Keeps the direction of `drive`, K⁻¹ and the basic values honest. False: singular.
bool LemkeSolver::Workspace::refresh(const Variable& drive) {
  const Index unit_row = drive.is_w ? drive.index : -1;
  const auto defect = [&] { return basis_.defect(dx_, dw_, unit_row); };
  bool rebuilt = false;
  if (!(defect() <= kDefectSmall)) {
    basis_.refine(dx_, dw_, unit_row);
    if (!(defect() <= kDefectLimit)) {
      if (!basis_.refactor()) return false;
      ++report_.refactored;
      rebuilt = true;
      calc_direction(drive);
      for (int pass = 0; pass < 3 && !(defect() <= kDefectSmall); ++pass) basis_.refine(dx_, dw_, unit_row);
      if (!(defect() <= kDefectLimit)) return false;
    }
  }
  if (rebuilt || report_.pivots % kRefreshEvery == 0) basis_.values(qs_, x_, ws_);
  return true;
}

// Back to the caller's units: z = c x̃ unit, w = w̃ unit / r.
void LemkeSolver::Workspace::finish() {
  z.head(n_) = c_.head(n_).cwiseProduct(xs_.head(n_)) * unit_;
  w.head(n_) = ws_.head(n_).cwiseQuotient(r_.head(n_)) * unit_;
}

// Is the ray one? Base point and direction are computed afresh; nothing may be negative beyond rounding.
bool LemkeSolver::Workspace::is_genuine_ray(const Variable& drive) {
  if (!basis_.refactor()) return false;
  basis_.values(qs_, x_, ws_);
  calc_direction(drive);
  basis_.refine(dx_, dw_, drive.is_w ? drive.index : -1);
  constexpr double kNegative = 1e-10;
  double largest_rate = 0.0;
  const auto each_basic = [&](const auto& visit) {
    for (Index p = 0; p < basis_.size(); ++p) {
      if (is_bounded(basis_.column(p)) && !visit(x_(p), largest_z_(basis_.column(p)), dx_(p))) return false;
    }
    for (Index i = free_; i < n_; ++i) {
      if (basis_.row_position(i) < 0 && !visit(ws_(i), largest_w_(i), dw_(i))) return false;
    }
    return true;
  };
  each_basic([&](double, double, double rate) {
    largest_rate = std::max(largest_rate, std::abs(rate));
    return true;
  });
  // Back on the primary ray, where only z₀ and w grow: rounding has led the path astray.
  bool z_grows = !drive.is_w;
  for (Index p = 0; p < basis_.size(); ++p) {
    z_grows = z_grows || (basis_.column(p) != n_ && std::abs(dx_(p)) > 1e-12 * largest_rate);
  }
  if (!z_grows) return false;
  return each_basic([&](double value, double largest, double rate) {
    return value >= -kNegative * largest && rate >= -kNegative * largest_rate;
  });
}

// The ray as evidence; what rounding left of zeros is made zero.
void LemkeSolver::Workspace::keep_ray(const Variable& drive, Evidence& evidence) {
  VectorXd base = VectorXd::Zero(n_ + 1), along = VectorXd::Zero(n_ + 1);
  const Index k = basis_.size();
  const double largest_rate = std::max(drive.is_w ? 0.0 : 1.0, k > 0 ? dx_.head(k).cwiseAbs().maxCoeff() : 0.0);
  for (Index p = 0; p < k; ++p) {
    const Index j = basis_.column(p);
    if (std::abs(x_(p)) > kTieWindow * largest_z_(j)) base(j) = x_(p);
    if (std::abs(dx_(p)) > 1e-12 * largest_rate) along(j) = dx_(p);
  }
  if (!drive.is_w) along(drive.index) = 1.0;
  evidence.kind = Evidence::Kind::kRay;
  evidence.z0 = std::max(0.0, base(n_)) * unit_;
  evidence.dz0 = std::max(0.0, along(n_));
  base.head(n_) = base.head(n_).cwiseProduct(c_.head(n_)) * unit_;
  along.head(n_) = along.head(n_).cwiseProduct(c_.head(n_));
  evidence.cover = cover_.segment(free_, n_ - free_).cwiseQuotient(r_.segment(free_, n_ - free_));
  evidence.u = base.head(free_);
  evidence.du = along.head(free_);
  evidence.z = base.segment(free_, n_ - free_).cwiseMax(0.0);
  evidence.dz = along.segment(free_, n_ - free_).cwiseMax(0.0);
}

SolveReport LemkeSolver::Workspace::solve(const MatrixXd& M, const VectorXd& q, Index free, const WarmStart& warm,
                                          Evidence& evidence) {
  int pivots = 0, refactored = 0, runs = 0;
  // True: this run settled it. A path from a guessed index set proves nothing when it fails.
  const auto settled = [&](const WarmStart& from, double pivot_tolerance, std::uint64_t seed) {
    pivot_tolerance_ = pivot_tolerance;
    cover_seed_ = seed;
    run(M, q, free, from, evidence);
    pivots += report_.pivots;
    refactored += report_.refactored;
    ++runs;
    return report_.status == Status::kSolved || (report_.status != Status::kBreakdown && from.states.empty());
  };
  bool done = !warm.states.empty() && settled(warm, kPivotTolerance[0], settings_.cover_seed);
  WarmStart point_only;
  if (runs == 0) point_only.z = warm.z;
  for (const double tolerance : kPivotTolerance) {
    if (!done) done = settled(point_only, tolerance, settings_.cover_seed);
  }
  for (int k = 1; k <= kRepeats && !done; ++k) {
    done = settled({}, kPivotTolerance[0], settings_.cover_seed + 0x1000 + static_cast<std::uint64_t>(k));
  }
  report_.pivots = report_.iterations = pivots;
  report_.refactored = refactored;
  report_.fallback = runs > 1;
  return report_;
}

void LemkeSolver::Workspace::run(const MatrixXd& M, const VectorXd& q, Index free, const WarmStart& warm,
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
    return;
  }
  if (n_ == 0) {
    report_.status = Status::kSolved;
    return;
  }
  scale(M, q);
  if (warm.z.size() == n_ && try_point(warm.z)) {
    finish();
    report_.status = Status::kSolved;
    return;
  }
  if (!start_basis(warm)) {
    report_.detail = "no regular first basis: the equality rows are dependent";
    return;
  }
  basis_.values(qs_, x_, ws_);
  if (try_index_set()) {
    finish();
    report_.status = Status::kSolved;
    return;
  }

  make_cover();
  largest_z_.setZero();
  largest_w_.setZero();
  note_sizes();
  const int limit = settings_.max_pivots > 0 ? settings_.max_pivots : 1000 + 50 * static_cast<int>(n_);
  Variable drive{false, n_};
  last_try_ = kInfinity;
  while (report_.pivots < limit) {
    if (report_.pivots > 0 && try_without_z0(drive.index)) {
      report_.status = Status::kSolved;
      break;
    }
    calc_direction(drive);
    if (report_.pivots > 0 && !refresh(drive)) {
      report_.detail = "the basis became singular";
      break;
    }
    const Variable leaving = report_.pivots == 0 ? first_blocking() : ratio_test();
    if (leaving.index < 0) {
      if (smallest_rate_ < -kNoRate || !is_genuine_ray(drive)) {  // something blocks, but too weakly to pivot on
        report_.detail = "the only pivots left are too small";
        break;
      }
      report_.status = Status::kRay;
      report_.detail = "Lemke's path ended in a secondary ray";
      keep_ray(drive, evidence);
      break;
    }
    step(drive, leaving);
    if (!leaving.is_w && leaving.index == n_) {
      rows_.clear();
      columns_.clear();
      for (Index p = 0; p < basis_.size(); ++p) {
        rows_.push_back(basis_.row(p));
        columns_.push_back(basis_.column(p));
      }
      xs_.setZero();
      const double error = polish();
      report_.status = error <= kClaim ? Status::kSolved : Status::kBreakdown;
      if (error > kClaim) report_.detail = "accuracy lost: the final index set is not complementary";
      break;
    }
    drive = {!leaving.is_w, leaving.index};
    if (report_.pivots == limit) {
      report_.status = Status::kIterationLimit;
      report_.detail = "the limit of pivots was reached";
    }
  }
  if (report_.status != Status::kSolved && report_.status != Status::kBreakdown) {
    xs_.setZero();  // the last iterate, without z₀
    for (Index p = 0; p < basis_.size(); ++p) {
      if (basis_.column(p) < n_) xs_(basis_.column(p)) = x_(p);
    }
  }
  finish();
}

LemkeSolver::LemkeSolver(LemkeSettings settings) : workspace_(std::make_unique<Workspace>(settings)) {}
LemkeSolver::~LemkeSolver() = default;
LemkeSolver::LemkeSolver(LemkeSolver&&) noexcept = default;
LemkeSolver& LemkeSolver::operator=(LemkeSolver&&) noexcept = default;

void LemkeSolver::reserve(Index rows) { workspace_->reserve(rows); }

SolveReport LemkeSolver::solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution) {
  const SolveReport report = workspace_->solve(lcp.M, lcp.q, 0, warm, solution.evidence);
  solution.z = workspace_->z.head(lcp.size());
  solution.w = workspace_->w.head(lcp.size());
  return report;
}

SolveReport LemkeSolver::solve(const MixedLcp& lcp, const WarmStart& warm, MixedLcpSolution& solution) {
  const SolveReport report = workspace_->solve(lcp.M, lcp.q, lcp.free, warm, solution.evidence);
  solution.u = workspace_->z.head(lcp.free);
  solution.z = workspace_->z.segment(lcp.free, lcp.complementary());
  solution.w = workspace_->w.segment(lcp.free, lcp.complementary());
  return report;
}

}  // namespace tribo
