#include "printed_reduced.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace tribo {
namespace {

// The LCP (6): z = (θ, φ, λ), w = (ν, σ, γ), φ contact by contact.
struct DenseContact {
  Index n, d;
  MatrixXd A;
  VectorXd q;

  Index sigma(Index i) const { return n + i * d; }
  Index gamma(Index i) const { return n + n * d + i; }
};

DenseContact make_dense(const ContactProblem& problem, Index d) {
  const Index n = problem.size();
  const Eigen::LLT<MatrixXd> factor(problem.mass.to_dense());
  const auto whiten = [&](const BlockRows& rows) -> MatrixXd {
    return factor.matrixL().solve(rows.to_dense().transpose()).transpose();
  };
  const MatrixXd S = whiten(problem.S), T = whiten(problem.T);
  MatrixXd rows(n + n * d, problem.dof());
  rows.topRows(n) = whiten(problem.N);
  for (Index k = 0; k < n * d; ++k) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k % d) / static_cast<double>(d);
    rows.row(n + k) = std::cos(angle) * S.row(k / d) + std::sin(angle) * T.row(k / d);
  }
  const VectorXd free = factor.matrixU() * (problem.v + factor.solve(problem.h * problem.f));
  DenseContact dense{n, d, MatrixXd::Zero(n * (d + 2), n * (d + 2)), VectorXd::Zero(n * (d + 2))};
  dense.A.topLeftCorner(n + n * d, n + n * d) = rows * rows.transpose();
  dense.q.head(n + n * d) = rows * free;
  dense.q.head(n) += problem.b_N;
  for (Index i = 0; i < n; ++i) {
    dense.A.block(dense.sigma(i), dense.gamma(i), d, 1).setOnes();
    dense.A.block(dense.gamma(i), dense.sigma(i), 1, d).setConstant(-1.0);
    dense.A(dense.gamma(i), i) = problem.contacts[i].mu;
  }
  return dense;
}

// Lemke's method on the rows that are present. z₀ is the variable after the last z.
class GrowingLemke {
 public:
  GrowingLemke(const DenseContact& dense, const CoverExit& exit)
      : dense_(dense),
        exit_(exit),
        size_(dense.q.size()),
        cover_(VectorXd::Ones(size_)),
        present_(size_, false),
        w_basic_(size_, true) {
    std::fill_n(present_.begin(), dense.n, true);
  }

  SolveReport run() {
    SolveReport report;
    Index leaving = 0;
    const double least = dense_.q.head(dense_.n).minCoeff(&leaving);
    report.status = Status::kSolved;
    if (least >= 0.0) return report;
    start_ = -least;
    pivot({.z = true, .index = size_}, {.z = false, .index = leaving});
    report.pivots = 1;
    Variable driving{.z = true, .index = leaving};
    const int limit = static_cast<int>(10 * size_);
    while (report.pivots < limit) {
      if (driving.z && driving.index < dense_.n && !insert_block(driving.index)) return end(report, Status::kBreakdown);
      Column now, along;
      if (!solve(dense_.q, now) || !solve(column_of(driving), along)) return end(report, Status::kBreakdown);
      const Variable blocking = ratio_test(now, along);
      if (blocking.index < 0) return end(report, Status::kRay);
      pivot(driving, blocking);
      ++report.pivots;
      if (blocking.z && blocking.index == size_) {
        return end(report, solve(dense_.q, answer_) ? Status::kSolved : Status::kBreakdown);
      }
      driving = {.z = !blocking.z, .index = blocking.index};
    }
    return end(report, Status::kIterationLimit);
  }

  VectorXd z() const {
    VectorXd all = VectorXd::Zero(size_);
    for (std::size_t k = 0; k < basic_z_.size(); ++k) all(basic_z_[k]) = answer_.z(static_cast<Index>(k));
    return all;
  }

 private:
  struct Variable {
    bool z = true;  // otherwise w
    Index index = -1;
  };
  struct Column {
    VectorXd z;  // of the basic z, in the order of basic_z_
    VectorXd w;  // over all rows; only those that are present and basic mean something
  };

  static SolveReport end(SolveReport report, Status status) {
    report.status = status;
    report.iterations = report.pivots;
    return report;
  }

  VectorXd column_of(const Variable& driving) const {
    if (driving.z) return dense_.A.col(driving.index);
    return -VectorXd::Unit(size_, driving.index);
  }

  // The values of all basic variables that belong to the right-hand side g; false: the basis is singular.
  bool solve(const VectorXd& g, Column& column) const {
    const auto k = static_cast<Index>(basic_z_.size());
    TRIBO_REQUIRE(k == static_cast<Index>(rows_.size()), "as many basic z as rows that vanish");
    MatrixXd columns(size_, k);
    for (Index j = 0; j < k; ++j) {
      const Index z = basic_z_[j];
      if (z == size_) {
        columns.col(j) = cover_;
      } else {
        columns.col(j) = dense_.A.col(z);
      }
    }
    MatrixXd core(k, k);
    VectorXd right(k);
    for (Index i = 0; i < k; ++i) {
      core.row(i) = columns.row(rows_[i]);
      right(i) = -g(rows_[i]);
    }
    const Eigen::PartialPivLU<MatrixXd> factor(core);
    const VectorXd pivots = factor.matrixLU().diagonal().cwiseAbs();
    if (k > 0 && !(pivots.minCoeff() > 1e-12 * pivots.maxCoeff())) return false;
    column.z = factor.solve(right);
    column.w = g + columns * column.z;
    return true;
  }

