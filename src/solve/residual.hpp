// The solvers' own measure of how good an answer is, in plain double precision: the claim "solved" rests on it.
// (certify/ measures again, with its own code and in extended precision.)
//
// Backward error: the relative change of the data for which the answer would be exact. With
//     ω_i = |q_i| + Σ_j |M_ij| |z_j|      the size of what is summed in row i
//     e_j = max_i |M_ij| / ω_i            the effect of a unit change of z_j
// w_i of the wrong sign costs |w_i|/ω_i, z_j beyond its bound by δ costs δ e_j, and where z is inside and w is not zero
// the cheaper of "w_i := 0" and "z_i := its bound" counts. Free of units, whatever the scaling of rows and columns.
// Entries of M may themselves be what rounding left of a zero (products of orthogonal rows); a row made of nothing else
// is measured on the scale its neighbours give it: ω_i ≥ 5·10⁻⁷ s_i max_j s_j |z_j|, with |M_ij| ~ s_i s_j and j over the
// indices connected with i through M. The natural residual |min(z, w)| / max(1, |q|) counts as well, as in a certificate.
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo {

// Backward error up to which an answer is called solved. Half of what the one-call interface asks of a certificate.
inline constexpr double kClaim = 5e-9;

// |M y| ≤ 10⁻¹² |M||y|, row by row: the claim behind a Farkas vector of a semidefinite M, before it is made.
bool is_null_direction(const MatrixIn& M, const VectorIn& y);

class BackwardError {
 public:
  void reserve(Index n);
  // For lo ≤ z ≤ hi (infinite bounds allowed) and w = M z + q as the caller computed it; `scale` is s.
  double operator()(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi, const VectorIn& z,
                    const VectorIn& w, const VectorIn& scale);
  // With s_i = sqrt(M_ii): for symmetric positive semidefinite M.
  double operator()(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi, const VectorIn& z,
                    const VectorIn& w);

 private:
  double largest_cost(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi, const VectorIn& z,
                      const VectorIn& w) const;
  void raise_to_floor(const MatrixIn& M, const VectorIn& z, const VectorIn& scale);

  VectorXd omega_, scale_, size_;
  IndexList root_;
};

}  // namespace tribo
