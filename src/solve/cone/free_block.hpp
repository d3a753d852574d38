// A bilateral block alone: r = −A⁻¹ b, by elimination with complete pivoting; directions in which A is zero to rounding get
// nothing (rows of a joint that say the same twice).
#pragma once

#include <algorithm>
#include <cmath>

#include "solve/cone/cone_lanes.hpp"

namespace tribo::cone {

template <int D>
inline void solve_free_block(const double* A, const double* b, double* r) {
  double a[D][D], x[D];
  int column[D];
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) a[i][j] = A[j * kLanes<D> + i];
    x[i] = -b[i];
    column[i] = i;
  }
  double largest = 0.0;
  int rank = 0;
  for (; rank < D; ++rank) {
    int pi = rank, pj = rank;
    for (int i = rank; i < D; ++i) {
      for (int j = rank; j < D; ++j) {
        if (std::abs(a[i][j]) > std::abs(a[pi][pj])) pi = i, pj = j;
      }
    }
    const double pivot = std::abs(a[pi][pj]);
    largest = std::max(largest, pivot);
    if (!(pivot > 1e-12 * largest)) break;
    std::swap(x[rank], x[pi]);
    for (int j = 0; j < D; ++j) std::swap(a[rank][j], a[pi][j]);
    for (int i = 0; i < D; ++i) std::swap(a[i][rank], a[i][pj]);
    std::swap(column[rank], column[pj]);
    for (int i = rank + 1; i < D; ++i) {
      const double l = a[i][rank] / a[rank][rank];
      for (int j = rank + 1; j < D; ++j) a[i][j] -= l * a[rank][j];
      x[i] -= l * x[rank];
    }
  }
  for (int k = 0; k < D; ++k) r[k] = 0.0;
  for (int k = rank; k-- > 0;) {
    double sum = x[k];
    for (int j = k + 1; j < rank; ++j) sum -= a[k][j] * r[column[j]];
    r[column[k]] = sum / a[k][k];
  }
}

}  // namespace tribo::cone
