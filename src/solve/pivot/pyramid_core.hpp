// The core of a basis (spec C.3): at most m + 2 equations in as many unknowns,
//     row_i · (Σ_j x_j column_j + base) + x_last entry_i + constant_i = 0                                      (1)
// with rows and columns that are vectors of Rᵐ and an optional last unknown with entries of its own (z₀). Some rows are
// given entry by entry. Two right-hand sides, side by side in base, constant and x. Solved from scratch by elimination
// with row pivoting, so that no error accumulates on the way.
#pragma once

#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace tribo {

// Arrays of fixed size where the number of degrees of freedom is known (Dof > 0), vectors that grow otherwise.
template <int Dof, typename T, Index Count>
using CoreStore = std::conditional_t<(Dof > 0), std::array<T, static_cast<std::size_t>(Count)>, std::vector<T>>;

template <typename Store>
void ensure_size(Store& store, Index size) {
  if constexpr (requires { store.resize(std::size_t{}); }) {
    if (static_cast<Index>(store.size()) < size) store.resize(static_cast<std::size_t>(size));
  }
}

template <int Dof>
class PyramidCore {
 public:
  using Two = padded::TwoLanes;
  static constexpr bool kFixed = Dof > 0;
  static constexpr bool kManyBodies = !kFixed || Dof > 12;  // of which a row touches two
  static constexpr Index up(Index count) { return (count + 7) / 8 * 8; }
  static constexpr Index kP = kFixed ? up(Dof) : 0, kR = kFixed ? up(Dof + 2) : 0;

  void start(Index m) {
    m_ = m;
    r_ = up(m + 2);
    ensure_size(columns_, up(m) * r_);
    ensure_size(matrix_, r_ * r_);
    ensure_size(largest_, r_);
    ensure_size(base_, up(m));
    ensure_size(rhs_, r_);
    ensure_size(x_, r_);
    ensure_size(order_, r_);
  }

  // An empty system with base (u₀, 0).
  void clear(const double* u0) {
    size_ = rows_ = 0;
    for (Index l = 0; l < m_; ++l) base_[l] = Two{u0[l], 0.0};
  }
  void clear_rows() { rows_ = 0; }
  void add_to_direction(const double* vector) {
    for (Index l = 0; l < m_; ++l) base_[l][1] += vector[l];
  }
  bool add_column(const double* vector) {  // false: too many
    if (size_ == R()) return false;
    for (Index l = 0; l < m_; ++l) columns_[l * R() + size_] = vector[l];
    ++size_;
    return true;
  }
  // Columns first, then rows.
  bool add_row(const double* vector, double last_entry, const Two& constant);
  double* add_own_row(const Two& constant) {  // its entries, all zero; null: too many
    if (rows_ == R()) return nullptr;
    double* row = &matrix_[rows_ * R()];
    std::fill_n(row, R(), 0.0);
    rhs_[rows_++] = -constant;
    return row;
  }
  void set_rhs(Index row, const Two& rhs) { rhs_[row] = rhs; }

  Index size() const { return size_; }
  Index rows() const { return rows_; }
  bool solve();  // false: singular
  const Two& x(Index j) const { return x_[j]; }
  Two& x(Index j) { return x_[j]; }

 private:
  static constexpr double kSingular = 1e-12;  // of the largest entry of a column (spec C.6)
  template <typename T, Index Count>
  using Store = CoreStore<Dof, T, Count>;
  Index R() const { return kFixed ? kR : r_; }  // from one row to the next

  Index m_ = 0, r_ = 0, size_ = 0, rows_ = 0;
  alignas(64) Store<double, kP * kR> columns_{};  // coordinate l of column j at l R + j
  alignas(64) Store<double, kR * kR> matrix_{};   // row by row
  alignas(64) Store<double, kR> largest_{};       // entry of a column; then the inverse of its pivot
  Store<Two, kP> base_{};
  Store<Two, kR> rhs_{}, x_{};
  Store<std::int32_t, kR> order_{};
};

