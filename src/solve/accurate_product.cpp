#include "solve/accurate_product.hpp"

#include <cmath>

namespace tribo {

void AccurateProduct::operator()(const MatrixIn& M, const VectorIn& x, const VectorIn& q, VectorOut w) {
  const Index n = q.size();
  sum_.head(n) = q;
  lost_.head(n).setZero();
  double* sum = sum_.data();
  double* lost = lost_.data();
  for (Index j = 0; j < M.cols(); ++j) {
    const double scale = x(j);
    if (scale == 0.0) continue;
    const double* column = M.col(j).data();
    for (Index i = 0; i < n; ++i) {
      const double product = column[i] * scale;
      const double product_error = std::fma(column[i], scale, -product);
      const double total = sum[i] + product;
      const double part = total - sum[i];
      const double sum_error = (sum[i] - (total - part)) + (product - part);
      sum[i] = total;
      lost[i] += product_error + sum_error;
    }
  }
  w.head(n) = sum_.head(n) + lost_.head(n);
}

}  // namespace tribo
