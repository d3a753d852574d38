// The pairs of blocks that a set of rows couples, and for each pair the few directions all its rows are made of. Rows of
// contacts between the same two bodies are six-dimensional, whatever their number and however many degrees of freedom the
// two have (a robot's link has a twist of six numbers):
//     row_i = r_i T,    r_i: c numbers,  T: c × (size_a + size_b)                                             (1)
// T is a skeleton: it has the identity in c of its columns, so r_i are numbers of the row itself and nothing is computed
// for them. In whitened coordinates (M = L Lᵀ)
//     r̂ow_i = row_i L⁻ᵀ = ρ_i V,   T L⁻ᵀ = U V,   ρ_i = r_i U,   V Vᵀ = I,   so |r̂ow_i| = |ρ_i|               (2)
// with U upper triangular. A pair with few rows, or with at most six columns, keeps its rows whole: T = I, V = I, U = L⁻ᵀ.
//
// T is found by elimination on the rows, columns weighted by their mobility 1/√M_jj so that units do not matter; every row
// is checked against it to 1e-13 and a pair whose rows need more than six directions stays whole.
#pragma once

#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/block_rows.hpp"
#include "tribo/linalg/types.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tribo {

class PairMaps {
 public:
  static constexpr Index kTwist = 6;
  static constexpr Index kManyRows = 512;  // from here on T pays

  struct Pair {
    Index a = -1, b = -1;                 // blocks; -1: absent
    Index size_a = 0, size_b = 0;         // their sizes
    Index start_a = 0, start_b = 0;       // where their columns start
    Index width = 0;                      // c
    bool whole = true;                    // r is the row itself
    std::array<Index, kTwist> columns{};  // otherwise: where r is read from, in 0 … size_a + size_b
    bool identity = true;                 // V = I over the two blocks
    bool over_all = false;                // V is over all columns, not over those of a, then of b
    Index support = 0;                    // numbers per row of V
    Index map = 0, upper = 0, basis = 0;  // where T, U, V begin in numbers()
    Index twist = 0;                      // where V u begins in a vector of all twists
    Index weights = 0;                    // where the columns' mobilities begin in numbers(), while T is fitted
  };

  void start(const BlockLayout& layout);  // forgets everything
  // The pair of two blocks, a new one where it is the first of its kind.
  Index find(Index a, Index b) {
    if (last_ >= 0 && pairs_[last_].a == a && pairs_[last_].b == b) return last_;
    return last_ = look_up(a, b);
  }
  const Pair& operator[](Index p) const { return pairs_[p]; }
  Index size() const { return static_cast<Index>(pairs_.size()); }
  Index twist_size() const { return twist_size_; }

  // T of one pair with `rows` rows. False: it stays whole. Otherwise absorb() the rows of a sample, then end_fit().
  bool begin_fit(Index p, Index rows, const BlockCholesky& factor);
  // One step of elimination: what T leaves of the row becomes a direction if it is more than `share` of it.
  void absorb(Index p, const BlockRows& rows, Index i, double share);
  void end_fit(Index p);
  static constexpr Index kMostRows = 64;  // of a chunk
  // The first row of a chunk (coordinate j of row i at x[j · stride + i]) that is not in T's span; −1: all are.
  Index first_outside(Index p, const double* x, Index stride, Index count);
  void extend(Index p, const BlockRows& rows, Index i);  // by such a row; the pair becomes whole when that is too many

  // U and V. `coupling`, where the mass is not block diagonal: its factor is L C, C lower triangular over all columns.
  void whiten(Index p, const BlockCholesky& factor, const MatrixXd* coupling);
  void number_twists();  // when all pairs are whitened

  const double* numbers(Index offset) const { return store_.data() + offset; }
  // twists ← V u, pair after pair.
  void twists(const VectorIn& u, double* out) const;

 private:
  Index look_up(Index a, Index b);
  void enter(Index p);  // into table_
  void make_basis(Pair& pair, const BlockCholesky& factor, const MatrixXd* coupling);

  const BlockLayout* layout_ = nullptr;
  std::vector<double> row_, rest_;  // scratch of absorb: one row, and what T leaves of it
  bool overflow_ = false;           // T would need more than six directions
  std::vector<Pair> pairs_;
  std::vector<std::int32_t> table_;  // pairs by hash, when there are many; -1: free
  bool hashed_ = false;
  Index last_ = -1;
  Index twist_size_ = 0;
  std::vector<double> store_;
};

}  // namespace tribo
