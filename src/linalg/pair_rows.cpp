#include "tribo/linalg/pair_rows.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/padded.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

using padded::Lanes;
using padded::lanes;

constexpr double kTinySquare = 1e-300;  // rows below move nothing
constexpr Index kChunk = 64;            // rows handled at a time: they stay in the first cache

// w ← Σ_k ρ_k twist_k + b over `count` positions, a multiple of eight; returns the least score, or 0.
template <int Width>
double pass(const double* numbers, Index count, const double* twist, const double* b, const double* weight, double* w,
            Index width) {
  Lanes least = {};
  for (Index i = 0; i < count; i += 8) {
    Lanes sum = {};
    if (b != nullptr) sum = lanes(b + i).v;
    for (Index k = 0; k < (Width > 0 ? Width : width); ++k) sum += lanes(numbers + 8 * k).v * twist[k];
    lanes(w + i).v = sum;
    const Lanes scored = sum * (sum < 0.0 ? -sum : sum) * lanes(weight + i).v;
    least = scored < least ? scored : least;
    numbers += 8 * (Width > 0 ? Width : width);
  }
  return padded::least_of(least);
}

// 1/squared; 1 for rows of zeros, NaN for what is not finite.
Lanes to_weight(const Lanes& squared) {
  const Lanes inverse = 1.0 / squared + (squared - squared);
  return squared <= kTinySquare ? squared - squared + 1.0 : inverse;
}

// y ← L⁻¹ y for a chunk of rows, coordinate by coordinate. L of a free body is nearly diagonal: zeros are skipped.
void whiten_chunk(const MatrixXd& L, double* y, Index count) {
  for (Index j = 0; j < L.rows(); ++j) {
    double* y_j = y + j * kChunk;
    const double scale = 1.0 / L(j, j);
    for (Index k = 0; k < j; ++k) {
      const double factor = L(j, k);
      if (factor == 0.0) continue;
      for (Index i = 0; i < count; i += 8) lanes(y_j + i).v -= factor * lanes(y + k * kChunk + i).v;
    }
    for (Index i = 0; i < count; i += 8) lanes(y_j + i).v *= scale;
  }
}

// The same for eight rows of a free body, in registers.
struct BodyFactor {
  explicit BodyFactor(const MatrixXd& L) : column(L.data()) {
    for (Index j = 0; j < 6; ++j) scale[j] = 1.0 / column[7 * j];
  }
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
  double scale[6];
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

// Where the rows end that couple the same two blocks as row `begin`.
Index end_of_run(const BlockRows& rows, Index begin) {
  const Index a = rows.block(begin, 0), b = rows.block(begin, 1), count = rows.rows();
  constexpr Index kAtOnce = 16;  // compared before the next branch
  Index end = begin + 1;
  for (; end + kAtOnce <= count; end += kAtOnce) {
    Index different = 0;
    for (Index i = end; i < end + kAtOnce; ++i) different |= (rows.block(i, 0) ^ a) | (rows.block(i, 1) ^ b);
    if (different != 0) break;
  }
  while (end < count && rows.block(end, 0) == a && rows.block(end, 1) == b) ++end;
  return end;
}

}  // namespace

void PairRows::assign(std::initializer_list<const BlockRows*> sources, const BlockCholesky& factor,
                      const MatrixXd* coupling, Index most_per_run) {
  maps_.start(factor.layout());
  group(sources, most_per_run);
  weight_.resize(static_cast<std::size_t>(positions_));
  Index total = 0;
  for (Index p = 0; p < slices(); ++p) {
    choose_map(p, factor);
    slices_[p].numbers = total;
    while (true) {
      maps_.whiten(p, factor, coupling);
      numbers_.resize(static_cast<std::size_t>(total + maps_[p].width * slices_[p].padded));
      Index outside = 0;
      if (fill_pair(p, factor, outside)) break;
      const Index row = this->row(outside);  // T does not know this direction
      maps_.extend(p, *sources_[row % source_count_], row / source_count_);
    }
    total += maps_[p].width * slices_[p].padded;
  }
  maps_.number_twists();
}

void PairRows::add_run(Index pair, Index source, Index first, Index count, Index most_per_run) {
  if (pair >= slices()) slices_.resize(static_cast<std::size_t>(pair + 1));
  Layout& layout = slices_[pair];
  const Index stride = count > most_per_run ? (count + most_per_run - 1) / most_per_run : 1;
  count = (count + stride - 1) / stride;
  const auto index = static_cast<Index>(runs_.size());
  (layout.last_run < 0 ? layout.first_run : runs_[layout.last_run].next) = index;
  layout.last_run = index;
  runs_.push_back(
      {pair, layout.count, count, first * source_count_ + source, source_count_ * stride, source, first, -1, stride});
  layout.count += count;
}

void PairRows::group(std::initializer_list<const BlockRows*> sources, Index most_per_run) {
  source_count_ = 0;
  rows_ = 0;
  runs_.clear();
  slices_.clear();
  for (const BlockRows* source : sources) {
    if (source->rows() == 0) continue;
    TRIBO_ASSERT(rows_ == 0 || source->rows() * source_count_ == rows_);
    sources_[source_count_++] = source;
    rows_ += source->rows();
  }
  for (Index s = 0; s < source_count_; ++s) {
    const BlockRows& rows = *sources_[s];
    for (Index begin = 0, end = 0; begin < rows.rows(); begin = end) {
      const Index a = rows.block(begin, 0), b = rows.block(begin, 1);
      end = end_of_run(rows, begin);
      add_run(maps_.find(a, b), s, begin, end - begin, most_per_run);
    }
  }
  positions_ = 0;
  chunks_.clear();
  pair_of_eight_.clear();
  for (Index p = 0; p < slices(); ++p) {
    Layout& layout = slices_[p];
    layout.begin = positions_;
    layout.padded = padded::length(layout.count);
    positions_ += layout.padded;
    for (Index at = 0; at < layout.padded; at += kChunk) {
      chunks_.push_back({layout.begin + at, std::min(kChunk, layout.padded - at)});
    }
    pair_of_eight_.resize(static_cast<std::size_t>(positions_ / 8), static_cast<std::int32_t>(p));
  }
  for (Run& run : runs_) run.position += slices_[run.pair].begin;
}

