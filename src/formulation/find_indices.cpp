#include "formulation/find_indices.hpp"

#include "tribo/linalg/padded.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

using padded::Lanes;
using padded::lanes;

constexpr double kShares[] = {1e-2, FindIndices::kClearlyIndependent,
                              FindIndices::kIndependent};  // rows that bring much come first
constexpr Index kChunk = 64;

// A chunk of rows, eight after another as in a slice, without their parts along the candidates so far, and what is left of
// each.
struct Chunk {
  const double* rows;    // where they are now: in the slice, and in `rest` as soon as something was taken away
  double* rest;          // count × width
  const double* weight;  // 1/|row|², 0: not to be chosen
  Index count, width;    // count: a multiple of eight
  double most = 0.0;     // the largest share that is left, squared
  Index best = 0;        // whose it is, the first one on ties

  double at(Index i, Index j) const { return rows[i / 8 * 8 * width + 8 * j + i % 8]; }

  // Nothing was taken away yet: all of a row is left, unless it is a row of zeros.
  void choose_first() {
    for (best = 0; best < count; ++best) {
      double squared = 0.0;
      for (Index j = 0; j < width; ++j) squared += at(best, j) * at(best, j);
      most = squared * weight[best];
      if (most > 0.5) return;
    }
    best = 0;
    most = 0.0;
  }

  void copy_best(double scale, double* q) const {
    const double* row = rows + best / 8 * 8 * width + best % 8;
    if (width == 12) {
#pragma GCC unroll 12
      for (Index j = 0; j < 12; ++j) q[j] = scale * row[8 * j];
      return;
    }
    for (Index j = 0; j < width; ++j) q[j] = scale * row[8 * j];
  }

  // Takes away what lies along q and looks at what is left.
  void take_away(const double* q) {
    if (width == 6) return take_away<6>(q);
    if (width == 12) return take_away<12>(q);
    take_away<0>(q);
  }

  template <int Width>
  void take_away(const double* q) {
    const Index c = Width > 0 ? Width : width;
    Lanes largest = {}, owner = {}, place = {0, 1, 2, 3, 4, 5, 6, 7};
    for (Index i = 0; i < count; i += 8, place += 8.0) {
      const double* from = rows + i * c;
      double* to = rest + i * c;
      Lanes dot[2] = {}, squared[2] = {};  // two sums, so that neither waits for the other
      for (Index j = 0; j < c; ++j) dot[j % 2] += q[j] * lanes(from + 8 * j).v;
      dot[0] += dot[1];
      for (Index j = 0; j < c; ++j) {
        const Lanes left = lanes(from + 8 * j).v - q[j] * dot[0];
        lanes(to + 8 * j).v = left;
        squared[j % 2] += left * left;
      }
      const Lanes share = (squared[0] + squared[1]) * lanes(weight + i).v;
      owner = share > largest ? place : owner;
      largest = share > largest ? share : largest;
    }
    rows = rest;
    most = padded::largest_of(largest);
    const Lanes none = Lanes{} + static_cast<double>(count);
    const double first = padded::least_of(largest == most ? owner : none);
    best = first < static_cast<double>(count) ? static_cast<Index>(first) : 0;
  }
};

// The largest share, squared, that rows [begin, begin + count) of a slice of width six have beside a basis: the chunk above
// without its memory, for the many chunks that bring nothing.
double most_left(const PairRows::Slice& slice, Index begin, Index count, const double* basis, Index rank,
                 const double* weight) {
  Lanes most = {};
  for (Index i = 0; i < count; i += 8) {
    Lanes y[6];
    const double* rho = slice.eight(begin + i);
    for (Index j = 0; j < 6; ++j) y[j] = lanes(rho + 8 * j).v;
    for (Index k = 0; k < rank; ++k) {
      const double* q = basis + 6 * k;
      Lanes dot = q[0] * y[0];
      for (Index j = 1; j < 6; ++j) dot += q[j] * y[j];
      for (Index j = 0; j < 6; ++j) y[j] -= q[j] * dot;
    }
    Lanes squared = y[0] * y[0];
    for (Index j = 1; j < 6; ++j) squared += y[j] * y[j];
    squared *= lanes(weight + i).v;
    most = squared > most ? squared : most;
  }
  return padded::largest_of(most);
}

}  // namespace

void FindIndices::whiten(const BlockRows& J, Index i, const BlockCholesky& factor, const MatrixXd* coupling,
                         double* x) {
  J.whiten(i, factor, x);
  if (coupling != nullptr) whiten_row(*coupling, x);
}

