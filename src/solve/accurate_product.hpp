// w = M x + q in about twice double precision, column by column so that it vectorises: per row the compensated dot
// product of Ogita, Rump and Oishi (error-free product by fma, error-free sum).
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo {

class AccurateProduct {
 public:
  void reserve(Index n) {
    if (sum_.size() < n) {
      sum_.resize(n);
      lost_.resize(n);
    }
  }
  // Columns with x_j = 0 are skipped.
  void operator()(const MatrixIn& M, const VectorIn& x, const VectorIn& q, VectorOut w);

 private:
  VectorXd sum_, lost_;
};

}  // namespace tribo
