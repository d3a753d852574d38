// Certificate of  min ½ xᵀ H x + gᵀ x  subject to  E x = b,  G x ≥ d:
//     stationarity   H x + g − Eᵀ ν − Gᵀ λ = 0
//     primal         E x − b = 0,   s = G x − d ≥ 0
//     dual           λ ≥ 0,   λ ⟂ s
// Scales. With D = diag H, √D x and D^−½ g have one unit (the square root of the objective's), whatever the
// units of the entries of x. ρ = |D^−½ row| is the norm of a constraint row in it, and
//     X = max( |√D x|∞, |D^−½ g|∞, |b_k|/ρ_k, |d_k|/ρ_k )
// plays the part of the speed scale of spec B.3: a row's residual is compared with ρ X, a multiplier with
// X/ρ.
#include "tribo/certify/certify.hpp"
#include "tribo/linalg/accurate.hpp"

#include <algorithm>

#include "certify/box_kernel.hpp"
#include "certify/scaled_pair.hpp"

namespace tribo {

namespace {

VectorXd row_norms(const MatrixXd& rows, const VectorXd& root) {
  VectorXd norms(rows.rows());
  for (Index k = 0; k < rows.rows(); ++k) norms(k) = rows.row(k).transpose().cwiseQuotient(root).norm();
  return norms;
}

void grow(double& size, const VectorXd& offset, const VectorXd& norm) {
  for (Index k = 0; k < offset.size(); ++k) {
    if (norm(k) > 0.0) size = std::max(size, std::abs(offset(k)) / norm(k));
  }
}

bool shapes_fit(const Qp& qp, const QpSolution& solution) {
  const Index n = qp.size();
  const bool equalities = qp.E.rows() == qp.b.size() && (qp.b.size() == 0 || qp.E.cols() == n);
  const bool inequalities = qp.G.rows() == qp.d.size() && (qp.d.size() == 0 || qp.G.cols() == n);
  return fits(qp.H, qp.g) && equalities && inequalities && solution.x.size() == n &&
         solution.nu.size() == qp.b.size() && solution.lambda.size() == qp.d.size();
}

VectorXd stationarity_defect(const Qp& qp, const QpSolution& solution) {
  VectorXd defect(qp.size());
  for (Index i = 0; i < qp.size(); ++i) {
    AccurateSum sum(qp.g(i));
    for (Index j = 0; j < qp.size(); ++j) sum.add_product(qp.H(i, j), solution.x(j));
    for (Index k = 0; k < qp.b.size(); ++k) sum.add_product(-qp.E(k, i), solution.nu(k));
    for (Index k = 0; k < qp.d.size(); ++k) sum.add_product(-qp.G(k, i), solution.lambda(k));
    defect(i) = sum.value();
  }
  return defect;
}

}  // namespace

Certificate certify(const Qp& qp, const QpSolution& solution) {
  if (!shapes_fit(qp, solution)) return refused("size");
  if (!all_finite(solution.x, solution.nu, solution.lambda)) return refused("finite");
  const VectorXd root = qp.H.diagonal().cwiseMax(0.0).cwiseSqrt();
  if (qp.size() > 0 && !(root.minCoeff() > 0.0)) return refused("positive definite");

  const VectorXd norm_E = row_norms(qp.E, root);
  const VectorXd norm_G = row_norms(qp.G, root);
  double size = std::max(largest(root.cwiseProduct(solution.x)), largest(qp.g.cwiseQuotient(root)));
  grow(size, qp.b, norm_E);
  grow(size, qp.d, norm_G);

  Worst stationarity, equality, inequality, sign, complementarity;
  const VectorXd defect = stationarity_defect(qp, solution);
  for (Index i = 0; i < qp.size(); ++i) stationarity.consider(defect(i), root(i) * size);
  if (qp.b.size() > 0) {
    const VectorXd r = accurate_affine(qp.E, solution.x, -qp.b);
    for (Index k = 0; k < r.size(); ++k) equality.consider(r(k), norm_E(k) * size);
  }
  if (qp.d.size() > 0) {
    const VectorXd slack = accurate_affine(qp.G, solution.x, -qp.d);
    const double fallback = std::max(1.0, largest(qp.d));
    for (Index k = 0; k < slack.size(); ++k) {
      const ScaledPair pair = scaled_pair(solution.lambda(k), slack(k), norm_G(k), size, fallback);
      inequality.consider(std::min(pair.w, 0.0), 1.0);
      sign.consider(std::min(pair.z, 0.0), 1.0);
      complementarity.consider(std::max(std::min(pair.z, pair.w), 0.0), 1.0);  // signs are judged above
    }
  }
  Certificate certificate;
  certificate.add(stationarity.residual("stationarity", "1"));
  certificate.add(equality.residual("primal equality", "1"));
  certificate.add(inequality.residual("primal inequality", "1"));
  certificate.add(sign.residual("dual sign", "1"));
  certificate.add(complementarity.residual("complementarity", "1"));
  return certificate;
}

}  // namespace tribo
