// P A Q = L U of a sparse square matrix. Eigen's, compiled once.
#pragma once

#include "tribo/linalg/types.hpp"

#include <memory>

#include <Eigen/SparseCore>

namespace tribo {

class SparseLu {
 public:
  SparseLu();
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  bool factor(const Eigen::SparseMatrix<double>& A);  // compressed; false: singular
  MatrixXd solve(const MatrixXd& B) const;            // A⁻¹ B
  VectorXd solve(const VectorXd& b) const;
  VectorXd solve_transposed(const VectorXd& b) const;  // A⁻ᵀ b

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace tribo