Index PairRows::row(Index position) const {
  // Runs are in the order of their positions within a pair, and most pairs have few.
  for (Index r = slices_[pair(position)].first_run; r >= 0; r = runs_[r].next) {
    const Index offset = position - runs_[r].position;
    if (offset < runs_[r].count) return runs_[r].row + offset * runs_[r].step;
  }
  return -1;
}

Index PairRows::chunk(Index position) const {
  const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), position,
                                      [](Index at, const Chunk& chunk) { return at < chunk.begin; });
  return after - chunks_.begin() - 1;
}

PairRows::Slice PairRows::slice(Index pair) const {
  const Layout& layout = slices_[pair];
  return {layout.begin,     layout.count,      layout.padded,
          layout.first_run, maps_[pair].width, numbers_.data() + layout.numbers};
}

// T from a sample of the pair's rows; all rows are checked against it when they are filled in.
void PairRows::choose_map(Index p, const BlockCholesky& factor) {
  const Layout& layout = slices_[p];
  if (!maps_.begin_fit(p, layout.count, factor)) return;
  const Index stride = std::max<Index>(1, layout.count / 32);
  for (const double share : {0.3, 0.03, 1e-3, 1e-6}) {  // T's error is rounding over the share: much first
    Index next = 0, before = 0;                         // rows of the pair: to be looked at, in runs before this one
    for (Index r = layout.first_run; r >= 0; before += runs_[r].count, r = runs_[r].next) {
      for (; next < before + runs_[r].count; next += stride) {
        maps_.absorb(p, *sources_[runs_[r].source], runs_[r].first + (next - before) * runs_[r].stride, share);
      }
    }
  }
  maps_.end_fit(p);
}

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
    if (pair.a >= 0) whiten_chunk(factor.block(pair.a), rho, filled);
    if (pair.b >= 0) whiten_chunk(factor.block(pair.b), rho + pair.size_a * kChunk, filled);
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
  const BodyFactor first(factor.block(pair.a)), second(factor.block(two ? pair.b : pair.a));
  for (Index i = 0; i < count; i += 8, out += 8 * pair.width) {
    Lanes squared = first.whiten(r + i, out);
    if (two) squared += second.whiten(r + 6 * kChunk + i, out + 6 * 8);
    lanes(weight + i).v = to_weight(squared);
  }
  for (Index i = count; i < padded::length(count); ++i) weight[i] = 0.0;
}

const double* PairRows::numbers_of(Index position) const {
  const Layout& layout = slices_[pair(position)];
  const Index offset = position - layout.begin, within = offset % 8;
  return numbers_.data() + layout.numbers + (offset - within) * maps_[pair(position)].width + within;
}

double PairRows::norm(Index position) const {
  const double* numbers = numbers_of(position);
  double squared = 0.0;
  for (Index k = 0; k < maps_[pair(position)].width; ++k) squared += numbers[8 * k] * numbers[8 * k];
  return std::sqrt(squared);
}

double PairRows::dot(Index position, const double* y) const {
  const Index p = pair(position);
  const double* numbers = numbers_of(position);
  double sum = 0.0;
  for (Index k = 0; k < maps_[p].width; ++k) sum += numbers[8 * k] * y[k];
  return sum;
}

void PairRows::add_scaled(Index position, double scale, double* x) const {
  const Index p = pair(position);
  const PairMaps::Pair& map = maps_[p];
  const double* numbers = numbers_of(position);
  if (map.identity) {
    for (Index k = 0; k < map.size_a; ++k) x[map.start_a + k] += scale * numbers[8 * k];
    for (Index k = 0; k < map.size_b; ++k) x[map.start_b + k] += scale * numbers[8 * (map.size_a + k)];
    return;
  }
  const double* V = maps_.numbers(map.basis);
  for (Index k = 0; k < map.width; ++k, V += map.support) {
    const double rho = scale * numbers[8 * k];
    if (map.over_all) {
      for (Index i = 0; i < map.support; ++i) x[i] += rho * V[i];
    } else {
      for (Index i = 0; i < map.size_a; ++i) x[map.start_a + i] += rho * V[i];
      for (Index i = 0; i < map.size_b; ++i) x[map.start_b + i] += rho * V[map.size_a + i];
    }
  }
}

void PairRows::multiply(const double* twists, const double* b, double* w, double* least) const {
  for (const Chunk& chunk : chunks_) {
    const Index p = pair(chunk.begin);
    const PairMaps::Pair& map = maps_[p];
    const double* numbers = numbers_.data() + slices_[p].numbers + (chunk.begin - slices_[p].begin) * map.width;
    const auto run = map.width == 6 ? pass<6> : map.width == 3 ? pass<3> : map.width == 12 ? pass<12> : pass<0>;
    *least++ = run(numbers, chunk.count, twists + map.twist, b == nullptr ? nullptr : b + chunk.begin,
                   weight_.data() + chunk.begin, w + chunk.begin, map.width);
  }
}

}  // namespace tribo
