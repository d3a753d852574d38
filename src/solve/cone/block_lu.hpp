// Sparse LU without exchanges of blocks, on the nodes of a graph that take part: row by row in a fill-reducing order, the
// right side beside it, so that the matrix is never stored, and L only for those who come back with other right sides.
//     row i:  for j before i:  l = a_ij D_j⁻¹,  a_i· −= l U_j·,  y_i −= l y_j;      D_i = a_ii                   (1)
//     z_i = D_i⁻¹ (y_i − Σ U_ij z_j), last row first
// Blocks are D × D in lanes. The pattern must be symmetric. What makes it safe without exchanges is the caller's: a matrix
// whose diagonal blocks stay regular (here α > 0); a bad factor shows in a step that does not descend.
// Cost      O(fill · row length); the symbolic part is kept while the nodes that take part are the same.
#pragma once

#include "tribo/linalg/minimum_degree.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "solve/cone/cone_lanes.hpp"

namespace tribo::cone {

template <int D>
inline bool invert(const double* a, double* out);

template <int D, bool KeepLower = false>
class BlockLu {
  using Index = std::ptrdiff_t;

 public:
  // A new graph; forgets what was known of the old one.
  void set_graph(std::span<const std::int32_t> start, std::span<const std::int32_t> column) {
    start_ = start;
    column_ = column;
    const auto order = degree_.order(start, column);
    order_.assign(order.begin(), order.end());
    rank_.assign(order_.size(), -1);
    node_.clear();
  }

  // Which nodes take part from now on: those with flags that are not zero.
  void choose(std::span<const std::uint8_t> active) {
    std::size_t m = 0;
    bool same = true;
    for (const std::int32_t node : order_) {
      if (active[node] == 0) {
        continue;
      }
      same = same && m < node_.size() && node_[m] == node;
      ++m;
    }
    if (!same || m != node_.size()) analyse(active);
  }

  Index size() const { return static_cast<Index>(node_.size()); }
  std::int32_t node(Index rank) const { return node_[rank]; }
  std::int32_t rank(std::int32_t node) const { return rank_[node]; }
  // Products of blocks in one factorization.
  double products() const {
    double sum = 0.0;
    for (std::size_t j = 0; j < node_.size(); ++j) {
      const double below = below_start_[j + 1] - below_start_[j];
      sum += below * (below + 2.0);
    }
    return sum;
  }

  // fill_row(rank, row, y): adds the blocks of that row to row + rank(other) · kBlock (zeros before) and sets the D numbers
  // y. False: a diagonal block is singular or not finite.
  template <typename FillRow>
  bool factor_forward(const FillRow& fill_row);
  // z of every rank, in lanes.
  void backward(double* z) const { backward(y_.data(), z); }
  // Another right side y in lanes by rank, which is overwritten.
  void solve(double* y, double* z) const;

 private:
  void analyse(std::span<const std::uint8_t> active);
  void backward(const double* y, double* z) const;

