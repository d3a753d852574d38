#include "tribo/linalg/growing_qr.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

void GrowingQr::reserve(Index m, Index capacity) {
  const Index columns = std::max(Q_.cols(), std::min(capacity, m));
  const Index padded = padded::length(m);
  k_ = 0;
  if (Q_.rows() < padded || Q_.cols() < columns) {
    const Index rows = std::max(Q_.rows(), padded);
    Q_.setZero(rows, columns);
    R_.setZero(columns, columns);
    c_.setZero(columns);
    step_.setZero(columns);
    y_.setZero(rows);
  } else if (m != m_) {
    Q_.middleRows(m, padded - m).setZero();  // an earlier, longer problem may have left its numbers there
  }
  m_ = m;
  padded_ = padded;
  capacity_ = std::min(capacity, m);
}

void GrowingQr::start_with(const MatrixIn& Q) {
  TRIBO_ASSERT(Q.rows() == m_ && Q.cols() <= capacity_);
  k_ = Q.cols();
  for (Index j = 0; j < k_; ++j) {
    std::copy_n(Q.col(j).data(), m_, Q_.col(j).data());
    R_(j, j) = 1.0;  // the rest of this part of R is never read
  }
}

double* GrowingQr::input() {
  std::fill_n(y_.data(), padded_, 0.0);
  return y_.data();
}

double GrowingQr::test(const VectorIn& x) {
  TRIBO_ASSERT(x.size() == m_);
  std::copy_n(x.data(), m_, input());
  return test_input();
}

namespace {

// Once is enough when little was taken away; otherwise a second pass removes what rounding left of the first. "Twice is
// enough": a third would change nothing.
constexpr double kMuchIsLeft = 0.1;  // of |x|²: what is left is then orthogonal to three roundings

}  // namespace

// Vectors of at most eight numbers stay in one register.
double GrowingQr::test_short() {
  using padded::Lanes;
  Lanes y = padded::lanes(y_.data()).v;
  double squared = padded::sum_of(y * y);
  const double* Q = Q_.data();
  const Index stride = Q_.outerStride();
  for (Index j = 0; j < k_; ++j) c_(j) = 0.0;
  for (int pass = 0; pass < 2 && k_ > 0; ++pass) {
    Index i = 0;
    for (; i + 4 <= k_; i += 4) {
      const double* q = Q + i * stride;
      padded::store_sums(padded::lanes(q).v * y, padded::lanes(q + stride).v * y, padded::lanes(q + 2 * stride).v * y,
                         padded::lanes(q + 3 * stride).v * y, &step_(i));
    }
    for (; i < k_; ++i) step_(i) = padded::sum_of(padded::lanes(Q + i * stride).v * y);
    for (Index j = 0; j < k_; ++j) {
      y -= step_(j) * padded::lanes(Q + j * stride).v;
      c_(j) += step_(j);
    }
    const double left = padded::sum_of(y * y);
    const bool enough = left > kMuchIsLeft * squared;
    squared = left;
    if (enough) break;
  }
  padded::lanes(y_.data()).v = y;
  return y_norm_ = std::sqrt(squared);
}

double GrowingQr::test_input() {
  if (padded_ == padded::kLanes) return test_short();
  double* y = y_.data();
  std::fill_n(c_.data(), k_, 0.0);
  double squared = padded::dot(y, y, padded_);
  for (int pass = 0; pass < 2 && k_ > 0; ++pass) {
    remove_span(y, step_.data());
    for (Index j = 0; j < k_; ++j) c_(j) += step_(j);
    const double left = padded::dot(y, y, padded_);
    const bool enough = left > kMuchIsLeft * squared;
    squared = left;
    if (enough) break;
  }
  return y_norm_ = std::sqrt(squared);
}

void GrowingQr::remove_span(double* y, double* c) const {
  padded::multiply_transposed(Q_.data(), Q_.outerStride(), k_, y, padded_, c);
  padded::add_product(Q_.data(), Q_.outerStride(), k_, c, -1.0, y, padded_);
}

void GrowingQr::calc_coordinates(const double* y, double* c) const {
  padded::multiply_transposed(Q_.data(), Q_.outerStride(), k_, y, padded_, c);
}

void GrowingQr::add_span(const double* c, Index first, double* y) const {
  padded::add_product(Q_.data() + first * Q_.outerStride(), Q_.outerStride(), k_ - first, c, 1.0, y, padded_);
}

void GrowingQr::append() {
  TRIBO_ASSERT(k_ < capacity_ && y_norm_ > 0.0);
  std::copy_n(c_.data(), k_, R_.col(k_).data());
  R_(k_, k_) = y_norm_;
  double* q = Q_.col(k_).data();
  for (Index i = 0; i < padded_; ++i) q[i] = y_(i) / y_norm_;
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

void GrowingQr::solve_lower(Eigen::Ref<VectorXd> b, Index first) const {
  TRIBO_ASSERT(b.size() == k_ - first);
  double* x = b.data();
  for (Index j = 0; j < b.size(); ++j) {
    const double* column = &R_(first, first + j);
    padded::Lanes sum = {};
    Index i = 0;
    for (; i + padded::kLanes <= j; i += padded::kLanes) sum += padded::lanes(column + i).v * padded::lanes(x + i).v;
    double rest = 0.0;
    for (; i < j; ++i) rest += column[i] * x[i];
    x[j] = (x[j] - (padded::sum_of(sum) + rest)) / column[j];
  }
}

void GrowingQr::solve_upper(Eigen::Ref<VectorXd> b, Index first) const {
  TRIBO_ASSERT(b.size() == k_ - first);
  double* x = b.data();
  for (Index j = b.size() - 1; j >= 0; --j) {
    const double* column = &R_(first, first + j);
    x[j] /= column[j];
    const double factor = x[j];
    for (Index i = 0; i < j; ++i) x[i] -= factor * column[i];
  }
}

}  // namespace tribo
