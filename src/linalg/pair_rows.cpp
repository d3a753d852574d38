#include "tribo/linalg/pair_rows.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/padded.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

using padded::Lanes;
using padded::lanes;

// w ← Σ_k ρ_k twist_k + b over `count` positions, a multiple of eight; returns the least score, or 0.
template <int Width>
double pass(const double* numbers, Index count, const double* twist, const double* b, const double* weight, double* w,
            Index width) {
  Lanes least = {};
  for (Index i = 0; i < count; i += 8) {
    Lanes sums[2] = {};  // neither waits for the other
    if (b != nullptr) sums[0] = lanes(b + i).v;
    for (Index k = 0; k < (Width > 0 ? Width : width); ++k) sums[k % 2] += lanes(numbers + 8 * k).v * twist[k];
    const Lanes sum = sums[0] + sums[1];
    lanes(w + i).v = sum;
    const Lanes scored = sum * (sum < 0.0 ? -sum : sum) * lanes(weight + i).v;
    least = scored < least ? scored : least;
    numbers += 8 * (Width > 0 ? Width : width);
  }
  return padded::least_of(least);
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
    const auto add = [scale](const double* from, Index size, double* to) {
      if (size == 6) {  // a free body
#pragma GCC unroll 6
        for (Index k = 0; k < 6; ++k) to[k] += scale * from[8 * k];
        return;
      }
      for (Index k = 0; k < size; ++k) to[k] += scale * from[8 * k];
    };
    add(numbers, map.size_a, x + map.start_a);
    add(numbers + 8 * map.size_a, map.size_b, x + map.start_b);
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
