#include "certify/box_kernel.hpp"

#include "tribo/linalg/accurate.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

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

// Which indices belong together: connected through entries that are not zero. part[i] is the least index of i's part.
std::vector<Index> parts(const MatrixXd& M) {
  std::vector<Index> root(static_cast<std::size_t>(M.rows()));
  std::iota(root.begin(), root.end(), Index{0});
  const auto find = [&](Index i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (Index j = 0; j < M.cols(); ++j) {
    for (Index i = 0; i < M.rows(); ++i) {
      if (M(i, j) == 0.0) continue;
      const Index a = find(i), b = find(j);
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  for (Index i = 0; i < M.rows(); ++i) root[i] = find(i);
  return root;
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
  const std::vector<Index> part = parts(M);  // (4)
  VectorXd size = VectorXd::Zero(n);
  for (Index j = 0; j < n; ++j) size(part[j]) = std::max(size(part[j]), std::abs(z(j)) / c(j));
  for (Index i = 0; i < n; ++i) omega(i) = std::max(omega(i), 5e-7 * size(part[i]) / r(i));
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
