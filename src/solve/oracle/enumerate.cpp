#include "tribo/solve/oracle/enumerate.hpp"

#include "tribo/core/assert.hpp"

#include <cmath>
#include <limits>

#include "solve/oracle/nnls.hpp"
#include "solve/pivot/equilibrate.hpp"
#include "solve/pivot/polish.hpp"
#include <Eigen/QR>

namespace tribo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kReached = 1e-9;        // distance of q (of size one) from a cone below which the cone may contain it
constexpr double kMissed = 1e-6;         // and above which it surely does not; in between the search goes deeper
constexpr double kAccepted = 1e-9;       // backward error of an answer
constexpr std::size_t kMaxProof = 4096;  // cone families kept as evidence

class Search {
 public:
  Search(const MatrixXd& M, const VectorXd& q, Index free, int max_nodes)
      : n_(q.size()), free_(free), max_nodes_(max_nodes), r_(n_), c_(n_) {
    VectorXd scratch(n_);
    equilibrate(M, r_, c_, scratch);
    M_ = r_.asDiagonal() * M * c_.asDiagonal();
    q_ = r_.cwiseProduct(q);
    unit_ = power_of_two_near(n_ > 0 ? q_.lpNorm<Eigen::Infinity>() : 0.0);
    q_ /= unit_;
    lo_ = VectorXd::Zero(n_);
    lo_.head(free_).setConstant(-kInfinity);
    hi_ = VectorXd::Constant(n_, kInfinity);
    polish_.reserve(n_);
    project_free_columns();
  }

  SolveReport run(const WarmStart& warm) {
    SolveReport report;
    if (!warm.states.empty()) {
      std::vector<char> active(n_ - free_, 0);
      for (Index k = 0; k < n_ - free_; ++k) active[k] = warm.states[k] == IndexState::kActive;
      const bool is_point = warm.z.size() == n_ && warm.z.allFinite();
      if ((is_point && accept_point(warm.z.cwiseQuotient(c_) / unit_)) || accept(active)) {
        report.status = Status::kSolved;
        return report;
      }
    }
    const bool found = visit(std::string(n_ - free_, '*'));
    report.iterations = nodes_;
    if (found) {
      report.status = Status::kSolved;
    } else if (nodes_ > max_nodes_) {
      report.status = Status::kIterationLimit;
      report.detail = "too many complementary cones to try them all";
    } else if (unclear_ || patterns_.size() > kMaxProof) {
      report.status = Status::kBreakdown;
      report.detail = unclear_ ? "a cone comes too close to call" : "the proof is too long to keep";
    } else {
      report.status = Status::kInfeasible;
      report.detail = "no complementary cone contains q";
    }
    return report;
  }

  void answer(VectorXd& x, VectorXd& w) const {
    x = c_.cwiseProduct(x_) * unit_;
    w = w_.cwiseQuotient(r_) * unit_;
  }

  void proof(Evidence& evidence) const {
    evidence.kind = Evidence::Kind::kExhaustion;
    evidence.pattern = patterns_;
    evidence.separators.resize(n_, static_cast<Index>(separators_.size()));
    // s·(r∘column) = (s∘r)·column: separators in the caller's scaling.
    for (Index i = 0; i < evidence.separators.cols(); ++i) evidence.separators.col(i) = separators_[i].cwiseProduct(r_);
  }

 private:
  void project_free_columns() {
    // Orthonormal basis of the span of the free columns; everything else is seen in its complement.
    if (free_ == 0) return;
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(M_.leftCols(free_));
    const Index rank = qr.rank();
    Q_ = qr.householderQ() * MatrixXd::Identity(n_, rank);
  }
  VectorXd project(VectorXd column) const {
    if (Q_.cols() == 0) return column;
    for (int pass = 0; pass < 2; ++pass) column -= Q_ * (Q_.transpose() * column);
    return column;
  }

  // What rounding left of zeros: a wrong sign of that size would spoil a proof that is otherwise exact.
  static VectorXd clean(VectorXd s) {
    const double largest = s.cwiseAbs().maxCoeff();
    for (Index i = 0; i < s.size(); ++i) {
      if (std::abs(s(i)) <= 1e-11 * largest) s(i) = 0.0;
    }
    return s;
  }

  // Does s really keep every column of the family on its other side?
  bool separates(const VectorXd& s, const std::string& pattern) const {
    for (Index k = 0; k < n_ - free_; ++k) {
      if (pattern[k] != 'z' && s(free_ + k) > 0.0) return false;
      if (pattern[k] == 'w') continue;
      const double terms = M_.col(free_ + k).cwiseAbs().dot(s.cwiseAbs());
      if (M_.col(free_ + k).dot(s) < -5e-13 * terms) return false;
    }
    return true;
  }

