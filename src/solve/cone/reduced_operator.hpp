// W = Ĥ Ĥᵀ + diag(R) of one island of few degrees of freedom, dense, with its bilateral rows obeyed from the
// outset.
//
// Motions v = Ĥᵀ r (coordinates in which the mass is I) that obey the bilateral rows Ĥ_b v + q_b = 0 are
//     v = v_b + Z y,    Z an orthonormal basis of the null space of Ĥ_b, v_b the shortest such v                   (1)
// In y the mass is I again, so the other blocks see a problem of the same kind without bilateral rows,
//     Ĥ' = Ĥ Z,    q' = q + Ĥ v_b,                                                                               (2)
// and the bilateral impulses follow: Ĥ_bᵀ r_b = v − Ĥᵀ r. Closed loops are stiff and redundant, and nearly so
// where parts that should lie in a plane do not quite: a weight α would have to be far below their smallest singular
// value. Here none is needed. Rows that move nothing (fillers of blocks) take no part.
//
// Newton's system: body_operator.hpp (1), (2), dense. Cost O(rows m² + m³), m the columns of Z.
#pragma once

#include "tribo/problem/cone_problem.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "solve/cone/block_lu.hpp"
#include "solve/cone/cone_law.hpp"
#include <Eigen/LU>
#include <Eigen/QR>

namespace tribo::cone {

template <int D>
class ReducedOperator {
 public:
  static constexpr double kLeastAlpha = 1e-9;

  // `rows`: Ĥ of the blocks, D rows each, scaled, and R likewise; `bilateral_rows`, q_b: those of the bilateral
  // blocks. `redundant`: pivot of the scaled bilateral rows, over the largest, below which a row is left out. Left in,
  // it asks for impulses of the inverse of that, and their rounding; left out, a motion violates it by no more than
  // that. False: the bilateral rows contradict one another by more than `allowed`, in the unit of q_b.
  bool assign(const MatrixXd& rows, const VectorXd& R, const MatrixXd& bilateral_rows, const VectorXd& q_b,
              double redundant, double allowed);

  Index contacts() const { return blocks_; }
  Index freedom() const { return H_.cols(); }
  // Ĥ v_b, by rows of all blocks: what (2) adds to q.
  const VectorXd& offset() const { return offset_; }
  // r_b for r of the other blocks, in lanes.
  void calc_bilateral(const double* r, VectorXd& r_b);

  void multiply(const double* r, double* out) const;  // (Ĥ' Ĥ'ᵀ + R) r
  bool newton(const Linear<D>* linear, double alpha, double* dr);

 private:
  static constexpr int L = kLanes<D>;
  static constexpr double kRefined = 1e-5;  // α below which one step of refinement pays
  static constexpr double kRedundant =
      1e-10;  // singular value of scaled rows, relative, below which a row is redundant

  void eliminate(const MatrixXd& bilateral_rows, const VectorXd& q_b, double redundant);
  void push(const double* r, VectorXd& v) const;  // v = Ĥ'ᵀ r