  // Before the ratio test: the block's rows at the current point, where z₀ > 0 and θ_i = 0, with c such that they are
  // ≥ 0.
  bool insert_block(Index i) {
    if (present_[dense_.gamma(i)]) return true;
    Column now;
    if (!solve(dense_.q, now)) return false;
    const double z0 = now.z(position_of_z0());
    const double least = now.w.segment(dense_.sigma(i), dense_.d).minCoeff();
    const double raise = least < 0.0 ? -2.0 * least / z0 : 0.0;
    for (Index k = 0; k < dense_.d; ++k) present_[dense_.sigma(i) + k] = true;
    present_[dense_.gamma(i)] = true;
    cover_.segment(dense_.sigma(i), dense_.d).array() += raise;
    cover_(dense_.gamma(i)) += raise;
    return true;
  }

  // The basic variable that reaches zero first, of several the one that falls fastest; or z₀ by exit_.
  Variable ratio_test(const Column& now, const Column& along) const {
    double scale = along.z.size() > 0 ? along.z.cwiseAbs().maxCoeff() : 0.0;
    for (Index i = 0; i < size_; ++i) {
      if (is_basic(i)) scale = std::max(scale, std::abs(along.w(i)));
    }
    Variable blocking;
    double least = 0.0, fall = 0.0;
    const auto consider = [&](const Variable& candidate, double value, double speed) {
      if (speed >= -1e-11 * scale) return;
      const double ratio = std::max(value, 0.0) / -speed, window = 1e-12 * std::max(least, ratio);
      const bool tied = blocking.index >= 0 && std::abs(ratio - least) <= window;
      if (blocking.index < 0 || ratio < least - window || (tied && -speed > fall)) {
        blocking = candidate;
        least = ratio;
        fall = -speed;
      }
    };
    for (std::size_t k = 0; k < basic_z_.size(); ++k) {
      consider({.z = true, .index = basic_z_[k]}, now.z(static_cast<Index>(k)), along.z(static_cast<Index>(k)));
    }
    for (Index i = 0; i < size_; ++i) {
      if (is_basic(i)) consider({.z = false, .index = i}, now.w(i), along.w(i));
    }
    if (blocking.index < 0) return blocking;
    const Index at = position_of_z0();
    const double left = now.z(at) + least * along.z(at);
    const double rest = std::max(exit_.of_step * now.z(at), exit_.of_start * start_);
    return left <= rest ? Variable{.z = true, .index = size_} : blocking;
  }

  Index position_of_z0() const { return std::find(basic_z_.begin(), basic_z_.end(), size_) - basic_z_.begin(); }

  bool is_basic(Index row) const { return present_[row] && w_basic_[row]; }

  void pivot(const Variable& entering, const Variable& leaving) {
    if (entering.z) {
      basic_z_.push_back(entering.index);
    } else {
      std::erase(rows_, entering.index);
      w_basic_[entering.index] = true;
    }
    if (leaving.z) {
      std::erase(basic_z_, leaving.index);
    } else {
      rows_.push_back(leaving.index);
      w_basic_[leaving.index] = false;
    }
  }

  const DenseContact& dense_;
  CoverExit exit_;
  Index size_;
  VectorXd cover_;
  std::vector<bool> present_, w_basic_;
  std::vector<Index> basic_z_, rows_;  // rows_: present, w not basic
  double start_ = 0.0;                 // z₀ at the beginning
  Column answer_;
};

}  // namespace

SolveReport solve_printed_reduced(const ContactProblem& problem, int sides, const CoverExit& exit,
                                  ContactSolution& solution) {
  const Index n = problem.size(), d = sides;
  const DenseContact dense = make_dense(problem, d);
  GrowingLemke lemke(dense, exit);
  const SolveReport report = lemke.run();
  if (!is_solved(report.status)) return report;
  const VectorXd z = lemke.z();
  solution = {};
  solution.f_n = z.head(n);
  solution.f_s = solution.f_t = VectorXd::Zero(n);
  solution.f_j = VectorXd(0);
  for (Index k = 0; k < n * d; ++k) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k % d) / static_cast<double>(d);
    solution.f_s(k / d) += std::cos(angle) * z(n + k);
    solution.f_t(k / d) += std::sin(angle) * z(n + k);
  }
  const VectorXd impulse = problem.h * problem.f + problem.N.to_dense().transpose() * solution.f_n +
                           problem.S.to_dense().transpose() * solution.f_s +
                           problem.T.to_dense().transpose() * solution.f_t;
  solution.v_next = problem.v + Eigen::LLT<MatrixXd>(problem.mass.to_dense()).solve(impulse);
  return report;
}

}  // namespace tribo
