// y against the problem  w = M z + q, lo ≤ z ≤ hi  (Lcp: [0, ∞), a free unknown: (−∞, ∞)).
//
// An answer z satisfies (M z + q)·(x − z) ≥ 0 for every x in the box. If y never leaves the box (a direction
// of recession), x = z + y gives  y·(M z + q) ≥ 0.  So there is no answer when
//     y_i ≥ 0 where hi = ∞, lo finite;   y_i ≤ 0 where lo = −∞, hi finite;   y_i = 0 where both are finite   (1)
//     sup over the box of (Mᵀy)·z, plus q·y, is negative                                                     (2)
// (2) needs (Mᵀy)_j ≤ 0 where hi_j = ∞ and ≥ 0 where lo_j = −∞; finite bounds add (Mᵀy)_j lo_j or (Mᵀy)_j
// hi_j. For an Lcp this is y ≥ 0, Mᵀy ≤ 0, q·y < 0; for equality rows y is free and Mᵀy = 0 on free columns;
// for symmetric positive semidefinite M and an unbounded box it is the direction M y = 0, q·y < 0 along which
// ½zᵀMz + qᵀz falls for ever. M may be any matrix.
#pragma once

#include "certify/proof.hpp"

namespace tribo {

Certificate check_farkas(const MatrixXd& M, const VectorXd& q, const VectorXd& lo, const VectorXd& hi, VectorXd y);

}  // namespace tribo
