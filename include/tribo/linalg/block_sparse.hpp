// A sparse matrix of small dense blocks of one size, in compressed rows of blocks.
#pragma once

#include "tribo/linalg/types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tribo {

struct BlockSparse {
  int height = 0, width = 0;         // of a block
  Index block_cols = 0;              // columns of blocks
  std::vector<std::int32_t> start;   // of each row of blocks, in `column`; one more than there are rows
  std::vector<std::int32_t> column;  // ascending within a row
  std::vector<double> values;        // block after block, column by column

  Index block_rows() const { return start.empty() ? 0 : static_cast<Index>(start.size()) - 1; }
  Index blocks() const { return static_cast<Index>(column.size()); }
  Index rows() const { return block_rows() * height; }
  Index cols() const { return block_cols * width; }
  double* block(Index k) { return values.data() + k * height * width; }
  const double* block(Index k) const { return values.data() + k * height * width; }
  std::span<const std::int32_t> columns(Index row) const {
    return {column.data() + start[row], static_cast<std::size_t>(start[row + 1] - start[row])};
  }
  // Empties it; memory is kept.
  void clear(int block_height, int block_width, Index columns_of_blocks);
  // Adds a row of blocks whose columns are `columns` (ascending), filled with zeros.
  void add_row(std::span<const std::int32_t> columns);

  MatrixXd to_dense() const;
  void add_product(const VectorIn& x, VectorOut y) const;             // y += A x
  void add_transposed_product(const VectorIn& x, VectorOut y) const;  // y += Aᵀ x
};

}  // namespace tribo
