#include "tribo/linalg/growing_cholesky.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

void GrowingCholesky::reserve(Index capacity) {
  if (capacity > L_.rows()) L_.setZero(capacity, capacity);
  k_ = 0;
}

double GrowingCholesky::test(Eigen::Ref<VectorXd> column, double diagonal) const {
  TRIBO_ASSERT(column.size() == k_);
  solve_lower(column);
  return diagonal - column.squaredNorm();
}

void GrowingCholesky::append(const VectorIn& y, double d_squared) {
  TRIBO_ASSERT(y.size() == k_ && d_squared > 0.0 && k_ < L_.rows());
  L_.row(k_).head(k_) = y.transpose();
  L_(k_, k_) = std::sqrt(d_squared);
  ++k_;
}

void GrowingCholesky::remove(Index p) {
  TRIBO_ASSERT(p >= 0 && p < k_);
  // Row p goes; rows below move up and stick out of the triangle by one entry each.
  for (Index j = 0; j < k_; ++j) {
    double* column = L_.col(j).data();
    std::move(column + std::max(p, j - 1) + 1, column + k_, column + std::max(p, j - 1));
  }
  --k_;
  for (Index i = p; i < k_; ++i) {  // (2)
    const Rotation rotation = Rotation::zeroing(L_(i, i), L_(i, i + 1));
    L_(i, i) = rotation.r;
    rotation.apply(&L_(i + 1, i), &L_(i + 1, i + 1), k_ - i - 1);
  }
}

void GrowingCholesky::solve_lower(Eigen::Ref<VectorXd> b) const {
  TRIBO_ASSERT(b.size() == k_);
  for (Index j = 0; j < k_; ++j) {
    const double x = b(j) / L_(j, j);
    b(j) = x;
    if (x != 0.0) b.segment(j + 1, k_ - j - 1) -= x * L_.col(j).segment(j + 1, k_ - j - 1);
  }
}

void GrowingCholesky::solve_upper(Eigen::Ref<VectorXd> b) const {
  TRIBO_ASSERT(b.size() == k_);
  for (Index j = k_ - 1; j >= 0; --j) {
    const double known = L_.col(j).segment(j + 1, k_ - j - 1).dot(b.segment(j + 1, k_ - j - 1));
    b(j) = (b(j) - known) / L_(j, j);
  }
}

void GrowingCholesky::solve(Eigen::Ref<VectorXd> b) const {
  solve_lower(b);
  solve_upper(b);
}

}  // namespace tribo
