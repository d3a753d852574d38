// Cholesky factor of a Gram matrix that grows and shrinks by one row (spec B.4):
//     F_AA = L Lᵀ,   A = the rows accepted so far, k = |A|
//     append   L y = F_Ai,  d² = F_ii − |y|²,  new row [y, d];          d² is the Schur complement: the rank test   (1)
//     remove   drop row p, then one rotation of columns i, i+1 for i = p … k−2 restores the triangle                (2)
// Both cost O(k²). Nothing is allocated after reserve().
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo {

class GrowingCholesky {
 public:
  void reserve(Index capacity);
  Index capacity() const { return L_.rows(); }
  Index size() const { return k_; }
  void clear() { k_ = 0; }

  // Solves L y = column (length size(), in place: column becomes y) and returns d² of (1). Changes nothing else.
  double test(Eigen::Ref<VectorXd> column, double diagonal) const;
  // Appends the row found by test(): y and d² > 0.
  void append(const VectorIn& y, double d_squared);
  // Drops row p of A; the order of the others is kept.
  void remove(Index p);

  void solve_lower(Eigen::Ref<VectorXd> b) const;  // b ← L⁻¹ b
  void solve_upper(Eigen::Ref<VectorXd> b) const;  // b ← L⁻ᵀ b
  void solve(Eigen::Ref<VectorXd> b) const;        // b ← F_AA⁻¹ b

  double entry(Index i, Index j) const { return L_(i, j); }

 private:
  MatrixXd L_;  // lower triangle in the leading k × k corner
  Index k_ = 0;
};

}  // namespace tribo
