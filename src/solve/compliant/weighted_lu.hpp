// LU factor of a small dense symmetric system in extended precision: K scaled to entries of about one on both sides, partial
// pivoting, and refinement against K as it was given. The weighted program loses up to fourteen digits (spec C.3, 4), which
// double precision does not have.
#pragma once

#include "tribo/linalg/types.hpp"

#include <vector>

namespace tribo::compliant {

using Extended = long double;
using ExtendedVector = Eigen::Matrix<Extended, Eigen::Dynamic, 1>;
using ExtendedMatrix = Eigen::Matrix<Extended, Eigen::Dynamic, Eigen::Dynamic>;

class ExtendedLu {
 public:
  // `soft`: what is subtracted from the scaled diagonal of the rows from `first_soft` on, so that dependent constraints do not
  // end it; refinement takes it out again where the system has an answer. False: singular, or a number is not finite.
  [[nodiscard]] bool factor(const ExtendedMatrix& K, Index first_soft, Extended soft);
  ExtendedVector solve(const ExtendedVector& b) const;  // with three steps of refinement

 private:
  void solve_once(ExtendedVector& b) const;

  ExtendedMatrix K_, LU_;
  ExtendedVector scale_;
  std::vector<Index> swaps_;
};

}  // namespace tribo::compliant
