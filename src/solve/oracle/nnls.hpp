// min |B x − b|  subject to  x ≥ 0  (Lawson and Hanson's active set method). The residual s = b − B x of the minimum
// satisfies  Bᵀ s ≤ 0,  s·b = |s|²: it separates b from the cone of B's columns when it is not zero.
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo {

struct NnlsResult {
  VectorXd x;
  VectorXd s;
  bool converged = false;
};

// Columns of B and b should be of size one.
NnlsResult solve_nnls(const MatrixXd& B, const VectorXd& b);

}  // namespace tribo
