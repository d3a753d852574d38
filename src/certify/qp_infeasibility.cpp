// No x satisfies the rows of a QP: y = (y_G, y_E) with
//     Gᵀ y_G + Eᵀ y_E = 0,   y_G ≥ 0,   y_G·d + y_E·b > 0                                                    (1)
// contradicts G x ≥ d, E x = b for every x. Accepted as any proof by a linear functional (proof.hpp).
#include "tribo/linalg/accurate.hpp"

#include "certify/measure.hpp"
#include "certify/proof.hpp"

namespace tribo {

InfeasibilityCertificate certify_infeasible(const Qp& qp, const Evidence& evidence) {
  const Index inequalities = qp.d.size(), equalities = qp.b.size();
  if (evidence.kind != Evidence::Kind::kFarkas) return rejected("kind");
  if (evidence.y.size() != inequalities + equalities || qp.G.rows() != inequalities || qp.E.rows() != equalities ||
      (inequalities > 0 && qp.G.cols() != qp.size()) || (equalities > 0 && qp.E.cols() != qp.size())) {
    return rejected("size");
  }
  if (!evidence.y.allFinite()) return rejected("finite");
  VectorXd y = evidence.y;
  Worst sign;
  const double largest_y = largest(y);
  for (Index i = 0; i < inequalities; ++i) {
    if (y(i) >= 0.0) continue;
    sign.consider(y(i), kRoundingOfSign * largest_y);
    y(i) = 0.0;
  }
  const auto y_G = y.head(inequalities);
  const auto y_E = y.tail(equalities);

  Worst columns;
  for (Index j = 0; j < qp.size(); ++j) {
    AccurateSum sum;
    double magnitude = 0.0;
    for (Index i = 0; i < inequalities; ++i) {
      sum.add_product(qp.G(i, j), y_G(i));
      magnitude += std::abs(qp.G(i, j) * y_G(i));
    }
    for (Index i = 0; i < equalities; ++i) {
      sum.add_product(qp.E(i, j), y_E(i));
      magnitude += std::abs(qp.E(i, j) * y_E(i));
    }
    columns.consider(sum.value(), magnitude);
  }
  AccurateSum support;
  double terms = 0.0;
  for (Index i = 0; i < inequalities; ++i) {
    support.add_product(qp.d(i), y_G(i));
    terms += std::abs(qp.d(i) * y_G(i));
  }
  for (Index i = 0; i < equalities; ++i) {
    support.add_product(qp.b(i), y_E(i));
    terms += std::abs(qp.b(i) * y_E(i));
  }
  Certificate checks;
  checks.add(sign.residual("sign", "1"));
  add_functional(checks, columns.relative(), support.value() > 0.0 ? ratio(support.value(), terms) : 0.0);
  return judged(std::move(checks), Verdict::kInfeasible);
}

}  // namespace tribo
