#include "solve/compliant/lower_factor.hpp"

#include <cmath>

namespace tribo::compliant {

bool factor_lower(double* T, Index size) {
  for (Index j = 0; j < size; ++j) {
    double* column = T + j * size;
    if (!(column[j] > 0.0 && std::isfinite(column[j]))) return false;
    const double root = std::sqrt(column[j]);
    column[j] = root;
    for (Index i = j + 1; i < size; ++i) column[i] /= root;
    for (Index k = j + 1; k < size; ++k) {
      if (column[k] != 0.0)
        VectorXd::Map(T + k * size + k, size - k) -= column[k] * VectorXd::Map(column + k, size - k);
    }
  }
  return true;
}

void solve_lower(const double* T, Index size, double* x) {
  for (Index j = 0; j < size; ++j) {
    x[j] /= T[j * size + j];
    for (Index i = j + 1; i < size; ++i) x[i] -= x[j] * T[j * size + i];
  }
  for (Index j = size - 1; j >= 0; --j) {
    double sum = x[j];
    for (Index i = j + 1; i < size; ++i) sum -= T[j * size + i] * x[i];
    x[j] = sum / T[j * size + j];
  }
}

}  // namespace tribo::compliant
