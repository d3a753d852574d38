// The linear system of a change, (2) of cone_gradient.hpp, in scaled units:
//     A = Eᵀ W T + diag(d),    A_α = A + α Eᵀ T                                                               (1)
// With W given, A_α is formed and factored. With W = Ĥ Ĥᵀ + R and fewer body than contact unknowns, the contacts are
// eliminated,
//     B = Eᵀ (R + α) T + diag(d),   S = I + Ĥᵀ T B⁻¹ Eᵀ Ĥ,   A_α⁻¹ = B⁻¹ − B⁻¹ Eᵀ Ĥ S⁻¹ Ĥᵀ T B⁻¹               (2)
// B has one small block per contact, so a thousand contacts on one body cost a thousand small inverses and a 6 × 6
// system. S is as badly conditioned as 1/α: what that costs in digits, and α itself, is taken out again by steps of
// refinement on A.
#pragma once

#include "tribo/linalg/sparse_lu.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/cone_problem.hpp"

#include <Eigen/LU>
#include <Eigen/SparseCore>

namespace tribo::cone {

using Sparse = Eigen::SparseMatrix<double>;

// Dense where that is cheaper.
class AnyLu {
 public:
  bool factor(Sparse matrix);
  VectorXd solve(const VectorXd& b, bool transposed) const;

 private:
  bool dense_ = true;
  Eigen::PartialPivLU<MatrixXd> dense_lu_;
  SparseLu sparse_lu_;
};

class ChangeSystem {
 public:
  // Takes W as it is; scale() then goes to units of s_i, one entry per component.
  void set_problem(const ConeProblem& problem);
  VectorXd diagonal() const;  // of W
  void scale(const VectorXd& scale);
  // `start`: the first unknown of each contact, and one more.
  void set_laws(Sparse T, Sparse E, VectorXd d, IndexList start);
  bool factor(double alpha);  // false: singular

  Index unknowns() const { return T_.cols(); }
  VectorXd multiply_W(const VectorXd& x, bool transposed) const;
  VectorXd multiply(const VectorXd& z, bool transposed) const;    // A z
  VectorXd solve_once(const VectorXd& b, bool transposed) const;  // A_α⁻¹ b
  // Refined towards A⁻¹. Every step is linear in b, and those of the transpose are the transposes: forward and adjoint
  // stay transposes of one another.
  VectorXd solve(const VectorXd& b, bool transposed) const;

  const Sparse& T() const { return T_; }
  const Sparse& E() const { return E_; }

 private:
  bool by_bodies_ = false;                           // W_ is not formed
  bool eliminates_ = false;                          // (2)
  Sparse W_, H_, T_, E_, B_inverse_, left_, right_;  // left = Ĥᵀ T, right = Eᵀ Ĥ
  VectorXd R_, d_;
  IndexList start_;
  AnyLu lu_;  // of A_α, or of S
};

}  // namespace tribo::cone
