// Constraint rows that touch at most two blocks each: 12 numbers for a contact between two free bodies, whatever
// the number of bodies. The layout (where each block starts) is the mass matrix's.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/linalg/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tribo {

class BlockRows {
 public:
  // The part of a row that lies in one block: values has the block's size.
  struct Segment {
    Index block = -1;
    std::span<const double> values;
  };

  BlockRows() = default;
  explicit BlockRows(BlockLayout layout) : layout_(std::move(layout)) {}
  // Fails, naming the row, when a row touches more than two blocks.
  static Expected<BlockRows> from_dense(const MatrixXd& dense, const BlockLayout& layout);

  Index rows() const { return static_cast<Index>(blocks_.size()); }
  Index cols() const { return layout_.size(); }
  const BlockLayout& layout() const { return layout_; }

  // Adds a row with one or two segments (block == -1: none, which also makes a row of zeros). Two segments must be
  // in different blocks. They may be segments of this object.
  void add_row(Segment first);
  void add_row(Segment first, Segment second);
  void clear();           // no rows; the memory is kept
  void keep(Index rows);  // the first ones, at most as many as there are; the memory is kept
  // The segments of a row; an absent one has block == -1 and no values.
  std::array<Segment, 2> row(Index i) const;
  // The same for loops over many rows: the block of segment k (0 or 1) of a row, -1: absent, and its values.
  Index block(Index i, int k) const { return blocks_[i][k]; }
  const double* values(Index i, int k) const { return values_.data() + start(i, k); }
  // New numbers for a row that keeps its blocks are written here.
  double* values(Index i, int k) { return values_.data() + start(i, k); }

  bool all_finite() const;  // every number of every row

  double dot(Index i, const VectorIn& x) const;                          // row_i · x
  void add_scaled(Index i, double scale, Eigen::Ref<VectorXd> y) const;  // y += scale row_iᵀ
  VectorXd multiply(const VectorIn& x) const;                            // J x
  VectorXd multiply_transposed(const VectorIn& f) const;                 // Jᵀ f
  MatrixXd to_dense() const;

  // L⁻¹ row_i into x, a vector of zeros.
  void whiten(Index i, const BlockCholesky& factor, double* x) const;
  // Every row r replaced by L⁻¹ r: the rows in whitened coordinates. Blocks stay apart, so this is as sparse.
  BlockRows whitened(const BlockCholesky& factor) const;

 private:
  // Where a segment's values begin: the second follows the first.
  Index start(Index i, int k) const {
    const auto at = static_cast<std::size_t>(i);
    return starts_[at] + (k == 0 || blocks_[at][0] < 0 ? 0 : layout_.size(blocks_[at][0]));
  }

  BlockLayout layout_;
  std::vector<std::array<std::int32_t, 2>> blocks_;  // per row; -1: absent
  std::vector<Index> starts_;                        // per row: where its values begin
  std::vector<double> values_;
};

}  // namespace tribo
