// A block-diagonal symmetric positive definite matrix, one dense block per kinematic tree, with its Cholesky factor
//     M = L Lᵀ,   L lower triangular, block by block                                                     (1)
// Whitening: with x̂ = Lᵀ x for velocities and ŷ = L⁻¹ y for forces and constraint rows, kinetic energy is ½|x̂|²,
// y·x = ŷ·x̂ and M⁻¹ disappears from every product (spec A.3).
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/types.hpp"

#include <span>
#include <vector>

namespace tribo {

// Where each block starts: start.front() == 0, start.back() == number of rows.
class BlockLayout {
 public:
  BlockLayout() : start_{0} {}
  explicit BlockLayout(const std::vector<Index>& sizes);

  Index blocks() const { return static_cast<Index>(start_.size()) - 1; }
  Index size() const { return start_.back(); }
  Index start(Index block) const { return start_[static_cast<std::size_t>(block)]; }
  Index size(Index block) const { return start(block + 1) - start(block); }
  Index block_of(Index row) const;  // O(log blocks)
  std::vector<Index> sizes() const;
  void append(Index block_size) { start_.push_back(start_.back() + block_size); }
  void clear() { start_.resize(1); }  // no blocks; the memory is kept

  bool operator==(const BlockLayout&) const = default;

 private:
  std::vector<Index> start_;
};

class BlockDiagonal;

// L of one block, with zeros above the diagonal; false when it is not positive definite in working precision. Reads the
// lower triangle. Nothing is allocated for blocks up to 300 when L has their size. `inverse_diagonal`, where it is not null,
// receives 1/L_jj.
bool factor_cholesky(const MatrixXd& block, MatrixXd& L, double* inverse_diagonal = nullptr);

// y ← L⁻¹ y for one block; y has its size. Zeros in front cost nothing.
void whiten_row(const MatrixXd& L, double* y);
void whiten_row(const MatrixXd& L, const double* inverse_diagonal, double* y);

// The factor (1) of a BlockDiagonal.
class BlockCholesky {
 public:
  BlockCholesky() = default;
  // Fails with the number of the first block that is not positive definite.
  static Expected<BlockCholesky> factor(const BlockDiagonal& matrix);
  // The same in place; a copy where the matrix has its factor. Nothing is allocated when the layout is that of the last call and no
  // block is larger than 300.
  Checked assign(const BlockDiagonal& matrix);
  // The factor of the chosen blocks. Nothing is allocated when they have the sizes of the blocks that were here.
  void assign(const BlockCholesky& other, std::span<const Index> chosen);

  const BlockLayout& layout() const { return layout_; }
  const MatrixXd& block(Index i) const { return blocks_[static_cast<std::size_t>(i)]; }         // lower triangular
  const double* inverse_diagonal(Index i) const { return inverse_.data() + layout_.start(i); }  // 1/L_jj of a block
  void whiten_row(Index i, double* y) const { tribo::whiten_row(block(i), inverse_diagonal(i), y); }  // y: of block i

  // All in place; x has the length of the matrix.
  void whiten_velocity(Eigen::Ref<VectorXd> x) const;    // x ← Lᵀ x
  void unwhiten_velocity(Eigen::Ref<VectorXd> x) const;  // x ← L⁻ᵀ x
  void whiten_force(Eigen::Ref<VectorXd> y) const;       // y ← L⁻¹ y
  void unwhiten_force(Eigen::Ref<VectorXd> y) const;     // y ← L y
  void solve(Eigen::Ref<VectorXd> y) const;              // y ← M⁻¹ y

 private:
  BlockLayout layout_;
  std::vector<MatrixXd> blocks_;
  std::vector<double> inverse_;
};

class BlockDiagonal {
 public:
  BlockDiagonal() = default;
  explicit BlockDiagonal(std::vector<MatrixXd> blocks);
  // Cuts the diagonal blocks out of a dense matrix; entries outside of them are ignored (validate before).
  static BlockDiagonal from_dense(const MatrixXd& dense, const BlockLayout& layout);

  const BlockLayout& layout() const { return layout_; }
  Index size() const { return layout_.size(); }
  Index blocks() const { return layout_.blocks(); }
  const MatrixXd& block(Index i) const { return blocks_[static_cast<std::size_t>(i)]; }
  void append(MatrixXd block);
  // The chosen blocks of another matrix, with their factors where it has some. Nothing is allocated when they have the sizes of the
  // blocks that were here.
  void assign(const BlockDiagonal& other, std::span<const Index> chosen);
  // Its size must stay. Forgets the factor: what this returns may not be written after the next factorize().
  MatrixXd& block(Index i) {
    factored_ = false;
    return blocks_[static_cast<std::size_t>(i)];
  }

  // Computes the factor (1) and keeps it while no block is changed: whoever asks for a BlockCholesky of this matrix copies it then.
  Checked factorize();
  const BlockCholesky* factor() const { return factored_ ? &factor_ : nullptr; }  // null: not computed

  MatrixXd to_dense() const;
  VectorXd multiply(const VectorIn& x) const;  // M x

 private:
  BlockLayout layout_;
  std::vector<MatrixXd> blocks_;
  BlockCholesky factor_;
  bool factored_ = false;
};

}  // namespace tribo
