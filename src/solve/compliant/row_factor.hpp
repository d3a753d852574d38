// Compliant rows on a body whose mass is I, for any number of rows m and any stiffness, solved for the forces:
//     u = Bᵀ y,   y = −(B u + b)        B = √(1/ρ) (rows), b = √(1/ρ) (rates), impulses α = √(1/ρ) y               (1)
// which is the ridge regression min |B u + b|² + |u|², y its residual (spec A3, A4). With B = Q [R; 0] by Householder's
// reflections and Qᵀ b = [z₁; z₂]:
//     (I + R Rᵀ) p = −z₁,    y = Q [p; −z₂],    u = Rᵀ p                                                          (2)
// so that m rows become at most n, and nothing is subtracted that nearly cancels: y = −(B u + b) would lose all digits of a
// stiff row. Rows are sorted by size and columns pivoted: errors are then small row by row (Cox and Higham), the rows of R
// fall in size, and Cholesky's method on I + R Rᵀ does not mind their scale. Redundant rows leave rows of R at the level of
// rounding, which the I makes harmless.
//
// Where the forces act along other rows than those measured, u = Fᵀ y (friction of a sliding contact), with Qᵀ F = [N₁; N₂]:
//     (I + R N₁ᵀ) p = −z₁ + R N₂ᵀ z₂,    u = N₁ᵀ p − N₂ᵀ z₂                                                      (3)
//
// Many rows on few columns are first tried by the normal equations and corrections from the residuals of both equations of (1),
// which costs a third; where corrections do not shrink to rounding, (2).
//
// Least squares W p = d, W = B Bᵀ, |p| least: p = Q₁ (R Rᵀ)⁻¹ Q₁ᵀ d, d − W p = Q₂ Q₂ᵀ d, rank by the size of R_kk.  (4)
//
// Cost      2 m n² (twice that for (3)), n³/3 beside. Nothing is allocated when m and n do not grow.
#pragma once

#include "tribo/linalg/dense_lu.hpp"
#include "tribo/linalg/types.hpp"

#include <vector>

namespace tribo::compliant {

class RowFactor {
 public:
  // Then write B, b and, where `two_sided`, F.
  void resize(Index rows, Index cols, bool two_sided);
  Index rows() const { return m_; }
  double* column(Index j) { return B_.data() + j * m_; }
  double* force_column(Index j) { return F_.data() + j * m_; }
  double* rate() { return b_.data(); }

  // (2) or (3): m numbers y, n numbers u. False when a number is not finite or the system (3) is singular.
  [[nodiscard]] bool solve(double* y, double* u);
  // After solve(), with other numbers in rate() and the rows as they were: what corrections from residuals need.
  [[nodiscard]] bool solve_again(double* y, double* u);
  // (4), from B and d = rate(): p and what is left of d, m numbers each.
  [[nodiscard]] bool solve_least_norm(double* p, double* left);

 private:
  void sort_rows();
  void permute(double* x);
  void factor();  // B → R above the diagonal and the reflections below it; Qᵀ b, Qᵀ F
  void reflect(Index k, double* x) const;
  void apply_q(double* x) const;            // x ← Q x
  bool solve_normal(double* y, double* u);  // row_normal.cpp
  bool solve_normal_again(double* y, double* u);
  bool factor_symmetric(double shift);
  void solve_symmetric();
  bool factor_two_sided();
  void solve_two_sided(double* u);
  bool finish(double* y, double* u);
  double upper(Index k, Index j) const { return B_[static_cast<std::size_t>(j * m_ + k)]; }
  Index original(Index sorted) const { return order_[static_cast<std::size_t>(sorted)]; }

  Index m_ = 0, n_ = 0, rank_ = 0;
  bool two_sided_ = false, sorted_ = true, by_normal_ = false;
  std::vector<double> B_, F_, b_;  // columns of m numbers
  std::vector<double> scale_;      // of each reflection: 2/|w|²
  std::vector<double> diagonal_;   // R_kk; the place on the diagonal holds w_k
  std::vector<double> norms_, fresh_norms_;
  std::vector<double> T_, p_, size_, scratch_;
  std::vector<double> row_scale_;  // of the system (3)
  std::vector<Index> order_, columns_;
  DenseLu lu_;
};

}  // namespace tribo::compliant
