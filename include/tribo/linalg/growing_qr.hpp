// Thin QR factor of a set of rows of Rᵐ that grows and shrinks by one row (spec B.2, B.4):
//     G_Aᵀ = Q R,   Q m × k with orthonormal columns, R upper triangular
//     append   c = Qᵀ x,  y = x − Q c, applied twice (CGS2);  R gains the column [c; |y|], Q the column y/|y|     (1)
//     remove   drop column p of R, then rotate rows i, i+1 of R and columns i, i+1 of Q for i = p … k−2           (2)
// Errors grow with the condition of G_A, not with its square as in the Cholesky factor of G_A G_Aᵀ: the path for
// nearly jammed sets. Append O(m k), remove O((m + k) k). Nothing is allocated after reserve().
//
// The first columns of Q may be given (start_with): rows that stay, such as those of equalities. They have no part in R:
// the solves below are to begin after them.
#pragma once

#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/types.hpp"

namespace tribo {

class GrowingQr {
 public:
  // Rows of length m, at most `capacity` of them (never more than m can be independent). Allocates only to grow.
  void reserve(Index m, Index capacity);
  Index capacity() const { return capacity_; }
  Index size() const { return k_; }
  void clear() { k_ = 0; }
  void start_with(const double* Q, Index k);  // k orthonormal columns of padded() numbers, zeros after the m-th

  // Splits x by (1) into c() and the remainder y(); returns |y|. Changes nothing else.
  double test(const VectorIn& x);
  // The same for a row written in place: input() is m zeros.
  double* input();
  double test_input();
  double test_padded(const double* x);                  // the same for a row in padded storage, see below
  double tested_squared() const { return x_squared_; }  // |x|² of the last test
  // Appends the row split by the last test(); its remainder must not be zero.
  void append();
  void remove(Index p);

  auto c() const { return Eigen::Map<const VectorXd>(c_.data(), k_); }
  auto y() const { return Eigen::Map<const VectorXd>(y_.data(), m_); }
  auto Q() const {
    return Eigen::Map<const MatrixXd, 0, Eigen::OuterStride<>>(Q_.data(), m_, k_, Eigen::OuterStride<>(padded_));
  }
  const double* columns() const { return Q_.data(); }  // of Q, padded() numbers each

  // Vectors in padded storage: m numbers followed by zeros up to padded().
  Index padded() const { return padded_; }
  void remove_span(double* y, double* c) const;                  // c ← Qᵀ y,  y ← y − Q c
  void calc_coordinates(const double* y, double* c) const;       // c ← Qᵀ y
  void add_span(const double* c, Index first, double* y) const;  // y ← y + Q c, columns from `first` on

  // With the trailing part of R from row and column `first` on; b has size() − first numbers.
  void solve_lower(Eigen::Ref<VectorXd> b, Index first = 0) const;  // b ← R⁻ᵀ b
  void solve_upper(Eigen::Ref<VectorXd> b, Index first = 0) const;  // b ← R⁻¹ b
  // Entry j of R⁻ᵀ b alone: x holds the entries before it and b_j.
  double calc_lower(const double* x, Index j, Index first = 0) const;
  double entry(Index i, Index j) const { return R_(i, j); }

 private:
  template <int Groups>
  void test_in_registers(const double* x);
  void test_in_memory(const double* x);

  padded::Vector Q_;  // columns of padded_ numbers
  MatrixXd R_;
  VectorXd R_inverse_;  // 1 / R_jj
  padded::Vector c_, step_;
  padded::Vector y_;
  double x_squared_ = 0.0, y_squared_ = 0.0, y_norm_ = 0.0;
  Index m_ = 0;
  Index padded_ = 0;
  Index capacity_ = 0;
  Index k_ = 0;
};

}  // namespace tribo