  // (2) to (4), depth first.
  bool visit(const std::string& pattern) {
    if (++nodes_ > max_nodes_) return false;
    struct Column {
      Index k;
      char kind;
      double size;
    };
    std::vector<Column> columns;
    MatrixXd B(n_, 2 * (n_ - free_));
    for (Index k = 0; k < n_ - free_; ++k) {
      for (const char kind : {'w', 'z'}) {
        if (pattern[k] != '*' && pattern[k] != kind) continue;
        const VectorXd raw = kind == 'w' ? VectorXd(VectorXd::Unit(n_, free_ + k)) : VectorXd(-M_.col(free_ + k));
        const VectorXd column = project(raw);
        const double size = column.norm();
        if (size <= 1e-13 * std::max(1.0, raw.norm())) continue;  // no effect: its variable stays zero
        B.col(static_cast<Index>(columns.size())) = column / size;
        columns.push_back({k, kind, size});
      }
    }
    const VectorXd target = project(q_);
    const double size = target.norm();
    VectorXd z = VectorXd::Zero(n_ - free_), w = VectorXd::Zero(n_ - free_);
    if (size > 1e-13 * q_.norm()) {  // else the free columns alone reach q
      const NnlsResult nearest = solve_nnls(B.leftCols(static_cast<Index>(columns.size())), target / size);
      const double distance = nearest.s.norm();
      const bool decided = pattern.find('*') == std::string::npos;
      if (distance > (decided ? kReached : kMissed)) {  // (3)
        const VectorXd s = clean(project(nearest.s));
        if (distance <= kMissed || !nearest.converged || !separates(s, pattern)) unclear_ = true;
        if (patterns_.size() <= kMaxProof) {
          patterns_.push_back(pattern);
          separators_.push_back(s);
        }
        return false;
      }
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const double value = nearest.x(static_cast<Index>(c)) * size / columns[c].size;
        (columns[c].kind == 'z' ? z : w)(columns[c].k) = value;
      }
    }
    Index branch = -1;
    double most = 0.0;
    for (Index k = 0; k < n_ - free_; ++k) {
      if (std::min(z(k), w(k)) > most) {
        most = std::min(z(k), w(k));
        branch = k;
      }
    }
    if (branch < 0) {  // (4)
      std::vector<char> active(n_ - free_, 0);
      for (Index k = 0; k < n_ - free_; ++k) active[k] = z(k) > 0.0;
      if (accept(active) || accept_point(with_free(z))) return true;
      // Inside a cone as far as the distance tells, yet not an answer to full accuracy: decide the remaining indices.
      for (Index k = 0; k < n_ - free_ && branch < 0; ++k) {
        if (pattern[k] == '*') branch = k;
      }
      if (branch < 0) {
        unclear_ = true;
        return false;
      }
    }
    std::string first = pattern, second = pattern;
    first[branch] = z(branch) >= w(branch) ? 'z' : 'w';
    second[branch] = first[branch] == 'z' ? 'w' : 'z';
    return visit(first) || visit(second);
  }

  bool accept(const std::vector<char>& active) {
    IndexList rows;
    for (Index f = 0; f < free_; ++f) rows.push_back(f);
    for (Index k = 0; k < n_ - free_; ++k) {
      if (active[k]) rows.push_back(free_ + k);
    }
    x_.setZero(n_);
    w_.setZero(n_);
    return polish_(M_, q_, lo_, hi_, rows, rows, static_cast<Index>(rows.size()), x_, w_) <= kAccepted;
  }

  // Where the index set's own system is singular the point itself may still be an answer.
  bool accept_point(const VectorXd& x) {
    x_ = x;
    w_.setZero(n_);
    return polish_.judge(M_, q_, lo_, hi_, x_, w_) <= kAccepted;
  }
  VectorXd with_free(const VectorXd& z) const {
    VectorXd x(n_);
    x.tail(n_ - free_) = z;
    if (free_ > 0) {
      const VectorXd rest = -q_.head(free_) - M_.topRightCorner(free_, n_ - free_) * z;
      x.head(free_) = Eigen::ColPivHouseholderQR<MatrixXd>(M_.topLeftCorner(free_, free_)).solve(rest);
    }
    return x;
  }

  Index n_, free_;
  int max_nodes_;
  int nodes_ = 0;
  bool unclear_ = false;
  VectorXd r_, c_;
  double unit_ = 1.0;
  MatrixXd M_, Q_;
  VectorXd q_, lo_, hi_, x_, w_;
  Polish polish_;
  std::vector<std::string> patterns_;
  std::vector<VectorXd> separators_;
};

SolveReport run(const MatrixXd& M, const VectorXd& q, Index free, int max_nodes, const WarmStart& warm, VectorXd& x,
                VectorXd& w, Evidence& evidence) {
  TRIBO_REQUIRE(M.rows() == q.size() && M.cols() == q.size(), "enumerate: M must be square and match q");
  TRIBO_REQUIRE(warm.states.empty() || static_cast<Index>(warm.states.size()) == q.size() - free,
                "enumerate: a warm start needs one state per complementarity row");
  evidence.clear();
  x.setZero(q.size());
  w.setZero(q.size());
  if (!M.allFinite() || !q.allFinite()) {
    SolveReport report;
    report.detail = "the problem is not finite";
    return report;
  }
  Search search(M, q, free, max_nodes);
  const SolveReport report = search.run(warm);
  if (report.status == Status::kSolved) search.answer(x, w);
  if (report.status == Status::kInfeasible) search.proof(evidence);
  return report;
}

}  // namespace

SolveReport EnumerateSolver::solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution) {
  return run(lcp.M, lcp.q, 0, settings_.max_nodes, warm, solution.z, solution.w, solution.evidence);
}

SolveReport EnumerateSolver::solve(const MixedLcp& lcp, const WarmStart& warm, MixedLcpSolution& solution) {
  VectorXd x, w;
  const SolveReport report = run(lcp.M, lcp.q, lcp.free, settings_.max_nodes, warm, x, w, solution.evidence);
  solution.u = x.head(lcp.free);
  solution.z = x.tail(lcp.complementary());
  solution.w = w.tail(lcp.complementary());
  return report;
}

}  // namespace tribo
