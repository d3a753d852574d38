// Rows in whitened coordinates, pair by pair: c numbers ρ per row, eight rows side by side, so that a pass over
// all rows is c multiply-adds per row in vector registers on one stream of memory. See pair_maps.hpp for the mathematics.
//
// A row's place here is its position. Rows of one pair are together, in the order they were given (source by source), and
// every pair begins at a multiple of eight; positions in between hold no row: ρ = 0, norm 0.
#pragma once

#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/pair_maps.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <span>

namespace tribo {

class PairRows {
 public:
  static constexpr Index kChunk = 64;  // rows handled at a time: they stay in the first cache

  // Takes row i of source s as row i·k + s, of k sources that have rows (at most three, all of one length). `coupling`: see
  // PairMaps::whiten. With `most_per_run` only a sample is taken: so many of a run, evenly spread.
  void assign(std::initializer_list<const BlockRows*> sources, const BlockCholesky& factor,
              const MatrixXd* coupling = nullptr, Index most_per_run = std::numeric_limits<Index>::max());

  const PairMaps& maps() const { return maps_; }
  Index rows() const { return rows_; }
  Index positions() const { return positions_; }
  double norm(Index position) const;
  // 1/|ρ|² of every position; 1 for rows of zeros, 0 where no row is, NaN for rows that are not finite.
  const double* weights() const { return weight_.data(); }

  // Consecutive rows of one source and one pair: row, row + step, … at position, position + 1, …
  struct Run {
    Index pair = 0, position = 0, count = 0;
    Index row = 0, step = 1;
    Index source = 0, first = 0;  // where they come from
    Index next = -1;              // the next run of the pair
    Index stride = 1;             // from one row to the next in the source
  };
  std::span<const Run> runs() const { return runs_; }
  Index row(Index position) const;  // −1: none. O(runs of the pair)
  Index pair(Index position) const { return pair_of_eight_[position / 8]; }

  // The numbers of one pair, for passes written elsewhere, eight positions after another: coordinate k of position
  // begin + at + i is eight(at)[8 k + i], `at` a multiple of 8.
  struct Slice {
    Index begin = 0, count = 0, padded = 0;  // positions
    Index first_run = -1;
    Index width = 0;
    const double* numbers = nullptr;
    const double* eight(Index at) const { return numbers + at * width; }
  };
  Index slices() const { return static_cast<Index>(slices_.size()); }
  Slice slice(Index pair) const;

  double dot(Index position, const double* y) const;               // ρ_i · y, for y of the row's pair
  void add_scaled(Index position, double scale, double* x) const;  // x += scale ρ_i V

  // One pass: w ← ρ · twist + b for every position, and the least score of every chunk of up to kChunk positions. The score
  // w |w| / |ρ|² orders violated rows as w / |ρ| does, without a square root per row. b may be null: zeros.
  void multiply(const double* twists, const double* b, double* w, double* least) const;
  struct Chunk {
    Index begin = 0, count = 0;
  };
  std::span<const Chunk> chunks() const { return chunks_; }
  static double score(double w, double weight) { return w * std::abs(w) * weight; }
  Index chunk(Index position) const;  // the one it is in. O(log chunks)

 private:
  struct Layout {
    Index begin = 0, count = 0, padded = 0, first_run = -1, last_run = -1, numbers = 0;
  };
  class RunReader;
  const double* numbers_of(Index position) const;  // coordinate k is 8 k further on
  void group(std::initializer_list<const BlockRows*> sources, Index most_per_run);
  void add_run(Index pair, Index source, Index first, Index count, Index most_per_run);
  void choose_map(Index pair, const BlockCholesky& factor);
  bool fill_pair(Index pair, const BlockCholesky& factor, Index& outside);
  void fill_chunk(Index pair, Index begin, Index count, const BlockCholesky& factor);
  void fill_bodies(Index pair, Index begin, Index count, const BlockCholesky& factor);

  PairMaps maps_;
  std::array<const BlockRows*, 3> sources_{};
  Index source_count_ = 0, rows_ = 0, positions_ = 0;
  std::vector<Run> runs_;
  std::vector<Layout> slices_;  // per pair
  std::vector<std::int32_t> pair_of_eight_;
  std::vector<Chunk> chunks_;
  padded::Vector numbers_, weight_;
  padded::Vector chunk_rows_;  // scratch: rows of one chunk, coordinate by coordinate
};

}  // namespace tribo
