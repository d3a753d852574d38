// The least move that closes loops as far as they can be closed, and the part of their error that cannot:
//     minimize ½ dqᵀ M dq  such that  |J dq + b_J| is least                                                        (1)
// With M = L Lᵀ, x = Lᵀ dq and A = L⁻¹ Jᵀ:  A P = Q R,  rank r,  R₁ its first r rows,
//     y = argmin |R₁ᵀ y + Pᵀ b_J|,   x = Q₁ y,   dq = L⁻ᵀ x,   J dq = P R₁ᵀ y                                      (2)
// Rank      rows that repeat one another to kDependent count as one. Their difference is rounding of anchors and angles
//           in the file: to close an error of 1e-10 m along it moved a foot with 50 loops by 17 mm
//           (Loops.ThatAreNearlyRedundantStayNearby).
// Cost      O(rows² dof); nothing is allocated when problems have the sizes of those before.
#pragma once

#include "tribo/problem/contact_problem.hpp"

#include <Eigen/QR>

namespace tribo {

class LoopMove {
 public:
  // dq by (2), and b_J becomes what the rows of J can give, −J dq. False: M is not positive definite.
  bool solve(ContactProblem& problem, VectorXd& dq);

 private:
  BlockCholesky factor_;
  MatrixXd A_, reached_;
  Eigen::ColPivHouseholderQR<MatrixXd> qr_, rows_;
  VectorXd wanted_, y_;
};

}  // namespace tribo
