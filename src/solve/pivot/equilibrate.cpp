#include "solve/pivot/equilibrate.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

double power_of_two_near(double x) {
  if (!(x > 0.0)) return 1.0;
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent - 1);
}

void equilibrate(const MatrixXd& M, VectorXd& r, VectorXd& c, VectorXd& scratch) {
  const Index n = M.rows();
  r.head(n).setOnes();
  c.head(n).setOnes();
  constexpr int kPasses = 3;
  for (int pass = 0; pass < kPasses; ++pass) {
    auto largest_in_row = scratch.head(n);
    largest_in_row.setZero();
    for (Index j = 0; j < n; ++j) {
      const double largest = (M.col(j).cwiseAbs().array() * r.head(n).array()).maxCoeff() * c(j);
      if (largest > 0.0) c(j) /= std::sqrt(largest);
      largest_in_row = largest_in_row.cwiseMax(c(j) * M.col(j).cwiseAbs());
    }
    for (Index i = 0; i < n; ++i) {
      const double largest = largest_in_row(i) * r(i);
      if (largest > 0.0) r(i) /= std::sqrt(largest);
    }
  }
  for (Index i = 0; i < n; ++i) {
    r(i) = power_of_two_near(r(i));
    c(i) = power_of_two_near(c(i));
  }
}

}  // namespace tribo
