#include "solve/compliant/row_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solve/compliant/lower_factor.hpp"

namespace tribo::compliant {
namespace {

using Column = Eigen::Map<VectorXd>;
using ConstColumn = Eigen::Map<const VectorXd>;

void grow(std::vector<double>& x, Index size) {
  if (x.size() < static_cast<std::size_t>(size)) x.resize(static_cast<std::size_t>(size));
}

}  // namespace

void RowFactor::resize(Index rows, Index cols, bool two_sided) {
  m_ = rows;
  n_ = cols;
  two_sided_ = two_sided;
  const Index most = std::min(rows, cols);
  grow(B_, rows * cols);
  if (two_sided) grow(F_, rows * cols);
  for (auto* x : {&b_, &size_, &scratch_}) grow(*x, rows);
  for (auto* x : {&scale_, &diagonal_, &p_, &row_scale_}) grow(*x, most);
  for (auto* x : {&norms_, &fresh_norms_}) grow(*x, cols);
  grow(T_, most * most);
  if (order_.size() < static_cast<std::size_t>(rows)) order_.resize(static_cast<std::size_t>(rows));
  if (columns_.size() < static_cast<std::size_t>(cols)) columns_.resize(static_cast<std::size_t>(cols));
  if (two_sided) lu_.reserve(most);
}

// Rows by decreasing size. Sizes within a factor of 16 are left as they are: the loss is that factor.
void RowFactor::sort_rows() {
  constexpr double kSpread = 16.0;
  std::fill_n(size_.begin(), m_, 0.0);
  for (Index j = 0; j < n_; ++j) {
    const double* values = column(j);
    for (Index i = 0; i < m_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      size_[at] = std::max(size_[at], std::abs(values[i]));
    }
  }
  std::iota(order_.begin(), order_.begin() + m_, Index{0});
  double least = std::numeric_limits<double>::infinity();
  sorted_ = true;
  for (Index i = 0; i < m_ && sorted_; ++i) {
    const double size = size_[static_cast<std::size_t>(i)];
    sorted_ = !(size > kSpread * least);
    least = std::min(least, size);
  }
  if (sorted_) return;
  std::sort(order_.begin(), order_.begin() + m_, [this](Index a, Index b) {
    const double size_a = size_[static_cast<std::size_t>(a)], size_b = size_[static_cast<std::size_t>(b)];
    return size_a != size_b ? size_a > size_b : a < b;
  });
  for (Index j = 0; j < n_; ++j) permute(column(j));
  if (two_sided_) {
    for (Index j = 0; j < n_; ++j) permute(force_column(j));
  }
  permute(rate());
}

void RowFactor::permute(double* x) {
  for (Index i = 0; i < m_; ++i) scratch_[static_cast<std::size_t>(i)] = x[original(i)];
  std::copy_n(scratch_.begin(), m_, x);
}

void RowFactor::reflect(Index k, double* x) const {
  const ConstColumn w(B_.data() + k * m_ + k, m_ - k);
  Column part(x + k, m_ - k);
  part -= scale_[static_cast<std::size_t>(k)] * w.dot(part) * w;
}

void RowFactor::apply_q(double* x) const {
  for (Index k = rank_ - 1; k >= 0; --k) reflect(k, x);
}

void RowFactor::factor() {
  sort_rows();
  std::iota(columns_.begin(), columns_.begin() + n_, Index{0});
  for (Index j = 0; j < n_; ++j) {
    const double norm = Column(column(j), m_).squaredNorm();
    norms_[static_cast<std::size_t>(j)] = fresh_norms_[static_cast<std::size_t>(j)] = norm;
  }
  const Index most = std::min(m_, n_);
  rank_ = 0;
  for (Index k = 0; k < most; ++k) {
    const Index best = std::max_element(norms_.begin() + k, norms_.begin() + n_) - norms_.begin();
    if (best != k) {
      std::swap_ranges(column(k), column(k) + m_, column(best));
      std::swap(columns_[static_cast<std::size_t>(k)], columns_[static_cast<std::size_t>(best)]);
      std::swap(norms_[static_cast<std::size_t>(k)], norms_[static_cast<std::size_t>(best)]);
      std::swap(fresh_norms_[static_cast<std::size_t>(k)], fresh_norms_[static_cast<std::size_t>(best)]);
    }
    // The largest entry on the diagonal: the reflection then touches only rows that the column has, and zeros stay zeros.
    Index row = k;
    for (Index i = k + 1; i < m_; ++i) {
      if (std::abs(column(k)[i]) > std::abs(column(k)[row])) row = i;
    }
    if (row != k) {
      for (Index j = 0; j < n_; ++j) std::swap(column(j)[k], column(j)[row]);
      if (two_sided_) {
        for (Index j = 0; j < n_; ++j) std::swap(force_column(j)[k], force_column(j)[row]);
      }
      std::swap(b_[static_cast<std::size_t>(k)], b_[static_cast<std::size_t>(row)]);
      std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(row)]);
    }
    Column pivot(column(k) + k, m_ - k);
    const double length = pivot.norm();
    if (!(length > 0.0)) break;
    const double head = pivot(0), diagonal = head > 0.0 ? -length : length;
    pivot(0) = head - diagonal;
    scale_[static_cast<std::size_t>(k)] = -1.0 / (diagonal * pivot(0));
    diagonal_[static_cast<std::size_t>(k)] = diagonal;
    rank_ = k + 1;
    for (Index j = k + 1; j < n_; ++j) {
      reflect(k, column(j));
      double& norm = norms_[static_cast<std::size_t>(j)];
      const double top = upper(k, j);
      norm -= top * top;
      if (norm < 1e-4 * fresh_norms_[static_cast<std::size_t>(j)]) {  // little is left: subtracting has spoiled it
        norm = Column(column(j) + k + 1, m_ - k - 1).squaredNorm();
        fresh_norms_[static_cast<std::size_t>(j)] = norm;
      }
    }
    reflect(k, rate());
    if (two_sided_) {
      for (Index j = 0; j < n_; ++j) reflect(k, force_column(j));
    }
  }
}

