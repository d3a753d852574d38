#include "solve/compliant/weighted_lu.hpp"

#include <cmath>
#include <utility>

namespace tribo::compliant {

bool ExtendedLu::factor(const ExtendedMatrix& K, Index first_soft, Extended soft) {
  const Index n = K.rows();
  K_ = K;
  LU_ = K;
  scale_.setOnes(n);
  for (int pass = 0; pass < 3; ++pass) {  // entries of each row and column towards one
    for (Index j = 0; j < n; ++j) {
      Extended largest = 0;
      for (Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(K_(i, j)) * scale_(i) * scale_(j));
      if (!std::isfinite(largest)) return false;
      if (largest > 0) scale_(j) /= std::sqrt(largest);
    }
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) LU_(i, j) *= scale_(i) * scale_(j);
  }
  for (Index j = first_soft; j < n; ++j) LU_(j, j) -= soft;
  swaps_.assign(static_cast<std::size_t>(n), 0);
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i) {
      if (std::abs(LU_(i, k)) > std::abs(LU_(pivot, k))) pivot = i;
    }
    if (!(std::abs(LU_(pivot, k)) > 0) || !std::isfinite(LU_(pivot, k))) return false;
    swaps_[static_cast<std::size_t>(k)] = pivot;
    if (pivot != k) {
      for (Index j = 0; j < n; ++j) std::swap(LU_(k, j), LU_(pivot, j));
    }
    const Extended inverse = 1 / LU_(k, k);
    for (Index i = k + 1; i < n; ++i) LU_(i, k) *= inverse;
    for (Index j = k + 1; j < n; ++j) {
      const Extended u = LU_(k, j);
      if (u == 0) continue;
      for (Index i = k + 1; i < n; ++i) LU_(i, j) -= LU_(i, k) * u;
    }
  }
  return true;
}

void ExtendedLu::solve_once(ExtendedVector& b) const {
  const Index n = LU_.rows();
  for (Index i = 0; i < n; ++i) b(i) *= scale_(i);
  for (Index k = 0; k < n; ++k) std::swap(b(k), b(swaps_[static_cast<std::size_t>(k)]));
  for (Index k = 0; k < n; ++k) {
    for (Index i = k + 1; i < n; ++i) b(i) -= LU_(i, k) * b(k);
  }
  for (Index k = n - 1; k >= 0; --k) {
    b(k) /= LU_(k, k);
    for (Index i = 0; i < k; ++i) b(i) -= LU_(i, k) * b(k);
  }
  for (Index i = 0; i < n; ++i) b(i) *= scale_(i);
}

ExtendedVector ExtendedLu::solve(const ExtendedVector& b) const {
  ExtendedVector x = b;
  solve_once(x);
  ExtendedVector defect(b.size());
  for (int step = 0; step < 3; ++step) {
    defect = b;
    for (Index j = 0; j < b.size(); ++j) {
      const Extended x_j = x(j);
      for (Index i = 0; i < b.size(); ++i) defect(i) -= K_(i, j) * x_j;
    }
    solve_once(defect);
    x += defect;
  }
  return x;
}

}  // namespace tribo::compliant
