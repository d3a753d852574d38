// The last word of a pivoting method: with the index set known, the answer is one linear system. It is solved by LU and
// refined with residuals in twice the precision, so that the answer's error is that of rounding it once. Where an inverse
// of the system is at hand, refining from it saves the factorization.
#pragma once

#include "tribo/linalg/dense_lu.hpp"
#include "tribo/linalg/types.hpp"

#include "solve/accurate_product.hpp"
#include "solve/residual.hpp"

namespace tribo {

class Polish {
 public:
  void reserve(Index n);
  // M is equilibrated: its rows and columns are of size one. Solves M_{R,C} x_C = −(q + M_{:,fixed} x)_R for the columns C = `columns` of x; the other entries of x are given (at
  // their bounds). Moves entries beyond lo, hi onto them, sets w = M x + q with w = 0 where x is inside, and returns the backward
  // error; infinity when M_{R,C} is singular.
  double operator()(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi, const IndexList& rows,
                    const IndexList& columns, Index count, VectorOut x, VectorOut w);
  // The same with `inverse` ≈ M_{R,C}⁻¹ (rows by position in C, columns by position in R). Infinity when it is not good
  // enough to converge.
  double operator()(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi, const IndexList& rows,
                    const IndexList& columns, Index count, const MatrixIn& inverse, VectorOut x, VectorOut w);

  // Sets w = M x + q for a given x and returns its backward error.
  double judge(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi, const VectorIn& x,
               VectorOut w);

 private:
  template <typename Solve>
  double refine(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi, const IndexList& rows,
                const IndexList& columns, Index count, const Solve& solve, VectorOut x, VectorOut w);

  DenseLu lu_;
  AccurateProduct product_;
  BackwardError backward_error_;
  VectorXd step_, rhs_, ones_;
};

}  // namespace tribo