// Cholesky's factor of shift I + R Rᵀ, lower triangle in T, columns of `rank_` numbers.
bool RowFactor::factor_symmetric(double shift) {
  const Index r = rank_;
  const auto T = [this, r](Index i, Index j) -> double& { return T_[static_cast<std::size_t>(j * r + i)]; };
  for (Index j = 0; j < r; ++j) std::fill_n(&T(j, j), r - j, 0.0);
  for (Index c = 0; c < n_; ++c) {  // R Rᵀ by columns of R
    const Index last = std::min(c + 1, r);
    const double* values = column(c);
    const auto entry = [&](Index i) { return i == c ? diagonal_[static_cast<std::size_t>(c)] : values[i]; };
    for (Index j = 0; j < last; ++j) {
      const double value = entry(j);
      for (Index i = j; i < last; ++i) T(i, j) += value * entry(i);
    }
  }
  for (Index j = 0; j < r; ++j) T(j, j) += shift;
  return factor_lower(T_.data(), r);
}

// p ← −T⁻¹ p.
void RowFactor::solve_symmetric() {
  Column(p_.data(), rank_) *= -1.0;
  solve_lower(T_.data(), rank_, p_.data());
}

// I + R N₁ᵀ, its rows on one scale. Columns of R are permuted, those of N are not.
bool RowFactor::factor_two_sided() {
  const Index r = rank_;
  auto K = lu_.matrix(r);
  K.setZero();
  for (Index c = 0; c < n_; ++c) {
    const double* N = force_column(columns_[static_cast<std::size_t>(c)]);
    const double* values = column(c);
    for (Index i = 0; i < std::min(c + 1, r); ++i) {
      const double R_ic = i == c ? diagonal_[static_cast<std::size_t>(c)] : values[i];
      for (Index j = 0; j < r; ++j) K(i, j) += R_ic * N[j];
    }
  }
  for (Index i = 0; i < r; ++i) {
    K(i, i) += 1.0;
    const double largest = K.row(i).cwiseAbs().maxCoeff();
    if (!(largest > 0.0 && std::isfinite(largest))) return false;
    K.row(i) /= largest;
    row_scale_[static_cast<std::size_t>(i)] = largest;
  }
  return lu_.factor();
}

