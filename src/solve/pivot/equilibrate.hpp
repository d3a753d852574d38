// Powers of two r, c that bring the largest entry of every row and column of diag(r) M diag(c) near one (Ruiz). Exact:
// scaling by powers of two rounds nothing.
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo {

// r, c and scratch have at least the length of M and are written.
void equilibrate(const MatrixXd& M, VectorXd& r, VectorXd& c, VectorXd& scratch);
double power_of_two_near(double x);  // 1 for 0

}  // namespace tribo
