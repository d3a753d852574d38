#include "solve/cone/change_system.hpp"

#include <utility>
#include <vector>

namespace tribo::cone {
namespace {

constexpr Index kDenseUnknowns = 200;
constexpr double kDenseShare = 0.2;

Sparse to_sparse(const BlockSparse& A) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(A.values.size());
  for (Index i = 0; i < A.block_rows(); ++i) {
    for (Index k = A.start[i]; k < A.start[i + 1]; ++k) {
      const double* value = A.block(k);
      for (Index c = 0; c < A.width; ++c) {
        for (Index r = 0; r < A.height; ++r, ++value) {
          if (*value != 0.0) entries.emplace_back(i * A.height + r, A.column[k] * A.width + c, *value);
        }
      }
    }
  }
  Sparse result(A.rows(), A.cols());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

// The inverse of a matrix with one dense block per range of `start`; false: one of them is singular.
bool invert_blocks(const Sparse& B, const IndexList& start, Sparse& inverse) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i + 1 < start.size(); ++i) {
    const Index first = start[i], size = start[i + 1] - first;
    if (size == 0) continue;
    MatrixXd block = MatrixXd::Zero(size, size);
    for (Index j = 0; j < size; ++j) {
      for (Sparse::InnerIterator entry(B, first + j); entry; ++entry) block(entry.row() - first, j) = entry.value();
    }
    const MatrixXd inverted = block.inverse();
    if (!inverted.allFinite()) return false;
    for (Index j = 0; j < size; ++j) {
      for (Index k = 0; k < size; ++k) entries.emplace_back(first + k, first + j, inverted(k, j));
    }
  }
  inverse.resize(B.rows(), B.cols());
  inverse.setFromTriplets(entries.begin(), entries.end());
  return true;
}

Sparse diagonal_matrix(const VectorXd& d) { return Sparse(d.asDiagonal()); }

VectorXd times(const Sparse& A, const VectorXd& x, bool transposed) {
  return transposed ? VectorXd(A.transpose() * x) : VectorXd(A * x);
}

}  // namespace

bool AnyLu::factor(Sparse matrix) {
  matrix.makeCompressed();
  const auto n = static_cast<double>(matrix.rows());
  dense_ = matrix.rows() <= kDenseUnknowns || static_cast<double>(matrix.nonZeros()) > kDenseShare * n * n;
  if (dense_) {
    dense_lu_.compute(MatrixXd(matrix));
    return dense_lu_.matrixLU().allFinite() && dense_lu_.matrixLU().diagonal().cwiseAbs().minCoeff() > 0.0;
  }
  return sparse_lu_.factor(matrix);
}

VectorXd AnyLu::solve(const VectorXd& b, bool transposed) const {
  if (dense_) return transposed ? VectorXd(dense_lu_.transpose().solve(b)) : VectorXd(dense_lu_.solve(b));
  return transposed ? sparse_lu_.solve_transposed(b) : sparse_lu_.solve(b);
}

void ChangeSystem::set_problem(const ConeProblem& problem) {
  by_bodies_ = problem.by_bodies();
  if (by_bodies_) {
    H_ = to_sparse(problem.H);
    R_ = problem.R;
  } else {
    W_ = problem.contacts() > 0 ? to_sparse(problem.W) : Sparse(0, 0);
  }
}

VectorXd ChangeSystem::diagonal() const {
  if (!by_bodies_) return W_.diagonal();
  VectorXd result = R_;
  for (Index j = 0; j < H_.outerSize(); ++j) {
    for (Sparse::InnerIterator entry(H_, j); entry; ++entry) result(entry.row()) += entry.value() * entry.value();
  }
  return result;
}

void ChangeSystem::scale(const VectorXd& scale) {
  if (by_bodies_) {
    H_ = scale.asDiagonal() * H_;
    R_ = scale.cwiseProduct(scale).cwiseProduct(R_);
  } else {
    W_ = scale.asDiagonal() * W_ * scale.asDiagonal();
  }
}

void ChangeSystem::set_laws(Sparse T, Sparse E, VectorXd d, IndexList start) {
  T_ = std::move(T);
  E_ = std::move(E);
  d_ = std::move(d);
  start_ = std::move(start);
}

bool ChangeSystem::factor(double alpha) {
  if (unknowns() == 0) return true;
  const Sparse Et = E_.transpose(), D = diagonal_matrix(d_);
  eliminates_ = by_bodies_ && H_.cols() < unknowns();
  if (eliminates_) {
    Sparse B = Et * Sparse(diagonal_matrix((R_.array() + alpha).matrix()) * T_);
    B += D;
    if (!invert_blocks(B, start_, B_inverse_)) return false;
    left_ = Sparse(H_.transpose()) * T_;
    right_ = Et * H_;
    Sparse S = left_ * Sparse(B_inverse_ * right_);
    S += diagonal_matrix(VectorXd::Ones(S.rows()));
    return lu_.factor(std::move(S));
  }
  Sparse W = W_;
  if (by_bodies_) {
    W = H_ * Sparse(H_.transpose());
    W += diagonal_matrix(R_);
  }
  W += diagonal_matrix(VectorXd::Constant(W.rows(), alpha));
  Sparse A = Et * Sparse(W * T_);
  A += D;
  return lu_.factor(std::move(A));
}

VectorXd ChangeSystem::multiply_W(const VectorXd& x, bool transposed) const {
  if (!by_bodies_) return times(W_, x, transposed);
  const VectorXd v = H_.transpose() * x;
  return VectorXd(H_ * v) + R_.cwiseProduct(x);
}

VectorXd ChangeSystem::multiply(const VectorXd& z, bool transposed) const {
  const VectorXd moved = multiply_W(times(transposed ? E_ : T_, z, false), transposed);
  return times(transposed ? T_ : E_, moved, true) + d_.cwiseProduct(z);
}

VectorXd ChangeSystem::solve_once(const VectorXd& b, bool transposed) const {
  if (unknowns() == 0) return b;
  if (!eliminates_) return lu_.solve(b, transposed);
  const VectorXd y = times(B_inverse_, b, transposed);
  const VectorXd v = lu_.solve(times(transposed ? right_ : left_, y, transposed), transposed);
  return times(B_inverse_, b - times(transposed ? left_ : right_, v, transposed), transposed);
}

VectorXd ChangeSystem::solve(const VectorXd& b, bool transposed) const {
  VectorXd z = solve_once(b, transposed);
  for (int k = 0; k < (eliminates_ ? 3 : 1); ++k) z += solve_once(b - multiply(z, transposed), transposed);
  return z;
}

}  // namespace tribo::cone
