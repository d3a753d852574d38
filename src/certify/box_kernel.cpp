#include "certify/box_kernel.hpp"

#include "tribo/linalg/accurate.hpp"

#include <algorithm>
#include <utility>

namespace tribo {
namespace {

// The r and c of (4), by alternately dividing by the square root of the largest entry of each row and column.
void balance(const MatrixXd& M, VectorXd& r, VectorXd& c) {
  const Index n = M.rows();
  r.setOnes(n);
  c.setOnes(n);
  constexpr int kPasses = 8;
  const auto damp = [](double& scale, double entry) {
    if (entry > 0.0) scale /= std::sqrt(entry);
  };
  for (int pass = 0; pass < kPasses; ++pass) {
    for (Index j = 0; j < n; ++j) damp(c(j), c(j) * (M.col(j).cwiseAbs().cwiseProduct(r)).maxCoeff());
    for (Index i = 0; i < n; ++i) damp(r(i), r(i) * (M.row(i).transpose().cwiseAbs().cwiseProduct(c)).maxCoeff());
  }
}

}  // namespace

BoxKernel::BoxKernel(const MatrixXd& matrix, const VectorXd& offset, VectorXd lower, VectorXd upper, VectorXd unknowns)
    : M(matrix), q(offset), lo(std::move(lower)), hi(std::move(upper)), z(std::move(unknowns)) {
  const Index n = q.size();
  w = accurate_affine(M, z, q);
  omega = q.cwiseAbs();
  for (Index j = 0; j < n; ++j) omega += M.col(j).cwiseAbs() * std::abs(z(j));
  VectorXd r, c;
  balance(M, r, c);
  const double size = largest(z.cwiseQuotient(c));  // (4)
  omega = omega.cwiseMax(1e-5 * size * r.cwiseInverse());
  natural_scale = std::max(1.0, largest(q));
  effect.setZero(n);
  for (Index j = 0; j < n; ++j) {
    bool zero_column = true;
    for (Index i = 0; i < n; ++i) {
      if (M(i, j) == 0.0) continue;
      zero_column = false;
      effect(j) = std::max(effect(j), ratio(M(i, j), omega(i)));
    }
    if (zero_column) effect(j) = 1.0 / natural_scale;
  }
}

double BoxKernel::cost(Index i) const {
  const auto moved = [&](double distance) { return distance == 0.0 ? 0.0 : effect(i) * std::abs(distance); };
  const auto above = [&](double excess) { return ratio(std::max(excess, 0.0), omega(i)); };
  const double outside = std::max({lo(i) - z(i), z(i) - hi(i), 0.0});
  double best = std::max(ratio(w(i), omega(i)), moved(outside));
  if (std::isfinite(lo(i))) best = std::min(best, std::max(moved(z(i) - lo(i)), above(-w(i))));
  if (std::isfinite(hi(i))) best = std::min(best, std::max(moved(z(i) - hi(i)), above(w(i))));
  return best;
}

Residual BoxKernel::backward() const {
  Worst worst;
  for (Index i = 0; i < q.size(); ++i) worst.consider(cost(i), 1.0);
  return worst.residual("backward", "1");
}

Residual BoxKernel::natural(Index first) const {
  Worst worst;
  for (Index i = first; i < q.size(); ++i) {
    // Written so that infinite bounds and large w neither overflow nor lose z: the three branches of z −
    // clip(z − w).
    const double to_lo = z(i) - lo(i);
    const double to_hi = z(i) - hi(i);
    const double violation = w(i) >= to_lo ? to_lo : (w(i) <= to_hi ? to_hi : w(i));
    worst.consider(violation, natural_scale);
  }
  return worst.residual("natural", "1");
}

Residual BoxKernel::consistency(const VectorIn& reported, Index first) const {
  Worst worst;
  for (Index i = first; i < q.size(); ++i) worst.consider(reported(i - first) - w(i), omega(i));
  return worst.residual("consistency", "1");
}

bool fits(const MatrixXd& M, const VectorXd& q) { return M.rows() == q.size() && M.cols() == q.size(); }

}  // namespace tribo
