#include "certify/farkas.hpp"

#include "tribo/linalg/accurate.hpp"

namespace tribo {

Certificate check_farkas(const MatrixXd& M, const VectorXd& q, const VectorXd& lo, const VectorXd& hi, VectorXd y) {
  const Index n = q.size();
  if (y.size() != n) return refused("size");
  if (!y.allFinite()) return refused("finite");

  Worst sign;  // (1)
  const double largest_y = largest(y);
  for (Index i = 0; i < n; ++i) {
    const bool up = hi(i) == kInfinity, down = lo(i) == -kInfinity;
    const bool wrong = (y(i) > 0.0 && !up) || (y(i) < 0.0 && !down);
    if (!wrong) continue;
    sign.consider(y(i), kRoundingOfSign * largest_y);
    y(i) = 0.0;
  }

  Worst columns;  // (2), columns with an infinite bound
  AccurateSum support;
  double terms = 0.0;
  for (Index j = 0; j < n; ++j) {
    const double g = accurate_dot(M.col(j), y);
    const double magnitude = M.col(j).cwiseAbs().dot(y.cwiseAbs());
    const double bound = g > 0.0 ? hi(j) : lo(j);
    if (std::isinf(bound)) {
      columns.consider(g, magnitude);
    } else {
      support.add_product(g, bound);
      terms += magnitude * std::abs(bound);
    }
  }
  for (Index i = 0; i < n; ++i) {
    support.add_product(q(i), y(i));
    terms += std::abs(q(i) * y(i));
  }

  Certificate checks;
  checks.add(sign.residual("sign", "1"));
  const double value = support.value();
  add_functional(checks, columns.relative(), value < 0.0 ? ratio(value, terms) : 0.0);
  return checks;
}

}  // namespace tribo
