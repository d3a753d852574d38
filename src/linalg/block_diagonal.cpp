#include "tribo/linalg/block_diagonal.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/linalg/padded.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <Eigen/Cholesky>

namespace tribo {
namespace {

// Beyond, blocked code is faster; beyond 390 rows or so its buffers do not fit on the stack.
constexpr Index kSmallBlock = 32;

// L column by column. Written so that NaN fails.
bool factor_columns(const double* block, double* L, Index size, double* inverse_diagonal) {
  const double rounding = static_cast<double>(size) * std::numeric_limits<double>::epsilon();
  constexpr double kLargest = std::numeric_limits<double>::max();
  std::copy_n(block, size * size, L);
  bool positive = true;
  for (Index j = 0; j < size; ++j) {
    double* column = L + j * size;
    const double diagonal = column[j], pivot = std::sqrt(diagonal), scale = pivot * (1.0 / diagonal);  // side by side
    positive = positive && diagonal > rounding * block[j * size + j] && diagonal <= kLargest;
    column[j] = pivot;
    if (inverse_diagonal != nullptr) inverse_diagonal[j] = 1.0 / pivot;
    for (Index i = j + 1; i < size; ++i) column[i] *= scale;
    for (Index k = j + 1; k < size; ++k) {  // the columns to come, their lower part
      for (Index i = k; i < size; ++i) L[k * size + i] -= column[i] * column[k];
    }
    for (Index i = 0; i < j; ++i) column[i] = 0.0;
  }
  return positive;  // what is not finite anywhere in row i has spoiled pivot i
}

// The same for a free body: every column is a register, eight numbers of which six count.
bool factor_body(const double* block, double* L, double* inverse_diagonal) {
  using padded::Lanes;
  constexpr double kRounding = 6.0 * std::numeric_limits<double>::epsilon();
  constexpr double kLargest = std::numeric_limits<double>::max();
  const Lanes place = {0, 1, 2, 3, 4, 5, 6, 7};
  Lanes column[6] = {};
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) column[j][i] = block[6 * j + i];
  }
  bool positive = true;
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    const double diagonal = column[j][j], inverse = 1.0 / diagonal, pivot = std::sqrt(diagonal);
    positive = positive && diagonal > kRounding * block[7 * j] && diagonal <= kLargest;
    const Lanes scaled = column[j] * inverse;
#pragma GCC unroll 6
    for (int k = j + 1; k < 6; ++k) column[k] -= column[j][k] * scaled;
    inverse_diagonal[j] = 1.0 / pivot;
    column[j] = place < static_cast<double>(j) ? Lanes{} : column[j] * (pivot * inverse);
  }
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) L[6 * j + i] = column[j][i];
  }
  return positive;
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
  factored_ = false;
  layout_.append(block.rows());
  blocks_.push_back(std::move(block));
}

void BlockDiagonal::assign(const BlockDiagonal& other, std::span<const Index> chosen) {
  TRIBO_REQUIRE(this != &other, "blocks cannot be taken from the matrix they replace");
  layout_.clear();
  blocks_.resize(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const MatrixXd& block = other.block(chosen[k]);
    layout_.append(block.rows());
    blocks_[k] = block;
  }
  factored_ = other.factored_;
  if (factored_) factor_.assign(other.factor_, chosen);
}

Checked BlockDiagonal::factorize() {
  if (factored_) return ok();
  Checked done = factor_.assign(*this);
  factored_ = done.has_value();
  return done;
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
bool factor_cholesky(const MatrixXd& block, MatrixXd& L, double* inverse_diagonal) {
  const Index size = block.rows();
  const double rounding = static_cast<double>(size) * std::numeric_limits<double>::epsilon();
  L.resize(size, size);
  if (size > kSmallBlock) {
    L = block;
    const Eigen::LLT<Eigen::Ref<MatrixXd>> in_place(L);
    if (in_place.info() != Eigen::Success) return false;
    L.triangularView<Eigen::StrictlyUpper>().setZero();
    for (Index j = 0; j < size; ++j) {
      if (!(L(j, j) * L(j, j) > rounding * block(j, j) && L.row(j).head(j + 1).allFinite())) return false;
      if (inverse_diagonal != nullptr) inverse_diagonal[j] = 1.0 / L(j, j);
    }
    return true;
  }
  double unused[6];
  if (size == 6) return factor_body(block.data(), L.data(), inverse_diagonal == nullptr ? unused : inverse_diagonal);
  return factor_columns(block.data(), L.data(), size, inverse_diagonal);
}

void BlockCholesky::assign(const BlockCholesky& other, std::span<const Index> chosen) {
  layout_.clear();
  blocks_.resize(chosen.size());
  inverse_.clear();
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Index size = other.layout_.size(chosen[k]);
    layout_.append(size);
    blocks_[k] = other.block(chosen[k]);
    const double* inverse = other.inverse_diagonal(chosen[k]);
    inverse_.insert(inverse_.end(), inverse, inverse + size);
  }
}

