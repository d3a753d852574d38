#include "tribo/linalg/pair_maps.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/padded.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

using padded::Lanes;
using padded::lanes;

constexpr double kInSpan = 1e-13;  // of a row's size: what T may leave of it

std::size_t hash(Index a, Index b) {
  auto x = static_cast<std::uint64_t>(a + 1) * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(b + 1);
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ULL;
  return static_cast<std::size_t>(x ^ (x >> 32));
}

// The larger of a and |b|.
Lanes larger(const Lanes& a, const Lanes& b) {
  const Lanes most = b > a ? b : a;
  return -b > most ? -b : most;
}

}  // namespace

void PairMaps::start(const BlockLayout& layout) {
  layout_ = &layout;
  pairs_.clear();
  store_.clear();
  last_ = -1;
  hashed_ = false;
}

void PairMaps::enter(Index p) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash(pairs_[p].a, pairs_[p].b) & mask;
  while (table_[at] >= 0) at = (at + 1) & mask;
  table_[at] = static_cast<std::int32_t>(p);
}

Index PairMaps::look_up(Index a, Index b) {
  constexpr Index kFew = 16;  // looking at all of them is faster than a table
  if (!hashed_) {
    for (Index p = 0; p < size(); ++p) {
      if (pairs_[p].a == a && pairs_[p].b == b) return p;
    }
  } else {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = hash(a, b) & mask; table_[at] >= 0; at = (at + 1) & mask) {
      const Pair& pair = pairs_[table_[at]];
      if (pair.a == a && pair.b == b) return table_[at];
    }
  }
  Pair pair;
  pair.a = a;
  pair.b = b;
  if (a >= 0) {
    pair.size_a = layout_->size(a);
    pair.start_a = layout_->start(a);
  }
  if (b >= 0) {
    pair.size_b = layout_->size(b);
    pair.start_b = layout_->start(b);
  }
  pairs_.push_back(pair);
  if (size() <= kFew) return size() - 1;
  if (!hashed_ || 2 * pairs_.size() > table_.size()) {
    table_.assign(std::max<std::size_t>(64, hashed_ ? 2 * table_.size() : table_.size()), -1);
    hashed_ = true;
    for (Index p = 0; p < size(); ++p) enter(p);
  } else {
    enter(size() - 1);
  }
  return size() - 1;
}

bool PairMaps::begin_fit(Index p, Index rows, const BlockCholesky& factor) {
  Pair& pair = pairs_[p];
  const Index d = pair.size_a + pair.size_b;
  pair.whole = true;
  pair.width = d;
  if (d <= kTwist || rows < kManyRows) return false;
  pair.map = static_cast<Index>(store_.size());
  pair.weights = pair.map + kTwist * d;
  store_.resize(static_cast<std::size_t>(pair.weights + d));
  if (row_.size() < static_cast<std::size_t>(d)) {
    row_.resize(static_cast<std::size_t>(d));
    rest_.resize(static_cast<std::size_t>(d));
  }
  for (Index j = 0; j < d; ++j) {
    const MatrixXd& L = factor.block(j < pair.size_a ? pair.a : pair.b);
    const Index row = j < pair.size_a ? j : j - pair.size_a;
    double squared = 0.0;
    for (Index k = 0; k <= row; ++k) squared += L(row, k) * L(row, k);
    store_[pair.weights + j] = 1.0 / std::sqrt(squared);
  }
  pair.whole = false;
  pair.width = 0;
  overflow_ = false;
  return true;
}

void PairMaps::absorb(Index p, const BlockRows& rows, Index i, double share) {
  Pair& pair = pairs_[p];
  const Index d = pair.size_a + pair.size_b;
  double* T = store_.data() + pair.map;
  const double* weight = store_.data() + pair.weights;
  std::copy_n(rows.values(i, 0), pair.size_a, row_.data());
  std::copy_n(rows.values(i, 1), pair.size_b, row_.data() + pair.size_a);
  std::copy_n(row_.data(), d, rest_.data());
  for (Index k = 0; k < pair.width; ++k) {
    const double r = row_[pair.columns[k]];
    for (Index j = 0; j < d; ++j) rest_[j] -= r * T[k * d + j];
  }
  double size = 0.0, largest = 0.0;
  Index pivot = 0;
  for (Index j = 0; j < d; ++j) {
    size = std::max(size, std::abs(row_[j]) * weight[j]);
    const double left = std::abs(rest_[j]) * weight[j];
    if (left > largest) {
      largest = left;
      pivot = j;
    }
  }
  if (!(largest > share * size)) return;
  if (pair.width == kTwist) {
    overflow_ = overflow_ || largest > kInSpan * size;
    return;
  }
  const double scale = rest_[pivot];
  double* fresh = T + pair.width * d;
  for (Index j = 0; j < d; ++j) fresh[j] = rest_[j] / scale;
  for (Index k = 0; k < pair.width; ++k) {
    const double factor = T[k * d + pivot];
    for (Index j = 0; j < d; ++j) T[k * d + j] -= factor * fresh[j];
    T[k * d + pivot] = 0.0;
    fresh[pair.columns[k]] = 0.0;
  }
  pair.columns[pair.width++] = pivot;
}

void PairMaps::end_fit(Index p) {
  Pair& pair = pairs_[p];
  if (!overflow_ && pair.width > 0) return;
  pair.whole = true;
  pair.width = pair.size_a + pair.size_b;
}

