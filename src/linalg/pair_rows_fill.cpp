// How PairRows gets its numbers: a pair's rows are read eight by eight from where they lie, side by side, whitened, and
// written to their place with their weights.
#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/pair_rows.hpp"

#include <algorithm>

namespace tribo {
namespace {

using padded::Lanes;
using padded::lanes;

constexpr double kTinySquare = 1e-300;  // rows below move nothing
constexpr Index kChunk = PairRows::kChunk;

// 1/squared; 1 for rows of zeros, NaN for what is not finite.
Lanes to_weight(const Lanes& squared) {
  const Lanes inverse = 1.0 / squared + (squared - squared);
  return squared <= kTinySquare ? squared - squared + 1.0 : inverse;
}

// y ← L⁻¹ y for a chunk of rows, coordinate by coordinate. L of a free body is nearly diagonal: zeros are skipped.
void whiten_chunk(const BlockCholesky& factor, Index block, double* y, Index count) {
  const MatrixXd& L = factor.block(block);
  for (Index j = 0; j < L.rows(); ++j) {
    double* y_j = y + j * kChunk;
    const double scale = factor.inverse_diagonal(block)[j];
    for (Index k = 0; k < j; ++k) {
      const double l = L(j, k);
      if (l == 0.0) continue;
      for (Index i = 0; i < count; i += 8) lanes(y_j + i).v -= l * lanes(y + k * kChunk + i).v;
    }
    for (Index i = 0; i < count; i += 8) lanes(y_j + i).v *= scale;
  }
}

// The same for eight rows of a free body, in registers.
struct BodyFactor {
  BodyFactor(const BlockCholesky& factor, Index block)
      : column(factor.block(block).data()), scale(factor.inverse_diagonal(block)) {}
  // From a chunk to their place; returns |ρ|².
  Lanes whiten(const double* r, double* out) const {
    Lanes y[6], squared = {};
#pragma GCC unroll 6
    for (Index j = 0; j < 6; ++j) {
      y[j] = lanes(r + j * kChunk).v;
#pragma GCC unroll 6
      for (Index k = 0; k < j; ++k) y[j] -= column[6 * k + j] * y[k];
      y[j] *= scale[j];
      lanes(out + 8 * j).v = y[j];
      squared += y[j] * y[j];
    }
    return squared;
  }
  const double* column;  // six of six
  const double* scale;   // 1/L_jj
};

// Eight rows of `size` numbers, row i at row(i), into a column of a chunk for each number. Two columns at a time: a pair of
// numbers is the least that is moved at once.
template <int Size, typename Row>
void transpose_eight(const Row& row, Index any_size, double* to) {
  using padded::FourLanes;
  using padded::two_lanes;
  const Index size = Size > 0 ? Size : any_size;
  Index k = 0;
  for (; k + 2 <= size; k += 2, to += 2 * kChunk) {
    const auto four = [&row, k](Index i) {
      const FourLanes a = __builtin_shufflevector(two_lanes(row(i) + k), two_lanes(row(i + 1) + k), 0, 1, 2, 3);
      const FourLanes b = __builtin_shufflevector(two_lanes(row(i + 2) + k), two_lanes(row(i + 3) + k), 0, 1, 2, 3);
      return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    };
    const Lanes first = four(0), last = four(4);
    lanes(to).v = __builtin_shufflevector(first, last, 0, 2, 4, 6, 8, 10, 12, 14);
    lanes(to + kChunk).v = __builtin_shufflevector(first, last, 1, 3, 5, 7, 9, 11, 13, 15);
  }
  for (Index i = 0; i < 8 && k < size; ++i) to[i] = row(i)[k];
}

template <typename Row>
void transpose_eight(const Row& row, Index size, double* to) {
  if (size == 6) return transpose_eight<6>(row, size, to);
  if (size == 12) return transpose_eight<12>(row, size, to);
  transpose_eight<0>(row, size, to);
}

}  // namespace

// Reads the rows of a pair eight by eight, whatever runs they come from.
class PairRows::RunReader {
 public:
  RunReader(const PairRows& rows, Index first_run) : rows_(rows) { enter(first_run); }

  // The next eight as columns of a chunk, zeros after the last row.
  void next_eight(Index size, double* to) {
    if (left_ >= 8) {
      const double* from = from_;
      const Index step = size * stride_;  // rows of a run have equal sizes, so they are at equal distances
      transpose_eight([from, step](Index i) { return from + i * step; }, size, to);
      advance(8, step);
      return;
    }
    const double* eight[8];
    Index count = 0;
    for (; count < 8 && left_ > 0; ++count) {
      eight[count] = from_;
      advance(1, size * stride_);
    }
    for (Index i = count; i < 8; ++i) eight[i] = eight[0];
    transpose_eight([&eight](Index i) { return eight[i]; }, size, to);
    const Lanes place = {0, 1, 2, 3, 4, 5, 6, 7};
    for (Index k = 0; k < size && count < 8; ++k) {
      const Lanes value = lanes(to + k * kChunk).v;
      lanes(to + k * kChunk).v = place < static_cast<double>(count) ? value : Lanes{};
    }
  }

