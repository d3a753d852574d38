#include "tribo/linalg/dense_lu.hpp"

#include "tribo/core/assert.hpp"

#include <cmath>
#include <utility>

namespace tribo {

void DenseLu::reserve(Index capacity) {
  if (capacity > LU_.rows()) {
    LU_.setZero(capacity, capacity);
    swaps_.resize(static_cast<std::size_t>(capacity));
  }
  k_ = 0;
}

Eigen::Ref<MatrixXd> DenseLu::matrix(Index k) {
  TRIBO_REQUIRE(k <= LU_.rows(), "DenseLu: reserve before use");
  k_ = k;
  return LU_.topLeftCorner(k, k);
}

bool DenseLu::factor(double tolerance) {
  // Left-looking by columns: every inner loop runs over contiguous memory.
  for (Index j = 0; j < k_; ++j) {
    double* column = LU_.col(j).data();
    double largest = 0.0;
    for (Index i = 0; i < k_; ++i) largest = std::max(largest, std::abs(column[i]));
    for (Index s = 0; s < j; ++s) std::swap(column[s], column[swaps_[static_cast<std::size_t>(s)]]);
    for (Index s = 0; s < j; ++s) {
      const double factor = column[s];
      if (factor == 0.0) continue;
      LU_.col(j).segment(s + 1, k_ - s - 1) -= factor * LU_.col(s).segment(s + 1, k_ - s - 1);
    }
    Index pivot = j;
    for (Index i = j + 1; i < k_; ++i) {
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    }
    if (!(std::abs(column[pivot]) > tolerance * largest)) return false;
    swaps_[static_cast<std::size_t>(j)] = pivot;
    if (pivot != j) {
      std::swap(column[j], column[pivot]);
      for (Index s = 0; s < j; ++s) std::swap(LU_(j, s), LU_(pivot, s));
    }
    LU_.col(j).segment(j + 1, k_ - j - 1) /= column[j];
  }
  return true;
}

void DenseLu::solve(Eigen::Ref<VectorXd> b) const {
  TRIBO_ASSERT(b.size() == k_);
  for (Index j = 0; j < k_; ++j) std::swap(b(j), b(swaps_[static_cast<std::size_t>(j)]));
  for (Index j = 0; j < k_; ++j) {
    if (b(j) != 0.0) b.segment(j + 1, k_ - j - 1) -= b(j) * LU_.col(j).segment(j + 1, k_ - j - 1);
  }
  for (Index j = k_ - 1; j >= 0; --j) {
    b(j) /= LU_(j, j);
    if (b(j) != 0.0) b.head(j) -= b(j) * LU_.col(j).head(j);
  }
}

void DenseLu::inverse(Eigen::Ref<MatrixXd> out) const {
  out.setIdentity();
  for (Index j = 0; j < k_; ++j) solve(out.col(j));
}

}  // namespace tribo