Index PairMaps::first_outside(Index p, const double* x, Index stride, Index count) {
  const Pair& pair = pairs_[p];
  const Index d = pair.size_a + pair.size_b;
  const double* T = store_.data() + pair.map;
  const double* weight = store_.data() + pair.weights;
  // Column by column, eight rows at a time; a chunk is filled up with zeros. What T leaves of its own columns is zero.
  Lanes size[kMostRows / 8] = {}, left[kMostRows / 8] = {};
  TRIBO_ASSERT(count <= kMostRows);
  for (Index j = 0; j < d; ++j) {
    const auto end = pair.columns.begin() + pair.width;
    const bool own = std::find(pair.columns.begin(), end, j) != end;
    std::array<const double*, kTwist> column{};
    std::array<double, kTwist> t{};
    int used = 0;
    for (Index k = 0; k < pair.width && !own; ++k) {
      if (T[k * d + j] == 0.0) continue;
      column[used] = x + pair.columns[k] * stride;
      t[used++] = T[k * d + j];
    }
    const double* values = x + j * stride;
    for (Index i = 0; i < count; i += 8) {
      const Lanes value = lanes(values + i).v;
      size[i / 8] = larger(size[i / 8], value * weight[j]);
      if (own) continue;
      Lanes rest = value;
      for (int k = 0; k < used; ++k) rest -= lanes(column[k] + i).v * t[k];
      left[i / 8] = larger(left[i / 8], rest * weight[j]);
    }
  }
  for (Index begin = 0; begin < count; begin += 8) {
    const Lanes beyond = left[begin / 8] - kInSpan * size[begin / 8];
    if (padded::largest_of(beyond) <= 0.0) continue;
    for (Index i = 0; i < 8 && begin + i < count; ++i) {
      if (beyond[i] > 0.0) return begin + i;
    }
  }
  return -1;
}

void PairMaps::extend(Index p, const BlockRows& rows, Index i) {
  const Index before = pairs_[p].width;
  absorb(p, rows, i, kInSpan);
  if (pairs_[p].width == before) overflow_ = true;
  end_fit(p);
}

void PairMaps::whiten(Index p, const BlockCholesky& factor, const MatrixXd* coupling) {
  Pair& pair = pairs_[p];
  pair.identity = pair.whole && coupling == nullptr;
  pair.over_all = coupling != nullptr;
  pair.support = pair.over_all ? factor.layout().size() : pair.size_a + pair.size_b;
  if (!pair.identity) make_basis(pair, factor, coupling);
}

void PairMaps::number_twists() {
  twist_size_ = 0;
  for (Pair& pair : pairs_) {
    pair.twist = twist_size_;
    twist_size_ += pair.width;
  }
}

// T L⁻ᵀ = U V by Gram–Schmidt from the last row to the first, so that U is upper triangular; each row twice.
void PairMaps::make_basis(Pair& pair, const BlockCholesky& factor, const MatrixXd* coupling) {
  const Index c = pair.width, d = pair.size_a + pair.size_b, length = pair.support;
  pair.upper = static_cast<Index>(store_.size());
  pair.basis = pair.upper + c * c;
  store_.resize(pair.basis + c * length);
  double* U = store_.data() + pair.upper;
  double* V = store_.data() + pair.basis;
  const double* T = store_.data() + pair.map;
  std::fill_n(U, c * c + c * length, 0.0);
  for (Index k = 0; k < c; ++k) {
    double* row = V + k * length;
    double* at_a = pair.over_all ? row + pair.start_a : row;
    double* at_b = pair.over_all ? row + pair.start_b : row + pair.size_a;
    for (Index j = 0; j < d; ++j) {
      double& entry = j < pair.size_a ? at_a[j] : at_b[j - pair.size_a];
      entry = pair.whole ? (j == k ? 1.0 : 0.0) : T[k * d + j];
    }
    if (pair.a >= 0) factor.whiten_row(pair.a, at_a);
    if (pair.b >= 0) factor.whiten_row(pair.b, at_b);
    if (coupling != nullptr) whiten_row(*coupling, row);
  }
  for (Index k = c - 1; k >= 0; --k) {
    double* row = V + k * length;
    for (int pass = 0; pass < 2; ++pass) {
      for (Index j = c - 1; j > k; --j) {
        const double* other = V + j * length;
        double dot = 0.0;
        for (Index i = 0; i < length; ++i) dot += row[i] * other[i];
        for (Index i = 0; i < length; ++i) row[i] -= dot * other[i];
        U[k * c + j] += dot;
      }
    }
    double squared = 0.0;
    for (Index i = 0; i < length; ++i) squared += row[i] * row[i];
    const double norm = std::sqrt(squared);
    U[k * c + k] = norm;
    for (Index i = 0; i < length && norm > 0.0; ++i) row[i] /= norm;
  }
}

void PairMaps::twists(const VectorIn& u, double* out) const {
  for (const Pair& pair : pairs_) {
    double* twist = out + pair.twist;
    if (pair.identity) {
      std::copy_n(u.data() + pair.start_a, pair.size_a, twist);
      std::copy_n(u.data() + pair.start_b, pair.size_b, twist + pair.size_a);
      continue;
    }
    const double* V = numbers(pair.basis);
    for (Index k = 0; k < pair.width; ++k, V += pair.support) {
      double sum = 0.0;
      if (pair.over_all) {
        for (Index i = 0; i < pair.support; ++i) sum += V[i] * u(i);
      } else {
        for (Index i = 0; i < pair.size_a; ++i) sum += V[i] * u(pair.start_a + i);
        for (Index i = 0; i < pair.size_b; ++i) sum += V[pair.size_a + i] * u(pair.start_b + i);
      }
      twist[k] = sum;
    }
  }
}

}  // namespace tribo