void FindIndices::choose_candidates(const PairRows& tangents, Index pair, const std::vector<char>& skip) {
  const PairRows::Slice slice = tangents.slice(pair);
  const Index width = tangents.maps()[pair].width;
  const std::size_t basis_size = static_cast<std::size_t>(width * width);
  if (basis_.size() < basis_size) basis_.resize(basis_size);
  if (rest_.size() < static_cast<std::size_t>(width * kChunk)) rest_.resize(static_cast<std::size_t>(width * kChunk));
  const double* weight = tangents.weights() + slice.begin;
  if (!skip.empty()) {  // rows that are not imposed have no weight
    weight_.assign(weight, weight + slice.padded);
    for (Index r = slice.first_run; r >= 0; r = tangents.runs()[r].next) {
      const PairRows::Run& run = tangents.runs()[r];
      for (Index i = 0; i < run.count; ++i) {
        if (skip[run.row + i * run.step] != 0) weight_[run.position - slice.begin + i] = 0.0;
      }
    }
    weight = weight_.data();
  }
  Index rank = 0;
  const auto direction = [&](Index k) { return basis_.data() + k * width; };
  const auto load = [&](Index begin) {
    Chunk chunk{slice.eight(begin), rest_.data(), weight + begin, std::min(kChunk, slice.padded - begin), width};
    if (rank == 0) chunk.choose_first();
    for (Index k = 0; k < rank; ++k) chunk.take_away(direction(k));
    return chunk;
  };
  const auto accept = [&](Index begin, const Chunk& chunk) {
    double* q = direction(rank);
    chunk.copy_best(std::sqrt(weight[begin + chunk.best] / chunk.most), q);
    if (rank > 0 && chunk.most < 0.1 * kShares[0]) {  // rounding matters beside what is left: a second time
      for (Index k = 0; k < rank; ++k) {
        const double* other = direction(k);
        double dot = 0.0;
        for (Index j = 0; j < width; ++j) dot += q[j] * other[j];
        for (Index j = 0; j < width; ++j) q[j] -= dot * other[j];
      }
      double squared = 0.0;
      for (Index j = 0; j < width; ++j) squared += q[j] * q[j];
      const double scale = 1.0 / std::sqrt(squared);
      for (Index j = 0; j < width; ++j) q[j] *= scale;
    }
    const Index position = slice.begin + begin + chunk.best;
    trials_.push_back({{true, tangents.row(position), position}, 1.0});
    ++rank;
  };
  // Rows that bring much as they come; what stays out is looked at again, the row that brings most first, until none
  // brings more than the least share. Mostly nothing is left after the first pass.
  double left = 0.0;
  for (Index begin = 0; begin < slice.count && rank < width; begin += kChunk) {
    if (width == 6 && rank > 0) {
      const Index count = std::min(kChunk, slice.padded - begin);
      const double most = most_left(slice, begin, count, basis_.data(), rank, weight + begin);
      if (!(most > kShares[0] * kShares[0])) {
        left = std::max(left, most);
        continue;
      }
    }
    Chunk chunk = load(begin);
    while (rank < width && chunk.most > kShares[0] * kShares[0]) {
      accept(begin, chunk);
      chunk.take_away(direction(rank - 1));
    }
    left = std::max(left, chunk.most);
  }
  const double least = least_share_ * least_share_;
  while (rank < width && left > least) {
    Index best = 0;
    left = 0.0;
    for (Index begin = 0; begin < slice.count; begin += kChunk) {
      const Chunk chunk = load(begin);
      if (!(chunk.most > left)) continue;
      left = chunk.most;
      best = begin;
    }
    if (left > least) accept(best, load(best));
  }
  left_out_ = left_out_ || (rank < width && left > kIndependent * kIndependent);
  full_ = full_ && rank == width;
}

void FindIndices::run(const BlockRows& J, const BlockCholesky& factor, const MatrixXd* coupling,
                      const PairRows& tangents, const std::vector<char>& skip, Index m, double least_share) {
  trials_.clear();
  accepted_.clear();
  full_ = true;
  left_out_ = false;
  least_share_ = least_share;
  for (Index i = 0; i < J.rows(); ++i) trials_.push_back({{false, i, 0}, 1.0});
  for (Index p = 0; p < tangents.slices(); ++p) choose_candidates(tangents, p, skip);
  qr_.reserve(m, std::min(m, static_cast<Index>(trials_.size())));
  const auto write = [&](const Accepted& row, double* x) {
    padded::clear(x, qr_.padded());
    if (row.tangent) {
      tangents.add_scaled(row.position, 1.0, x);
    } else {
      whiten(J, row.row, factor, coupling, x);
    }
  };
  const auto is_open = [&](const Trial& trial) {
    return trial.share > (trial.row.tangent ? least_share_ : kIndependent);
  };
  // Rows are written some time before they are tested: what was written number by number a moment ago is slow to read in
  // whole registers.
  constexpr std::size_t kAhead = 16;
  const auto length = static_cast<std::size_t>(qr_.padded());
  if (rows_.size() < kAhead * length) rows_.resize(kAhead * length);
  for (const double share : kShares) {
    bool done = true;
    for (std::size_t begin = 0; begin < trials_.size(); begin += kAhead) {
      const std::size_t end = std::min(begin + kAhead, trials_.size());
      for (std::size_t i = begin; i < end; ++i) {
        if (is_open(trials_[i])) write(trials_[i].row, rows_.data() + (i - begin) * length);
      }
      for (std::size_t i = begin; i < end; ++i) {
        Trial& trial = trials_[i];
        if (qr_.size() == m) {
          left_out_ = false;
          return;
        }
        if (!is_open(trial)) continue;
        const double rest = qr_.test_padded(rows_.data() + (i - begin) * length), squared = qr_.tested_squared();
        trial.share = squared > 0.0 ? rest / std::sqrt(squared) : 0.0;
        if (trial.share > share) {
          qr_.append();
          accepted_.push_back(trial.row);
          trial.share = 0.0;
        } else if (is_open(trial)) {
          done = false;
        } else if (trial.share > kIndependent) {
          left_out_ = true;
        }
      }
    }
    if (done) return;
  }
}

}  // namespace tribo