 private:
  void enter(Index run) {
    run_ = run;
    if (run < 0) return;
    const Run& entered = rows_.runs_[run];
    left_ = entered.count;
    stride_ = entered.stride;
    from_ = rows_.sources_[entered.source]->values(entered.first, 0);
  }
  void advance(Index rows, Index step) {
    left_ -= rows;
    if (left_ == 0) return enter(rows_.runs_[run_].next);
    from_ += rows * step;
  }

  const PairRows& rows_;
  Index run_ = -1, left_ = 0, stride_ = 1;
  const double* from_ = nullptr;  // the next row
};

// All rows of a pair, chunk by chunk. False: the row at `outside` is not in T's span.
bool PairRows::fill_pair(Index p, const BlockCholesky& factor, Index& outside) {
  const PairMaps::Pair& pair = maps_[p];
  const Layout& layout = slices_[p];
  const Index d = pair.size_a + pair.size_b;
  const std::size_t scratch = static_cast<std::size_t>((d + PairMaps::kTwist) * kChunk);
  if (chunk_rows_.size() < scratch) chunk_rows_.resize(scratch);
  double* x = chunk_rows_.data();
  RunReader reader(*this, layout.first_run);
  for (Index begin = 0; begin < layout.count; begin += kChunk) {
    const Index count = std::min(kChunk, layout.count - begin);
    for (Index at = 0; at < count; at += 8) reader.next_eight(d, x + at);
    if (!pair.whole) {
      if (const Index failed = maps_.first_outside(p, x, kChunk, count); failed >= 0) {
        outside = layout.begin + begin + failed;
        return false;
      }
    }
    if (pair.identity && pair.size_a == 6 && (pair.b < 0 || pair.size_b == 6)) {
      fill_bodies(p, begin, count, factor);
    } else {
      fill_chunk(p, begin, count, factor);
    }
  }
  return true;
}

// ρ = r U of the rows in chunk_rows_, their norms, and zeros up to the next multiple of eight.
void PairRows::fill_chunk(Index p, Index begin, Index count, const BlockCholesky& factor) {
  const PairMaps::Pair& pair = maps_[p];
  const Layout& layout = slices_[p];
  const Index c = pair.width, filled = padded::length(count);
  double* rho = chunk_rows_.data();
  if (!pair.whole) {
    const double* x = rho;
    rho += (pair.size_a + pair.size_b) * kChunk;
    for (Index k = 0; k < c; ++k) std::copy_n(x + pair.columns[k] * kChunk, filled, rho + k * kChunk);
  }
  if (pair.identity) {
    if (pair.a >= 0) whiten_chunk(factor, pair.a, rho, filled);
    if (pair.b >= 0) whiten_chunk(factor, pair.b, rho + pair.size_a * kChunk, filled);
  } else {
    const double* U = maps_.numbers(pair.upper);
    for (Index j = c - 1; j >= 0; --j) {
      double* y = rho + j * kChunk;
      for (Index i = 0; i < filled; i += 8) lanes(y + i).v *= U[j * c + j];
      for (Index k = 0; k < j; ++k) {
        const double u = U[k * c + j];
        for (Index i = 0; i < filled; i += 8) lanes(y + i).v += u * lanes(rho + k * kChunk + i).v;
      }
    }
  }
  double* out = numbers_.data() + layout.numbers + begin * c;
  double* weight = weight_.data() + layout.begin + begin;
  for (Index i = 0; i < filled; i += 8) {
    Lanes squared = {};
    for (Index k = 0; k < c; ++k) {
      const Lanes value = lanes(rho + k * kChunk + i).v;
      lanes(out + i * c + 8 * k).v = value;
      squared += value * value;
    }
    lanes(weight + i).v = to_weight(squared);
  }
  for (Index i = count; i < filled; ++i) weight[i] = 0.0;  // no row
}

// The same for one or two free bodies, the commonest kind.
void PairRows::fill_bodies(Index p, Index begin, Index count, const BlockCholesky& factor) {
  const PairMaps::Pair& pair = maps_[p];
  const Layout& layout = slices_[p];
  const double* r = chunk_rows_.data();
  double* out = numbers_.data() + layout.numbers + begin * pair.width;
  double* weight = weight_.data() + layout.begin + begin;
  const bool two = pair.b >= 0;
  const BodyFactor first(factor, pair.a), second(factor, two ? pair.b : pair.a);
  for (Index i = 0; i < count; i += 8, out += 8 * pair.width) {
    Lanes squared = first.whiten(r + i, out);
    if (two) squared += second.whiten(r + 6 * kChunk + i, out + 6 * 8);
    lanes(weight + i).v = to_weight(squared);
  }
  for (Index i = count; i < padded::length(count); ++i) weight[i] = 0.0;
}

}  // namespace tribo
