#include "solve/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tribo {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

double ratio(double value, double scale) { return value == 0.0 ? 0.0 : scale > 0.0 ? value / scale : kInfinite; }

}  // namespace

bool is_null_direction(const MatrixIn& M, const VectorIn& y) {
  for (Index j = 0; j < M.cols(); ++j) {
    const double sum = M.col(j).dot(y), terms = M.col(j).cwiseAbs().dot(y.cwiseAbs());
    if (std::abs(sum) > 1e-12 * terms) return false;
  }
  return true;
}

void BackwardError::reserve(Index n) {
  if (omega_.size() >= n) return;
  omega_.resize(n);
  scale_.resize(n);
  size_.resize(n);
  root_.resize(n);
}

double BackwardError::operator()(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi,
                                 const VectorIn& z, const VectorIn& w) {
  const Index n = q.size();
  for (Index i = 0; i < n; ++i) scale_(i) = std::sqrt(std::max(0.0, M(i, i)));
  return (*this)(M, q, lo, hi, z, w, scale_.head(n));
}

double BackwardError::operator()(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi,
                                 const VectorIn& z, const VectorIn& w, const VectorIn& scale) {
  const Index n = q.size();
  auto omega = omega_.head(n);
  omega = q.cwiseAbs();
  for (Index j = 0; j < n; ++j) {
    if (z(j) != 0.0) omega += std::abs(z(j)) * M.col(j).cwiseAbs();
  }
  const double error = largest_cost(M, q, lo, hi, z, w);
  if (error <= 1e-12 || !z.allFinite()) return error;  // most answers need no excuse
  raise_to_floor(M, z, scale);
  return largest_cost(M, q, lo, hi, z, w);
}

void BackwardError::raise_to_floor(const MatrixIn& M, const VectorIn& z, const VectorIn& scale) {
  constexpr double kFloor = 5e-7;
  const Index n = z.size();
  std::iota(root_.begin(), root_.end(), Index{0});
  const auto find = [this](Index i) {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  };
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      if (M(i, j) == 0.0) continue;
      const Index a = find(i), b = find(j);
      root_[std::max(a, b)] = std::min(a, b);
    }
  }
  size_.head(n).setZero();
  for (Index j = 0; j < n; ++j) size_(find(j)) = std::max(size_(find(j)), std::abs(z(j)) * scale(j));
  for (Index i = 0; i < n; ++i) omega_(i) = std::max(omega_(i), kFloor * size_(find(i)) * scale(i));
}

double BackwardError::largest_cost(const MatrixIn& M, const VectorIn& q, const VectorIn& lo, const VectorIn& hi,
                                   const VectorIn& z, const VectorIn& w) const {
  const Index n = q.size();
  const double q_max = n > 0 ? std::max(1.0, q.cwiseAbs().maxCoeff()) : 1.0;
  const auto effect = [&](Index j, double delta) {
    if (delta == 0.0) return 0.0;
    double worst = 0.0;
    for (Index i = 0; i < n; ++i) worst = std::max(worst, ratio(std::abs(M(i, j) * delta), omega_(i)));
    return worst > 0.0 ? worst : std::abs(delta) / q_max;  // an empty column: measure z itself
  };

  double worst = 0.0;
  for (Index i = 0; i < n; ++i) {
    if (!std::isfinite(z(i)) || !std::isfinite(w(i))) return kInfinite;
    const double outside = std::max({0.0, lo(i) - z(i), z(i) - hi(i)});
    double cost = outside > 0.0 ? effect(i, outside) : 0.0;
    // w > 0 is right at the lower bound only, w < 0 at the upper one; otherwise w should be zero.
    const double to_bound = w(i) > 0.0 ? std::max(0.0, z(i) - lo(i)) : std::max(0.0, hi(i) - z(i));
    if (w(i) != 0.0 && to_bound > 0.0) {
      const double as_w = ratio(std::abs(w(i)), omega_(i));
      const double natural = std::min(std::abs(w(i)), to_bound) / q_max;
      if (std::max(as_w, natural) > worst) {
        const double as_z = std::isfinite(to_bound) ? effect(i, to_bound) : kInfinite;
        cost = std::max({cost, std::min(as_w, as_z), natural});
      }
    }
    worst = std::max(worst, cost);
  }
  return worst;
}

}  // namespace tribo
