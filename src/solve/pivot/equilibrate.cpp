#include "solve/pivot/equilibrate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tribo {

double power_of_two_near(double x) {
  // The number without its mantissa. Beyond 10³⁰⁰ nothing is gained by scaling, and numbers that have lost bits for being
  // too small cannot be divided by one another.
  if (!(x > 0.0 && x < 1e300)) return 1.0;
  if (x < 1e-300) return 0x1p-1000;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7ff0000000000000ULL);
}

void equilibrate(const MatrixXd& M, VectorXd& r, VectorXd& c, VectorXd& scratch) {
  const Index n = M.rows();
  r.head(n).setOnes();
  c.head(n).setOnes();
  constexpr int kPasses = 4;
  constexpr double kEven = 16.0;  // rows and columns whose largest entries differ by less are left alone
  for (int pass = 0; pass < kPasses; ++pass) {
    auto largest_in_row = scratch.head(n);
    largest_in_row.setZero();
    double least = 0.0, most = 0.0;
    const auto note = [&](double largest) {
      if (largest == 0.0) return;
      least = most == 0.0 ? largest : std::min(least, largest);
      most = std::max(most, largest);
    };
    for (Index j = 0; j < n; ++j) {
      const double largest = (M.col(j).cwiseAbs().array() * r.head(n).array()).maxCoeff() * c(j);
      note(largest);
      if (pass > 0 && largest > 0.0) c(j) /= std::sqrt(largest);
      largest_in_row = largest_in_row.cwiseMax(c(j) * M.col(j).cwiseAbs());
    }
    if (pass == 0) {  // a look first: most problems come well scaled
      for (Index i = 0; i < n; ++i) note(largest_in_row(i));
      if (most <= kEven * least) {
        r.head(n).setConstant(1.0 / power_of_two_near(most));
        return;
      }
      continue;
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
