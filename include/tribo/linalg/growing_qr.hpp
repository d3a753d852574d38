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

#include "tribo/linalg/types.hpp"

namespace tribo {

class GrowingQr {
 public:
  // Rows of length m, at most `capacity` of them (never more than m can be independent). Allocates only to grow.
  void reserve(Index m, Index capacity);
  Index capacity() const { return capacity_; }
  Index size() const { return k_; }
  void clear() { k_ = 0; }
  void start_with(const MatrixIn& Q);  // m × k, orthonormal columns

  // Splits x by (1) into c() and the remainder y(); returns |y|. Changes nothing else.
  double test(const VectorIn& x);
  // The same for a row written in place: input() is m zeros.
  double* input();
  double test_input();
  // Appends the row split by the last test(); its remainder must not be zero.
  void append();
  void remove(Index p);

  auto c() const { return c_.head(k_); }
  auto y() const { return y_.head(m_); }
  auto Q() const { return Q_.topLeftCorner(m_, k_); }

  // Vectors in padded storage: m numbers followed by zeros up to padded().
  Index padded() const { return padded_; }
  void remove_span(double* y, double* c) const;                  // c ← Qᵀ y,  y ← y − Q c
  void calc_coordinates(const double* y, double* c) const;       // c ← Qᵀ y
  void add_span(const double* c, Index first, double* y) const;  // y ← y + Q c, columns from `first` on

  // With the trailing part of R from row and column `first` on; b has size() − first numbers.
  void solve_lower(Eigen::Ref<VectorXd> b, Index first = 0) const;  // b ← R⁻ᵀ b
  void solve_upper(Eigen::Ref<VectorXd> b, Index first = 0) const;  // b ← R⁻¹ b
  double entry(Index i, Index j) const { return R_(i, j); }

 private:
  double test_short();

  MatrixXd Q_;  // rows padded with zeros
  MatrixXd R_;
  VectorXd c_, step_, y_;
  double y_norm_ = 0.0;
  Index m_ = 0;
  Index padded_ = 0;
  Index capacity_ = 0;
  Index k_ = 0;
};

}  // namespace tribo
