// A square system A x = P d: how unknowns x follow changes d of the data, and the adjoint. Rows and columns of A are scaled
// to entries near one before it is factored, so equations and unknowns may have any units.
#pragma once

#include "tribo/linalg/dense_lu.hpp"
#include "tribo/linalg/types.hpp"

#include <vector>

namespace tribo {

class LinearResponse {
 public:
  LinearResponse(Index unknowns, Index data) : A_(MatrixXd::Zero(unknowns, unknowns)), data_(data) {}

  Index unknowns() const { return A_.rows(); }
  void add(Index equation, Index unknown, double coefficient) { A_(equation, unknown) += coefficient; }
  void drive(Index equation, Index datum, double coefficient) {
    if (coefficient != 0.0) drives_.push_back({equation, datum, coefficient});
  }
  // False when A is singular in working precision, or a number is not finite. Nothing is added afterwards.
  [[nodiscard]] bool factor();

  VectorXd forward(const VectorIn& change) const;  // A⁻¹ P d
  VectorXd adjoint(const VectorIn& g) const;       // Pᵀ A⁻ᵀ g

 private:
  struct Drive {
    Index equation, datum;
    double coefficient;
  };
  MatrixXd A_;  // scaled after factor()
  Index data_;
  std::vector<Drive> drives_;
  VectorXd row_scale_, column_scale_;
  DenseLu factor_, transposed_;
};

}  // namespace tribo