  MinimumDegree degree_;
  std::span<const std::int32_t> start_, column_;
  std::vector<std::int32_t> order_, rank_, node_;
  // Structure above the diagonal by rows (= below it by columns), and by columns.
  std::vector<std::int32_t> below_start_, below_, left_start_, left_;
  std::vector<std::int32_t> mark_, child_, sibling_;
  LaneVector upper_, lower_, inverse_, y_, row_;
};

template <int D, bool KeepLower>
void BlockLu<D, KeepLower>::analyse(std::span<const std::uint8_t> active) {
  node_.clear();
  std::fill(rank_.begin(), rank_.end(), -1);
  for (const std::int32_t node : order_) {
    if (active[node] == 0) continue;
    rank_[node] = static_cast<std::int32_t>(node_.size());
    node_.push_back(node);
  }
  const auto m = static_cast<std::int32_t>(node_.size());
  mark_.assign(m, -1);
  child_.assign(m, -1);
  sibling_.assign(m, -1);
  below_start_.assign(1, 0);
  below_.clear();
  left_start_.assign(m + 1, 0);
  for (std::int32_t j = 0; j < m; ++j) {
    mark_[j] = j;
    const auto begin = static_cast<std::int32_t>(below_.size());
    const auto add = [&](std::int32_t i) {
      if (i <= j || mark_[i] == j) return;
      mark_[i] = j;
      below_.push_back(i);
    };
    for (std::int32_t k = start_[node_[j]]; k < start_[node_[j] + 1]; ++k) add(rank_[column_[k]]);
    for (std::int32_t c = child_[j]; c >= 0; c = sibling_[c]) {
      const std::int32_t from = below_start_[c], to = below_start_[c + 1];
      for (std::int32_t k = from; k < to; ++k) add(below_[k]);
    }
    std::sort(below_.begin() + begin, below_.end());
    below_start_.push_back(static_cast<std::int32_t>(below_.size()));
    for (std::size_t k = begin; k < below_.size(); ++k) ++left_start_[below_[k] + 1];
    if (static_cast<std::size_t>(begin) < below_.size()) {
      const std::int32_t parent = below_[begin];
      sibling_[j] = child_[parent];
      child_[parent] = j;
    }
  }
  for (std::int32_t i = 0; i < m; ++i) left_start_[i + 1] += left_start_[i];
  left_.resize(below_.size());
  mark_.assign(left_start_.begin(), left_start_.end() - 1);
  for (std::int32_t j = 0; j < m; ++j) {
    for (std::int32_t k = below_start_[j]; k < below_start_[j + 1]; ++k) left_[mark_[below_[k]]++] = j;
  }
  upper_.resize(below_.size() * kBlock<D>);
  if constexpr (KeepLower) lower_.resize(below_.size() * kBlock<D>);
  inverse_.resize(static_cast<std::size_t>(m) * kBlock<D>);
  y_.resize(static_cast<std::size_t>(m) * kLanes<D>);
  row_.assign(static_cast<std::size_t>(m) * kBlock<D>, 0.0);
}

template <int D, bool KeepLower>
template <typename FillRow>
bool BlockLu<D, KeepLower>::factor_forward(const FillRow& fill_row) {
  constexpr int L = kLanes<D>, B = kBlock<D>;
  const auto m = static_cast<std::int32_t>(node_.size());
  double* const row = row_.data();
  const auto clear = [&](std::int32_t k) { clear_block<D>(row + static_cast<Index>(k) * B); };
  for (std::int32_t i = 0; i < m; ++i) {
    double y[L] = {};
    fill_row(i, row, y);
    Lanes<D> right = load<D>(y);
    for (std::int32_t e = left_start_[i]; e < left_start_[i + 1]; ++e) {
      const std::int32_t j = left_[e];
      const double* a = row + static_cast<Index>(j) * B;
      const double* d = inverse_.data() + static_cast<Index>(j) * B;
      Lanes<D> l[D];
      for (int k = 0; k < D; ++k) l[k] = times<D>(a, d + k * L);
      if constexpr (KeepLower) {
        for (int k = 0; k < D; ++k) store<D>(lower_.data() + static_cast<Index>(e) * B + k * L, l[k]);
      }
      for (int k = 0; k < D; ++k) right -= l[k] * y_[static_cast<Index>(j) * L + k];
      for (std::int32_t f = below_start_[j]; f < below_start_[j + 1]; ++f) {
        double* out = row + static_cast<Index>(below_[f]) * B;
        const double* in = upper_.data() + static_cast<Index>(f) * B;
        for (int c = 0; c < D; ++c) {
          Lanes<D> value = load<D>(out + c * L);
          for (int k = 0; k < D; ++k) value -= l[k] * in[c * L + k];
          store<D>(out + c * L, value);
        }
      }
      clear(j);
    }
    store<D>(y_.data() + static_cast<Index>(i) * L, right);
    const bool good = invert<D>(row + static_cast<Index>(i) * B, inverse_.data() + static_cast<Index>(i) * B);
    clear(i);
    for (std::int32_t f = below_start_[i]; f < below_start_[i + 1]; ++f) {
      copy_block<D>(row + static_cast<Index>(below_[f]) * B, upper_.data() + static_cast<Index>(f) * B);
      clear(below_[f]);
    }
    if (!good) return false;
  }
  return true;
}

template <int D, bool KeepLower>
void BlockLu<D, KeepLower>::backward(const double* y, double* z) const {
  constexpr int L = kLanes<D>, B = kBlock<D>;
  for (auto i = static_cast<std::int32_t>(node_.size()); i-- > 0;) {
    Lanes<D> right = load<D>(y + static_cast<Index>(i) * L);
    for (std::int32_t f = below_start_[i]; f < below_start_[i + 1]; ++f) {
      right -= times<D>(upper_.data() + static_cast<Index>(f) * B, z + static_cast<Index>(below_[f]) * L);
    }
    double at[L];
    store<D>(at, right);
    store<D>(z + static_cast<Index>(i) * L, times<D>(inverse_.data() + static_cast<Index>(i) * B, at));
  }
}

template <int D, bool KeepLower>
void BlockLu<D, KeepLower>::solve(double* y, double* z) const {
  static_assert(KeepLower);
  constexpr int L = kLanes<D>, B = kBlock<D>;
  const auto m = static_cast<std::int32_t>(node_.size());
  for (std::int32_t i = 0; i < m; ++i) {
    Lanes<D> right = load<D>(y + static_cast<Index>(i) * L);
    for (std::int32_t e = left_start_[i]; e < left_start_[i + 1]; ++e) {
      right -= times<D>(lower_.data() + static_cast<Index>(e) * B, y + static_cast<Index>(left_[e]) * L);
    }
    store<D>(y + static_cast<Index>(i) * L, right);
  }
  backward(y, z);
}

// The inverse by columns, the largest pivot first.
template <int D>
inline bool invert_by_exchange(const double* a, double largest, double* out) {
  constexpr int L = kLanes<D>;
  Lanes<D> left[D], right[D];
  for (int j = 0; j < D; ++j) {
    double unit[L] = {};
    unit[j] = 1.0;
    left[j] = load<D>(a + j * L);
    right[j] = load<D>(unit);
  }
  for (int k = 0; k < D; ++k) {
    int p = k;
    for (int j = k + 1; j < D; ++j) {
      if (std::abs(left[j][k]) > std::abs(left[p][k])) p = j;
    }
    const double pivot = left[p][k];
    if (!(std::abs(pivot) > 1e-40 * largest) || !std::isfinite(pivot)) return false;
    std::swap(left[p], left[k]);
    std::swap(right[p], right[k]);
    left[k] *= 1.0 / pivot;
    right[k] *= 1.0 / pivot;
    for (int j = 0; j < D; ++j) {
      if (j == k) continue;
      const double factor = left[j][k];
      left[j] -= left[k] * factor;
      right[j] -= right[k] * factor;
    }
  }
  for (int j = 0; j < D; ++j) store<D>(out + j * L, right[j]);
  return true;
}

// The inverse of a block; false where it is singular to working precision or not finite.
template <int D>
inline bool invert(const double* a, double* out) {
  constexpr int L = kLanes<D>;
  double largest = 0.0;
  for (int j = 0; j < D; ++j) {
    for (int i = 0; i < D; ++i) largest = std::max(largest, std::abs(a[j * L + i]));
  }
  if constexpr (D == 3) {
    const double c00 = a[L + 1] * a[2 * L + 2] - a[L + 2] * a[2 * L + 1];
    const double c01 = a[L + 2] * a[2 * L] - a[L] * a[2 * L + 2];
    const double c02 = a[L] * a[2 * L + 1] - a[L + 1] * a[2 * L];
    const double det = a[0] * c00 + a[1] * c01 + a[2] * c02;
    if (!(std::abs(det) > 1e-40 * largest * largest * largest) || !std::isfinite(det)) return false;
    const double over = 1.0 / det;
    const double values[3 * L] = {c00 * over,
                                  (a[2] * a[2 * L + 1] - a[1] * a[2 * L + 2]) * over,
                                  (a[1] * a[L + 2] - a[2] * a[L + 1]) * over,
                                  0.0,
                                  c01 * over,
                                  (a[0] * a[2 * L + 2] - a[2] * a[2 * L]) * over,
                                  (a[2] * a[L] - a[0] * a[L + 2]) * over,
                                  0.0,
                                  c02 * over,
                                  (a[1] * a[2 * L] - a[0] * a[2 * L + 1]) * over,
                                  (a[0] * a[L + 1] - a[1] * a[L]) * over,
                                  0.0};
    std::memcpy(out, values, sizeof values);
    return true;
  } else {
    // Mostly no column needs to be exchanged, and then all indices are known when this is compiled and the inverse takes the place
    // of the block: column k becomes (1, −a_ik)/a_kk, and a_ij its part −a_ik a_kj/a_kk.
    constexpr double kGoodPivot = 0.1;  // of the largest
    Lanes<D> column[D];
    bool in_order = true;
#pragma GCC unroll 6
    for (int j = 0; j < D; ++j) column[j] = load<D>(a + j * L);
#pragma GCC unroll 6
    for (int k = 0; k < D; ++k) {
      const double pivot = column[k][k];
      double most = 0.0;
#pragma GCC unroll 6
      for (int j = k + 1; j < D; ++j) most = std::max(most, std::abs(column[j][k]));
      in_order =
          in_order && std::abs(pivot) >= kGoodPivot * most && std::abs(pivot) > 1e-40 * largest && std::isfinite(pivot);
      column[k][k] = -1.0;
      column[k] *= -1.0 / pivot;
#pragma GCC unroll 6
      for (int j = 0; j < D; ++j) {
        if (j == k) continue;
        const double factor = column[j][k];
        column[j][k] = 0.0;
        column[j] += column[k] * factor;
      }
    }
    if (!in_order) return invert_by_exchange<D>(a, largest, out);
#pragma GCC unroll 6
    for (int j = 0; j < D; ++j) store<D>(out + j * L, column[j]);
    return std::isfinite(largest);
  }
}

}  // namespace tribo::cone
