#include "tribo/linalg/block_diagonal.hpp"

#include "tribo/core/assert.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <Eigen/Cholesky>

namespace tribo {
namespace {

constexpr Index kSmallBlock = 32;  // beyond, blocked code is faster; it allocates

// L column by column; Size: known when compiled, 0: not. Written so that NaN fails.
template <int Size>
bool factor_columns(const double* block, double* L, Index any_size) {
  const Index size = Size > 0 ? Size : any_size;
  const double rounding = static_cast<double>(size) * std::numeric_limits<double>::epsilon();
  constexpr double kLargest = std::numeric_limits<double>::max();
  double local[Size > 0 ? Size * Size : 1];  // of known size: in registers
  double* work = Size > 0 ? local : L;
  std::copy_n(block, size * size, work);
  bool positive = true;
  for (Index j = 0; j < size; ++j) {
    double* column = work + j * size;
    const double diagonal = column[j], pivot = std::sqrt(diagonal), scale = pivot * (1.0 / diagonal);  // side by side
    positive = positive && diagonal > rounding * block[j * size + j] && diagonal <= kLargest;
    column[j] = pivot;
    for (Index i = j + 1; i < size; ++i) column[i] *= scale;
    for (Index k = j + 1; k < size; ++k) {  // the columns to come, their lower part
      for (Index i = k; i < size; ++i) work[k * size + i] -= column[i] * column[k];
    }
    for (Index i = 0; i < j; ++i) column[i] = 0.0;
  }
  if (Size > 0) std::copy_n(work, size * size, L);
  return positive;  // what is not finite anywhere in row i has spoiled pivot i
}

}  // namespace

BlockLayout::BlockLayout(const std::vector<Index>& sizes) : start_{0} {
  start_.reserve(sizes.size() + 1);
  for (const Index size : sizes) {
    TRIBO_REQUIRE(size >= 0, "a block cannot have a negative size");
    append(size);
  }
}

Index BlockLayout::block_of(Index row) const {
  TRIBO_REQUIRE(row >= 0 && row < size(), "the row lies outside of the layout");
  // The last block that starts at or before the row; blocks of size zero are passed over.
  const auto after = std::upper_bound(start_.begin(), start_.end(), row);
  return static_cast<Index>(after - start_.begin()) - 1;
}

std::vector<Index> BlockLayout::sizes() const {
  std::vector<Index> result(static_cast<std::size_t>(blocks()));
  for (Index i = 0; i < blocks(); ++i) result[static_cast<std::size_t>(i)] = size(i);
  return result;
}

BlockDiagonal::BlockDiagonal(std::vector<MatrixXd> blocks) {
  blocks_.reserve(blocks.size());
  for (auto& block : blocks) append(std::move(block));
}

BlockDiagonal BlockDiagonal::from_dense(const MatrixXd& dense, const BlockLayout& layout) {
  TRIBO_REQUIRE(dense.rows() == layout.size() && dense.cols() == layout.size(),
                "the dense matrix must have the size of the layout");
  BlockDiagonal result;
  for (Index i = 0; i < layout.blocks(); ++i) {
    const Index at = layout.start(i);
    result.append(dense.block(at, at, layout.size(i), layout.size(i)));
  }
  return result;
}

void BlockDiagonal::append(MatrixXd block) {
  TRIBO_REQUIRE(block.rows() == block.cols(), "a diagonal block must be square");
  layout_.append(block.rows());
  blocks_.push_back(std::move(block));
}

MatrixXd BlockDiagonal::to_dense() const {
  MatrixXd dense = MatrixXd::Zero(size(), size());
  for (Index i = 0; i < blocks(); ++i) {
    dense.block(layout_.start(i), layout_.start(i), layout_.size(i), layout_.size(i)) = block(i);
  }
  return dense;
}

VectorXd BlockDiagonal::multiply(const VectorIn& x) const {
  TRIBO_REQUIRE(x.size() == size(), "the vector must have the length of the matrix");
  VectorXd y(size());
  for (Index i = 0; i < blocks(); ++i) {
    y.segment(layout_.start(i), layout_.size(i)).noalias() = block(i) * x.segment(layout_.start(i), layout_.size(i));
  }
  return y;
}

// L of the lower triangle of a block, column by column; false when it is not positive definite. A pivot at the level
// of rounding means a singular block that rounding has let pass. Written so that NaN fails.
bool factor_cholesky(const MatrixXd& block, MatrixXd& L) {
  const Index size = block.rows();
  const double rounding = static_cast<double>(size) * std::numeric_limits<double>::epsilon();
  L.resize(size, size);
  if (size > kSmallBlock) {
    const Eigen::LLT<MatrixXd> llt(block);
    if (llt.info() != Eigen::Success) return false;
    L = llt.matrixL();
    for (Index j = 0; j < size; ++j) {
      if (!(L(j, j) * L(j, j) > rounding * block(j, j) && L.row(j).head(j + 1).allFinite())) return false;
    }
    return true;
  }
  if (size == 6) return factor_columns<6>(block.data(), L.data(), size);
  return factor_columns<0>(block.data(), L.data(), size);
}

Checked BlockCholesky::assign(const BlockDiagonal& matrix) {
  if (!(layout_ == matrix.layout())) layout_ = matrix.layout();
  if (blocks_.size() < static_cast<std::size_t>(matrix.blocks()))
    blocks_.resize(static_cast<std::size_t>(matrix.blocks()));
  for (Index i = 0; i < matrix.blocks(); ++i) {
    if (!factor_cholesky(matrix.block(i), blocks_[static_cast<std::size_t>(i)])) {
      return fail("the matrix is not positive definite", "block " + std::to_string(i),
                  "give every block positive masses and inertias that are not degenerate");
    }
  }
  return ok();
}

Expected<BlockCholesky> BlockCholesky::factor(const BlockDiagonal& matrix) {
  BlockCholesky result;
  if (Checked checked = result.assign(matrix); !checked) return Unexpected<Error>{checked.error()};
  return result;
}

// Substitutions by columns of L, in place: the blocks are small, and nothing is allocated.

void BlockCholesky::whiten_velocity(Eigen::Ref<VectorXd> x) const {
  TRIBO_ASSERT(x.size() == layout_.size());
  for (Index b = 0; b < layout_.blocks(); ++b) {
    const Index size = layout_.size(b);
    double* part = x.data() + layout_.start(b);
    for (Index j = 0; j < size; ++j) {
      const double* column = block(b).col(j).data();
      double sum = 0.0;
      for (Index i = j; i < size; ++i) sum += column[i] * part[i];
      part[j] = sum;
    }
  }
}

void BlockCholesky::unwhiten_velocity(Eigen::Ref<VectorXd> x) const {
  TRIBO_ASSERT(x.size() == layout_.size());
  for (Index b = 0; b < layout_.blocks(); ++b) {
    const Index size = layout_.size(b);
    double* part = x.data() + layout_.start(b);
    for (Index j = size - 1; j >= 0; --j) {
      const double* column = block(b).col(j).data();
      double sum = part[j];
      for (Index i = j + 1; i < size; ++i) sum -= column[i] * part[i];
      part[j] = sum / column[j];
    }
  }
}

void whiten_row(const MatrixXd& L, double* y) {
  const Index size = L.rows();
  for (Index j = 0; j < size; ++j) {
    if (y[j] == 0.0) continue;
    const double* column = L.col(j).data();
    const double value = y[j] / column[j];
    y[j] = value;
    for (Index i = j + 1; i < size; ++i) y[i] -= value * column[i];
  }
}

void BlockCholesky::whiten_force(Eigen::Ref<VectorXd> y) const {
  TRIBO_ASSERT(y.size() == layout_.size());
  for (Index b = 0; b < layout_.blocks(); ++b) whiten_row(block(b), y.data() + layout_.start(b));
}

void BlockCholesky::unwhiten_force(Eigen::Ref<VectorXd> y) const {
  TRIBO_ASSERT(y.size() == layout_.size());
  for (Index b = 0; b < layout_.blocks(); ++b) {
    const Index size = layout_.size(b);
    double* part = y.data() + layout_.start(b);
    for (Index j = size - 1; j >= 0; --j) {
      const double* column = block(b).col(j).data();
      const double value = part[j];
      for (Index i = j + 1; i < size; ++i) part[i] += value * column[i];
      part[j] = value * column[j];
    }
  }
}

void BlockCholesky::solve(Eigen::Ref<VectorXd> y) const {
  whiten_force(y);
  unwhiten_velocity(y);
}

}  // namespace tribo