template <int Dof>
bool PyramidCore<Dof>::add_row(const double* vector, double last_entry, const Two& constant) {
  using padded::lanes;
  if (rows_ == R()) return false;
  double* row = &matrix_[rows_ * R()];
  Two sum = constant;
  if constexpr (!kManyBodies) {
    for (Index l = 0; l < m_; ++l) sum += vector[l] * base_[l];
    for (Index j = 0; j < kR; j += 8) {
      padded::Lanes entries = vector[0] * lanes(&columns_[j]).v;
      for (Index l = 1; l < m_; ++l) entries += vector[l] * lanes(&columns_[l * kR + j]).v;
      lanes(row + j).v = entries;
    }
  } else if constexpr (kFixed) {
    padded::Lanes entries[kR / 8] = {};
    for (Index l = 0; l < m_; ++l) {
      if (vector[l] == 0.0) continue;
      sum += vector[l] * base_[l];
      for (Index j = 0; j < kR / 8; ++j) entries[j] += vector[l] * lanes(&columns_[l * kR + 8 * j]).v;
    }
    for (Index j = 0; j < kR / 8; ++j) lanes(row + 8 * j).v = entries[j];
  } else {
    const Index width = up(size_);
    std::fill_n(row, width, 0.0);
    for (Index l = 0; l < m_; ++l) {
      if (vector[l] == 0.0) continue;
      sum += vector[l] * base_[l];
      for (Index j = 0; j < width; j += 8) lanes(row + j).v += vector[l] * lanes(&columns_[l * R() + j]).v;
    }
  }
  if (size_ > 0) row[size_ - 1] += last_entry;
  rhs_[rows_++] = -sum;
  return true;
}

template <int Dof>
bool PyramidCore<Dof>::solve() {
  using padded::lanes;
  const Index size = size_, width = kFixed ? kR : up(size_);
  for (Index j = 0; j < width; j += 8) {
    padded::Lanes most = {};
    for (Index i = 0; i < size; ++i) {
      const padded::Lanes entries = lanes(&matrix_[i * R() + j]).v;
      const padded::Lanes absolute = entries < 0.0 ? -entries : entries;
      most = absolute > most ? absolute : most;
    }
    lanes(&largest_[j]).v = most;
  }
  for (Index i = 0; i < size; ++i) order_[i] = static_cast<std::int32_t>(i);
  for (Index k = 0; k < size; ++k) {
    Index best = k;
    double pivot = matrix_[order_[k] * R() + k];
    for (Index i = k + 1; i < size; ++i) {
      const double entry = matrix_[order_[i] * R() + k];
      if (std::abs(entry) > std::abs(pivot)) {
        best = i;
        pivot = entry;
      }
    }
    if (!(std::abs(pivot) > kSingular * largest_[k])) return false;
    std::swap(order_[k], order_[best]);
    const double inverse = 1.0 / pivot;
    const double* from = &matrix_[order_[k] * R()];
    const Two from_rhs = rhs_[order_[k]];
    for (Index i = k + 1; i < size; ++i) {
      double* row = &matrix_[order_[i] * R()];
      const double factor = row[k] * inverse;
      if (factor == 0.0) continue;
      for (Index j = kManyBodies ? k / 8 * 8 : 0; j < width; j += 8) lanes(row + j).v -= factor * lanes(from + j).v;
      rhs_[order_[i]] -= factor * from_rhs;
    }
    largest_[k] = inverse;
  }
  for (Index k = size - 1; k >= 0; --k) {
    const double* row = &matrix_[order_[k] * R()];
    Two sum = rhs_[order_[k]];
    for (Index j = k + 1; j < size; ++j) sum -= row[j] * x_[j];
    x_[k] = sum * largest_[k];
  }
  return true;
}

}  // namespace tribo
