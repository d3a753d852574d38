// LU factor with partial pivoting, P K = L U, in memory reserved once. Used where a basis matrix is rebuilt in the
// middle of a solve and nothing may be allocated.
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo {

class DenseLu {
 public:
  void reserve(Index capacity);
  Index size() const { return k_; }
  // Write the matrix into the leading k × k corner, then factor().
  Eigen::Ref<MatrixXd> matrix(Index k);
  // False when a pivot is below `tolerance` times the largest entry of its column: singular in working precision.
  [[nodiscard]] bool factor(double tolerance = 1e-14);
  void solve(Eigen::Ref<VectorXd> b) const;      // b ← K⁻¹ b
  void inverse(Eigen::Ref<MatrixXd> out) const;  // out (k × k) ← K⁻¹

 private:
  MatrixXd LU_;
  std::vector<Index> swaps_;
  Index k_ = 0;
};

}  // namespace tribo
