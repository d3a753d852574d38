#include "tribo/linalg/growing_qr.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

void GrowingQr::reserve(Index m, Index capacity) {
  m_ = m;
  capacity_ = std::min(capacity, m);
  k_ = 0;
  if (Q_.rows() >= m && Q_.cols() >= capacity_) return;
  const Index rows = std::max(Q_.rows(), m), columns = std::max(Q_.cols(), capacity_);
  Q_.setZero(rows, columns);
  R_.setZero(columns, columns);
  c_.setZero(columns);
  c_again_.setZero(columns);
  y_.setZero(rows);
}

double GrowingQr::test(const VectorIn& x) {
  TRIBO_ASSERT(x.size() == m_);
  auto y = y_.head(m_);
  y = x;
  for (Index j = 0; j < k_; ++j) c_(j) = Q_.col(j).head(m_).dot(x);
  for (Index j = 0; j < k_; ++j) y -= c_(j) * Q_.col(j).head(m_);
  // The second pass removes what rounding left of the first: "twice is enough".
  for (Index j = 0; j < k_; ++j) c_again_(j) = Q_.col(j).head(m_).dot(y);
  for (Index j = 0; j < k_; ++j) y -= c_again_(j) * Q_.col(j).head(m_);
  c_.head(k_) += c_again_.head(k_);
  y_norm_ = y.norm();
  return y_norm_;
}

void GrowingQr::append() {
  TRIBO_ASSERT(k_ < capacity_ && y_norm_ > 0.0);
  R_.col(k_).head(k_) = c_.head(k_);
  R_(k_, k_) = y_norm_;
  Q_.col(k_).head(m_) = y_.head(m_) / y_norm_;
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
    rotation.apply(Q_.col(i).data(), Q_.col(i + 1).data(), m_);
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

}  // namespace tribo