Checked BlockCholesky::assign(const BlockDiagonal& matrix) {
  if (const BlockCholesky* known = matrix.factor(); known != nullptr) {
    *this = *known;
    return ok();
  }
  if (!(layout_ == matrix.layout())) layout_ = matrix.layout();
  if (blocks_.size() < static_cast<std::size_t>(matrix.blocks()))
    blocks_.resize(static_cast<std::size_t>(matrix.blocks()));
  inverse_.resize(static_cast<std::size_t>(matrix.size()));
  for (Index i = 0; i < matrix.blocks(); ++i) {
    double* inverse = inverse_.data() + layout_.start(i);
    if (!factor_cholesky(matrix.block(i), blocks_[static_cast<std::size_t>(i)], inverse)) {
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

// Substitutions by columns of L, in place: the blocks are small, and nothing is allocated. Size: known when compiled, or
// 0.

namespace {

template <int Size>
void multiply_transposed(const double* L, Index any_size, double* x) {
  const Index size = Size > 0 ? Size : any_size;
  for (Index j = 0; j < size; ++j, L += size) {
    double sum = 0.0;
    for (Index i = j; i < size; ++i) sum += L[i] * x[i];
    x[j] = sum;
  }
}

template <int Size>
void solve_transposed(const double* L, const double* inverse_diagonal, Index any_size, double* x) {
  const Index size = Size > 0 ? Size : any_size;
  for (Index j = size - 1; j >= 0; --j) {
    const double* column = L + j * size;
    double sum = x[j];
    for (Index i = size - 1; i > j; --i) sum -= column[i] * x[i];
    x[j] = sum * inverse_diagonal[j];
  }
}

template <int Size>
void solve_lower(const double* L, const double* inverse_diagonal, Index any_size, double* y) {
  const Index size = Size > 0 ? Size : any_size;
  for (Index j = 0; j < size; ++j, L += size) {
    if (Size == 0 && y[j] == 0.0) continue;  // few are done sooner than looked at
    const double value = y[j] * inverse_diagonal[j];
    y[j] = value;
    for (Index i = j + 1; i < size; ++i) y[i] -= value * L[i];
  }
}

}  // namespace

void BlockCholesky::whiten_velocity(Eigen::Ref<VectorXd> x) const {
  TRIBO_ASSERT(x.size() == layout_.size());
  for (Index b = 0; b < layout_.blocks(); ++b) {
    const Index size = layout_.size(b);
    const auto multiply = size == 6 ? multiply_transposed<6> : multiply_transposed<0>;
    multiply(block(b).data(), size, x.data() + layout_.start(b));
  }
}

void BlockCholesky::unwhiten_velocity(Eigen::Ref<VectorXd> x) const {
  TRIBO_ASSERT(x.size() == layout_.size());
  for (Index b = 0; b < layout_.blocks(); ++b) {
    const Index size = layout_.size(b);
    const auto solve = size == 6 ? solve_transposed<6> : solve_transposed<0>;
    solve(block(b).data(), inverse_diagonal(b), size, x.data() + layout_.start(b));
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

void whiten_row(const MatrixXd& L, const double* inverse_diagonal, double* y) {
  const auto solve = L.rows() == 6 ? solve_lower<6> : solve_lower<0>;
  solve(L.data(), inverse_diagonal, L.rows(), y);
}

void BlockCholesky::whiten_force(Eigen::Ref<VectorXd> y) const {
  TRIBO_ASSERT(y.size() == layout_.size());
  for (Index b = 0; b < layout_.blocks(); ++b) whiten_row(b, y.data() + layout_.start(b));
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