  Index blocks_ = 0, rank_ = 0;
  std::vector<std::int32_t> place_;  // of each lane's row in H_, −1: it moves nothing
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> H_, active_, weighed_;
  MatrixXd full_, bilateral_, Z_, matrix_;
  LaneVector R_, T_B_inverse_;
  VectorXd offset_, v_b_, motion_, right_, dv_, correction_;
  mutable VectorXd product_, gathered_;
  Eigen::ColPivHouseholderQR<MatrixXd> qr_;
  Eigen::PartialPivLU<MatrixXd> lu_;
};

template <int D>
void ReducedOperator<D>::eliminate(const MatrixXd& bilateral_rows, const VectorXd& q_b, double redundant) {
  const Index m = bilateral_rows.cols();
  qr_.setThreshold(redundant);
  qr_.compute(bilateral_rows.transpose());
  rank_ = qr_.rank();
  Z_.setIdentity(m, m);
  Z_.applyOnTheLeft(qr_.householderQ());
  // Ĥ_b P = (Q R)ᵀ: the first rank_ of the rows decide, R₁ᵀ (Q₁ᵀ v) = −q_b.
  v_b_ = (qr_.colsPermutation().transpose() * (-q_b)).head(rank_);
  qr_.matrixR().topLeftCorner(rank_, rank_).template triangularView<Eigen::Upper>().transpose().solveInPlace(v_b_);
  v_b_ = (Z_.leftCols(rank_) * v_b_).eval();
}

template <int D>
bool ReducedOperator<D>::assign(const MatrixXd& rows, const VectorXd& R, const MatrixXd& bilateral_rows,
                                const VectorXd& q_b, double redundant, double allowed) {
  const Index m = rows.cols();
  blocks_ = rows.rows() / D;
  full_ = rows;
  bilateral_ = bilateral_rows;
  rank_ = 0;
  v_b_.setZero(m);
  if (bilateral_rows.rows() > 0) {
    eliminate(bilateral_rows, q_b, redundant);
    if (!((bilateral_rows * v_b_ + q_b).template lpNorm<Eigen::Infinity>() <= allowed)) return false;
  }
  offset_.noalias() = rows * v_b_;
  place_.assign(static_cast<std::size_t>(blocks_ * L), -1);
  R_.assign(static_cast<std::size_t>(blocks_ * L), 0.0);
  Index used = 0;
  for (Index row = 0; row < rows.rows(); ++row) {
    const auto lane = static_cast<std::size_t>(row / D * L + row % D);
    R_[lane] = R(row);
    if (!rows.row(row).isZero(0.0)) place_[lane] = static_cast<std::int32_t>(used++);
  }
  H_.resize(used, m - rank_);
  for (Index row = 0; row < rows.rows(); ++row) {
    const std::int32_t to = place_[static_cast<std::size_t>(row / D * L + row % D)];
    if (to < 0) continue;
    if (rank_ > 0) {
      H_.row(to).noalias() = rows.row(row) * Z_.rightCols(m - rank_);
    } else {
      H_.row(to) = rows.row(row);
    }
  }
  active_.resize(used, H_.cols());
  weighed_.resize(used, H_.cols());
  T_B_inverse_.assign(static_cast<std::size_t>(blocks_) * kBlock<D>, 0.0);
  gathered_.resize(used);
  return true;
}

template <int D>
void ReducedOperator<D>::push(const double* r, VectorXd& v) const {
  for (std::size_t lane = 0; lane < place_.size(); ++lane) {
    if (place_[lane] >= 0) gathered_(place_[lane]) = r[lane];
  }
  v.noalias() = H_.transpose() * gathered_;
}

template <int D>
void ReducedOperator<D>::calc_bilateral(const double* r, VectorXd& r_b) {
  r_b.setZero(bilateral_.rows());
  if (rank_ == 0) return;
  // v − Ĥᵀ r = v_b − (I − Z Zᵀ) Ĥᵀ r, of which only the part along Q₁ is not zero. Nearly redundant
  // rows have huge impulses, so what rounding leaves is solved for again.
  for (int pass = 0; pass < 2; ++pass) {
    motion_.noalias() = v_b_ - bilateral_.transpose() * r_b;
    for (Index i = 0; i < blocks_; ++i) {
      for (int k = 0; k < D; ++k) {
        if (r[i * L + k] != 0.0) motion_.noalias() -= full_.row(i * D + k).transpose() * r[i * L + k];
      }
    }
    right_.noalias() = Z_.leftCols(rank_).transpose() * motion_;
    qr_.matrixR().topLeftCorner(rank_, rank_).template triangularView<Eigen::Upper>().solveInPlace(right_);
    motion_.setZero(bilateral_.rows());
    motion_.head(rank_) = right_;
    motion_ = (qr_.colsPermutation() * motion_).eval();
    r_b += motion_;
  }
}

template <int D>
void ReducedOperator<D>::multiply(const double* r, double* out) const {
  push(r, product_);
  gathered_.noalias() = H_ * product_;
  for (std::size_t lane = 0; lane < place_.size(); ++lane) {
    out[lane] = R_[lane] * r[lane] + (place_[lane] >= 0 ? gathered_(place_[lane]) : 0.0);
  }
}

template <int D>
bool ReducedOperator<D>::newton(const Linear<D>* linear, double alpha, double* dr) {
  const Index m = freedom();
  Index count = 0;  // rows of contacts that are not open
  for (Index i = 0; i < blocks_; ++i) {
    const Linear<D>& at = linear[i];
    if (at.kind == Kind::kOpen) continue;
    double B[kBlock<D>] = {}, inverse[kBlock<D>], K[kBlock<D>];
    const Lanes<D> eased = load<D>(R_.data() + i * L) + alpha;
    for (int b = 0; b < at.unknowns; ++b) {
      double turned[L];
      store<D>(turned, load<D>(at.T + b * L) * eased);
      store<D>(B + b * L, times<D>(at.E, turned));
    }
    for (int b = at.first_extra; b < at.unknowns; ++b) B[b * L + b] += at.extra;
    for (int b = at.unknowns; b < D; ++b) B[b * L + b] = 1.0;
    if (!invert<D>(B, inverse)) return false;
    double* out = T_B_inverse_.data() + i * kBlock<D>;  // T B⁻¹
    for (int c = 0; c < D; ++c) store<D>(out + c * L, times<D>(at.T, inverse + c * L));
    for (int c = 0; c < D; ++c) store<D>(K + c * L, times<D>(out, at.E + c * L));
    for (int a = 0; a < D; ++a) {
      const std::int32_t row = place_[static_cast<std::size_t>(i * L + a)];
      if (row < 0) continue;
      active_.row(count) = H_.row(row);
      auto to = weighed_.row(count++);
      to.setZero();
      for (int b = 0; b < D; ++b) {
        const std::int32_t other = place_[static_cast<std::size_t>(i * L + b)];
        if (other >= 0 && K[b * L + a] != 0.0) to += K[b * L + a] * H_.row(other);
      }
    }
  }
  const auto answer = [&](Index i, const Lanes<D> velocity) {
    const Linear<D>& at = linear[i];
    Lanes<D> step = load<D>(at.c);
    if (at.kind != Kind::kOpen) {
      double along[L], right[L];
      store<D>(along, velocity + load<D>(at.c) * (load<D>(R_.data() + i * L) + alpha));
      store<D>(right, -(load<D>(at.value) + times<D>(at.E, along)));
      step += times<D>(T_B_inverse_.data() + i * kBlock<D>, right);
    }
    store<D>(dr + i * L, step);
  };
  const auto answer_all = [&] {
    gathered_.noalias() = H_ * dv_;
    for (Index i = 0; i < blocks_; ++i) {
      double velocity[L] = {};
      for (int k = 0; k < D; ++k) {
        const std::int32_t row = place_[static_cast<std::size_t>(i * L + k)];
        if (row >= 0) velocity[k] = gathered_(row);
      }
      answer(i, load<D>(velocity));
    }
  };
  matrix_.setIdentity(m, m);
  matrix_.noalias() += active_.topRows(count).transpose() * weighed_.topRows(count);
  lu_.compute(matrix_);
  for (Index i = 0; i < blocks_; ++i) answer(i, Lanes<D>{});
  push(dr, right_);
  dv_ = lu_.solve(right_);
  if (!dv_.allFinite()) return false;
  answer_all();
  if (alpha >= kRefined) return true;
  push(dr, right_);  // what dv should be
  right_ -= dv_;
  dv_ += lu_.solve(right_);
  answer_all();
  return true;
}

}  // namespace tribo::cone
