// Lcp, MixedLcp and BoxLcp have one shape here: w = M z + q with lo ≤ z ≤ hi, lo = −∞ and hi = ∞ for a free unknown.
//
//     ω_i = |q_i| + Σ_j |M_ij||z_j|          what row i is made of                                             (1)
//     e_j(δ) = max_i |M_ij| |δ| / ω_i        how much changing z_j by δ shows, in the row where it shows most  (2)
// An index is consistent in one of three states; its cost is that of the cheapest:
//     lower   z = lo, w ≥ 0      max(e(z − lo), w⁻/ω)                                                          (3)
//     upper   z = hi, w ≤ 0      max(e(hi − z), w⁺/ω)
//     inside  w = 0              max(|w|/ω, e(distance of z from [lo, hi]))
// The largest cost is, up to the factor n of adding the effects of several columns, the relative change of the entries
// of M and q after which the answer is exact. Scaling rows or columns of the problem changes it
// only through (4), where the balance is approximate.
//
// Two exceptions. Entries of M are often themselves what rounding left of a zero (products of orthogonal rows), and a
// row made of nothing else would be judged by its noise. So ω_i is not taken below 5·10⁻⁷ of what the row would be made
// of if its entries had the size of their row and column:  r_i ω_i ≥ 5·10⁻⁷ max_j |z_j|/c_j,  over the indices j that are
// connected with i through M, with r, c such that the largest entry of every row and column of diag(r) M diag(c) is about
// one. What a distant part of the problem does is no excuse                                                    (4)
// And a column of zeros makes (2) vanish for any δ: a z there is compared with max(1, |q|∞), the scale of the natural
// residual; only there does the measure depend on units.
#pragma once

#include "tribo/linalg/types.hpp"

#include "certify/measure.hpp"

namespace tribo {

struct BoxKernel {
  const MatrixXd& M;
  const VectorXd& q;
  VectorXd lo, hi;
  VectorXd z;
  VectorXd w;                  // recomputed
  VectorXd omega;              // (1), (4)
  VectorXd effect;             // e_j(1) of (2)
  double natural_scale = 1.0;  // max(1, |q|∞)

  BoxKernel(const MatrixXd& matrix, const VectorXd& offset, VectorXd lower, VectorXd upper, VectorXd unknowns);

  double cost(Index i) const;  // (3)
  Residual backward() const;
  // |z − clip(z − w, lo, hi)| over the indices [first, size), compared with max(1, |q|∞).
  Residual natural(Index first = 0) const;
  // Reported against recomputed w, row by row over (1); reported holds the rows [first, size).
  Residual consistency(const VectorIn& reported, Index first = 0) const;
};

// Rows and columns that belong together.
bool fits(const MatrixXd& M, const VectorXd& q);

}  // namespace tribo
