// y += Σ_p x_p column(p): the inner product of every pivoting method. Four columns at a time, so that y is read and
// written once for four columns of the matrix.
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo {

// column(p) returns a pointer to `rows` contiguous numbers.
template <typename ColumnOf>
void add_columns(Index count, const double* x, Index rows, double* y, const ColumnOf& column) {
  Index p = 0;
  for (; p + 4 <= count; p += 4) {
    const double* a = column(p);
    const double* b = column(p + 1);
    const double* c = column(p + 2);
    const double* d = column(p + 3);
    const double xa = x[p], xb = x[p + 1], xc = x[p + 2], xd = x[p + 3];
    for (Index i = 0; i < rows; ++i) y[i] += (a[i] * xa + b[i] * xb) + (c[i] * xc + d[i] * xd);
  }
  for (; p < count; ++p) {
    const double* a = column(p);
    const double xa = x[p];
    for (Index i = 0; i < rows; ++i) y[i] += a[i] * xa;
  }
}

}  // namespace tribo
