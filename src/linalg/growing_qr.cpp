#include "tribo/linalg/growing_qr.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

void GrowingQr::reserve(Index m, Index capacity) {
  capacity = std::min(capacity, m);
  if (Q_.rows() != m || Q_.cols() < capacity) {
    Q_.setZero(m, capacity);
    R_.setZero(capacity, capacity);
    c_.setZero(capacity);
    c_again_.setZero(capacity);
    y_.setZero(m);
  }
  k_ = 0;
}

double GrowingQr::test(const VectorIn& x) {
  TRIBO_ASSERT(x.size() == Q_.rows());
  y_ = x;
  for (Index j = 0; j < k_; ++j) c_(j) = Q_.col(j).dot(x);
  for (Index j = 0; j < k_; ++j) y_ -= c_(j) * Q_.col(j);
  // The second pass removes what rounding left of the first: "twice is enough".
  for (Index j = 0; j < k_; ++j) c_again_(j) = Q_.col(j).dot(y_);
  for (Index j = 0; j < k_; ++j) y_ -= c_again_(j) * Q_.col(j);
  c_.head(k_) += c_again_.head(k_);
  y_norm_ = y_.norm();
  return y_norm_;
}

void GrowingQr::append() {
  TRIBO_ASSERT(k_ < Q_.cols() && y_norm_ > 0.0);
  R_.col(k_).head(k_) = c_.head(k_);
  R_(k_, k_) = y_norm_;
  Q_.col(k_) = y_ / y_norm_;
  ++k_;
}

void GrowingQr::remove(Index p) {
  TRIBO_ASSERT(p >= 0 && p < k_);
  for (Index j = p; j + 1 < k_; ++j) R_.col(j).head(j + 2) = R_.col(j + 1).head(j + 2);
  --k_;
  for (Index i = p; i < k_; ++i) {  // (2)
    const Rotation rotation = Rotation::zeroing(R_(i, i), R_(i + 1, i));
    R_(i, i) = rotation.r;
    for (Index j = i + 1; j < k_; ++j) rotation.apply(&R_(i, j), &R_(i + 1, j), 1);
    rotation.apply(Q_.col(i).data(), Q_.col(i + 1).data(), Q_.rows());
  }
}

void GrowingQr::solve_lower(Eigen::Ref<VectorXd> b) const {
  TRIBO_ASSERT(b.size() == k_);
  for (Index j = 0; j < k_; ++j) b(j) = (b(j) - R_.col(j).head(j).dot(b.head(j))) / R_(j, j);
}

void GrowingQr::solve_upper(Eigen::Ref<VectorXd> b) const {
  TRIBO_ASSERT(b.size() == k_);
  for (Index j = k_ - 1; j >= 0; --j) {
    b(j) /= R_(j, j);
    b.head(j) -= b(j) * R_.col(j).head(j);
  }
}

double GrowingQr::condition() const {
  if (k_ == 0) return 1.0;
  const auto diagonal = R_.diagonal().head(k_).cwiseAbs();
  return diagonal.maxCoeff() / diagonal.minCoeff();
}

}  // namespace tribo