// (3) for p and u.
void RowFactor::solve_two_sided(double* u) {
  const Index r = rank_, rest = m_ - r;
  const ConstColumn z2(b_.data() + r, rest);
  Column p(p_.data(), r);
  p = -ConstColumn(b_.data(), r);
  for (Index c = 0; c < n_; ++c) {
    const double* N = force_column(columns_[static_cast<std::size_t>(c)]);
    const double* values = column(c);
    const double below = ConstColumn(N + r, rest).dot(z2);
    for (Index i = 0; i < std::min(c + 1, r); ++i) {
      p(i) += below * (i == c ? diagonal_[static_cast<std::size_t>(c)] : values[i]);
    }
    u[columns_[static_cast<std::size_t>(c)]] = -below;
  }
  p.array() /= Eigen::Map<const Eigen::ArrayXd>(row_scale_.data(), r);
  lu_.solve(p);
  for (Index j = 0; j < n_; ++j) u[j] += ConstColumn(force_column(j), r).dot(p);
}

bool RowFactor::solve(double* y, double* u) {
  constexpr Index kTall = 4;  // rows per column from which the normal equations pay
  by_normal_ = !two_sided_ && m_ >= kTall * n_ && solve_normal(y, u);
  if (by_normal_) return true;
  factor();
  if (!(two_sided_ ? factor_two_sided() : factor_symmetric(1.0))) return false;
  return finish(y, u);
}

bool RowFactor::solve_again(double* y, double* u) {
  if (by_normal_) return solve_normal_again(y, u);
  permute(rate());
  for (Index k = 0; k < rank_; ++k) reflect(k, rate());
  return finish(y, u);
}

// From Qᵀ b in rate() and the factor of (2) or (3).
bool RowFactor::finish(double* y, double* u) {
  const Index r = rank_;
  if (two_sided_) {
    solve_two_sided(u);
  } else {
    std::copy_n(b_.begin(), r, p_.begin());
    solve_symmetric();
    for (Index c = 0; c < n_; ++c) {  // u = Rᵀ p
      const Index last = std::min(c, r);
      double sum = ConstColumn(column(c), last).dot(ConstColumn(p_.data(), last));
      if (c < r) sum += diagonal_[static_cast<std::size_t>(c)] * p_[static_cast<std::size_t>(c)];
      u[columns_[static_cast<std::size_t>(c)]] = sum;
    }
  }
  double* y_sorted = b_.data();  // [p; −z₂]
  std::copy_n(p_.begin(), r, y_sorted);
  for (Index i = r; i < m_; ++i) y_sorted[i] = -y_sorted[i];
  apply_q(y_sorted);
  for (Index i = 0; i < m_; ++i) y[original(i)] = y_sorted[i];
  return std::isfinite(Column(y, m_).sum()) && std::isfinite(Column(u, n_).sum());
}

bool RowFactor::solve_least_norm(double* p, double* left) {
  factor();
  constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();
  const double first = rank_ == 0 ? 0.0 : std::abs(diagonal_[0]);
  const double threshold = kRounding * std::sqrt(static_cast<double>(m_ * n_)) * first;
  // A reflection dropped has only mixed the last entries of Qᵀ d among themselves: it is taken back.
  while (rank_ > 0 && !(std::abs(diagonal_[static_cast<std::size_t>(rank_ - 1)]) > threshold)) {
    reflect(--rank_, rate());
  }
  const Index r = rank_;
  for (Index i = 0; i < r; ++i) p_[static_cast<std::size_t>(i)] = -b_[static_cast<std::size_t>(i)];
  if (!factor_symmetric(0.0)) return false;
  solve_symmetric();
  for (double* x : {p, left}) {
    std::vector<double>& part = scratch_;
    std::fill_n(part.begin(), m_, 0.0);
    if (x == p) {
      std::copy_n(p_.begin(), r, part.begin());
    } else {
      std::copy(b_.begin() + r, b_.begin() + m_, part.begin() + r);
    }
    apply_q(part.data());
    for (Index i = 0; i < m_; ++i) x[original(i)] = part[static_cast<std::size_t>(i)];
  }
  return std::isfinite(Column(p, m_).sum()) && std::isfinite(Column(left, m_).sum());
}

}  // namespace tribo::compliant
