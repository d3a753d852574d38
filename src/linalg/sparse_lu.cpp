#include "tribo/linalg/sparse_lu.hpp"

#include <Eigen/SparseLU>

namespace tribo {

struct SparseLu::Factor {
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
};

SparseLu::SparseLu() : factor_(std::make_unique<Factor>()) {}
SparseLu::~SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;

bool SparseLu::factor(const Eigen::SparseMatrix<double>& A) {
  factor_->lu.compute(A);
  return factor_->lu.info() == Eigen::Success;
}

MatrixXd SparseLu::solve(const MatrixXd& B) const { return factor_->lu.solve(B); }
VectorXd SparseLu::solve(const VectorXd& b) const { return factor_->lu.solve(b); }
VectorXd SparseLu::solve_transposed(const VectorXd& b) const { return factor_->lu.transpose().solve(b); }

}  // namespace tribo
