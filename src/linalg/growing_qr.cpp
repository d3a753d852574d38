#include "tribo/linalg/growing_qr.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

void GrowingQr::reserve(Index m, Index capacity) {
  m_ = m;
  padded_ = padded::length(m);
  capacity_ = std::min(capacity, m);
  k_ = 0;
  // Columns are written whole before they are read, so that nothing of an earlier problem has to be cleared.
  if (const auto numbers = static_cast<std::size_t>(padded_ * capacity_); Q_.size() < numbers) Q_.resize(numbers);
  if (y_.size() < static_cast<std::size_t>(padded_)) y_.resize(static_cast<std::size_t>(padded_));
  if (R_.cols() < capacity_) {
    R_.setZero(padded::length(capacity_), capacity_);
    R_inverse_.setZero(capacity_);
    c_.resize(static_cast<std::size_t>(padded::length(capacity_)));
    step_.resize(c_.size());
  }
}

void GrowingQr::start_with(const double* Q, Index k) {
  TRIBO_ASSERT(k <= capacity_);
  k_ = k;
  padded::copy(Q, padded_ * k, Q_.data());
}

double* GrowingQr::input() {
  padded::clear(y_.data(), padded_);
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

template <int Groups>
void GrowingQr::test_in_registers(const double* x) {
  padded::Lanes y[Groups];
  padded::load(x, y);
  y_squared_ = x_squared_ = padded::squared_norm(y);
  if (padded::multiply_transposed(Q_.data(), padded_, k_, y, c_.data())) {  // rows of other bodies: orthogonal already
    padded::add_product(Q_.data(), padded_, k_, c_.data(), -1.0, y);
    y_squared_ = padded::squared_norm(y);
    if (!(y_squared_ > kMuchIsLeft * x_squared_)) {
      padded::multiply_transposed(Q_.data(), padded_, k_, y, step_.data());
      padded::add_product(Q_.data(), padded_, k_, step_.data(), -1.0, y);
      for (Index j = 0; j < k_; ++j) c_[j] += step_[j];
      y_squared_ = padded::squared_norm(y);
    }
  }
  padded::store(y, y_.data());
}

void GrowingQr::test_in_memory(const double* x) {
  double* y = y_.data();
  if (x != y) padded::copy(x, padded_, y);
  y_squared_ = x_squared_ = padded::dot(y, y, padded_);
  remove_span(y, c_.data());
  y_squared_ = padded::dot(y, y, padded_);
  if (y_squared_ > kMuchIsLeft * x_squared_) return;
  remove_span(y, step_.data());
  for (Index j = 0; j < k_; ++j) c_[j] += step_[j];
  y_squared_ = padded::dot(y, y, padded_);
}

double GrowingQr::test_input() { return test_padded(y_.data()); }

double GrowingQr::test_padded(const double* x) {
  if (!padded::in_registers(padded_, [this, x](auto groups) { test_in_registers<groups>(x); })) test_in_memory(x);
  return y_norm_ = std::sqrt(y_squared_);
}

void GrowingQr::remove_span(double* y, double* c) const {
  const bool done = padded::in_registers(padded_, [&](auto groups) {
    padded::Lanes value[groups];
    padded::load(y, value);
    padded::multiply_transposed(Q_.data(), padded_, k_, value, c);
    padded::add_product(Q_.data(), padded_, k_, c, -1.0, value);
    padded::store(value, y);
  });
  if (done) return;
  padded::multiply_transposed(Q_.data(), padded_, k_, y, padded_, c);
  padded::add_product(Q_.data(), padded_, k_, c, -1.0, y, padded_);
}

void GrowingQr::calc_coordinates(const double* y, double* c) const {
  const bool done = padded::in_registers(padded_, [&](auto groups) {
    padded::Lanes value[groups];
    padded::load(y, value);
    padded::multiply_transposed(Q_.data(), padded_, k_, value, c);
  });
  if (!done) padded::multiply_transposed(Q_.data(), padded_, k_, y, padded_, c);
}

void GrowingQr::add_span(const double* c, Index first, double* y) const {
  const double* Q = Q_.data() + first * padded_;
  const bool done = padded::in_registers(padded_, [&](auto groups) {
    padded::Lanes value[groups];
    padded::load(y, value);
    padded::add_product(Q, padded_, k_ - first, c, 1.0, value);
    padded::store(value, y);
  });
  if (!done) padded::add_product(Q, padded_, k_ - first, c, 1.0, y, padded_);
}

void GrowingQr::append() {
  TRIBO_ASSERT(k_ < capacity_ && y_norm_ > 0.0);
  padded::copy(c_.data(), padded::length(k_), R_.col(k_).data());  // what lies below the diagonal is never read
  R_(k_, k_) = y_norm_;
  R_inverse_(k_) = 1.0 / y_norm_;
  // Divided, not multiplied with the inverse: a row along an axis gives that axis, to the last bit.
  double* q = Q_.data() + k_ * padded_;
  for (Index i = 0; i < padded_; i += padded::kLanes) {
    padded::lanes(q + i).v = padded::lanes(y_.data() + i).v / y_norm_;
  }
  ++k_;
}

void GrowingQr::remove(Index p) {
  TRIBO_ASSERT(p >= 0 && p < k_);
  for (Index j = p; j + 1 < k_; ++j) R_.col(j).head(j + 2) = R_.col(j + 1).head(j + 2);
  --k_;
  for (Index i = p; i < k_; ++i) {  // (2)
    const Rotation rotation = Rotation::zeroing(R_(i, i), R_(i + 1, i));
    R_(i, i) = rotation.r;
    R_inverse_(i) = 1.0 / rotation.r;
    for (Index j = i + 1; j < k_; ++j) rotation.apply(&R_(i, j), &R_(i + 1, j), 1);
    rotation.apply(Q_.data() + i * padded_, Q_.data() + (i + 1) * padded_, m_);
  }
}

void GrowingQr::solve_lower(Eigen::Ref<VectorXd> b, Index first) const {
  TRIBO_ASSERT(b.size() == k_ - first);
  for (Index j = 0; j < b.size(); ++j) b(j) = calc_lower(b.data(), j, first);
}

double GrowingQr::calc_lower(const double* x, Index j, Index first) const {
  const double* column = &R_(first, first + j);
  padded::Lanes sum = {};
  Index i = 0;
  for (; i + padded::kLanes <= j; i += padded::kLanes) sum += padded::lanes(column + i).v * padded::lanes(x + i).v;
  double rest = 0.0;
  for (; i < j; ++i) rest += column[i] * x[i];
  return (x[j] - (padded::sum_of(sum) + rest)) * R_inverse_(first + j);
}

void GrowingQr::solve_upper(Eigen::Ref<VectorXd> b, Index first) const {
  TRIBO_ASSERT(b.size() == k_ - first);
  double* x = b.data();
  for (Index j = b.size() - 1; j >= 0; --j) {
    const double* column = &R_(first, first + j);
    const double factor = x[j] * R_inverse_(first + j);
    x[j] = factor;
    Index i = 0;
    for (; i + padded::kLanes <= j; i += padded::kLanes) {
      padded::lanes(x + i).v -= factor * padded::lanes(column + i).v;
    }
    for (; i < j; ++i) x[i] -= factor * column[i];
  }
}

}  // namespace tribo
