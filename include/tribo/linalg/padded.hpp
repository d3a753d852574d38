// Products over short vectors whose length is padded with zeros to a multiple of eight: no tails, no dispatch. Vectors
// of 6 or 24 numbers are what the factors of one body or of a grasp are made of. Sums have a fixed order, whatever the
// machine's registers are.
#pragma once

#include "tribo/linalg/types.hpp"

#include <algorithm>

namespace tribo::padded {

inline constexpr Index kLanes = 8;
inline Index length(Index m) { return (m + kLanes - 1) / kLanes * kLanes; }

// Eight numbers anywhere in memory.
using Lanes = double __attribute__((vector_size(8 * sizeof(double)), aligned(8), may_alias));

inline const Lanes& lanes(const double* p) { return *reinterpret_cast<const Lanes*>(p); }
inline Lanes& lanes(double* p) { return *reinterpret_cast<Lanes*>(p); }

using FourLanes = double __attribute__((vector_size(4 * sizeof(double)), aligned(8)));
using TwoLanes = double __attribute__((vector_size(2 * sizeof(double)), aligned(8)));

// Halves folded onto one another: ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
inline double sum_of(const Lanes& x) {
  const FourLanes four = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const TwoLanes two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
  return two[0] + two[1];
}
inline double least_of(const Lanes& x) {
  const FourLanes a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const FourLanes four = a < b ? a : b;
  const TwoLanes c = __builtin_shufflevector(four, four, 0, 1), d = __builtin_shufflevector(four, four, 2, 3);
  const TwoLanes two = c < d ? c : d;
  return two[0] < two[1] ? two[0] : two[1];
}
inline double largest_of(const Lanes& x) { return -least_of(-x); }

inline double dot(const double* a, const double* b, Index padded) {
  Lanes sum = {};
  for (Index i = 0; i < padded; i += kLanes) sum += lanes(a + i) * lanes(b + i);
  return sum_of(sum);
}

// c ← Qᵀ y for k columns at distance `stride`; four at a time, so that y is read once for four.
inline void multiply_transposed(const double* Q, Index stride, Index k, const double* y, Index padded, double* c) {
  Index j = 0;
  if (padded == kLanes) {  // one body
    const Lanes value = lanes(y);
    for (; j < k; ++j) c[j] = sum_of(lanes(Q + j * stride) * value);
    return;
  }
  for (; j + 4 <= k; j += 4) {
    const double *q0 = Q + j * stride, *q1 = q0 + stride, *q2 = q1 + stride, *q3 = q2 + stride;
    Lanes s0 = {}, s1 = {}, s2 = {}, s3 = {};
    for (Index i = 0; i < padded; i += kLanes) {
      const Lanes value = lanes(y + i);
      s0 += lanes(q0 + i) * value;
      s1 += lanes(q1 + i) * value;
      s2 += lanes(q2 + i) * value;
      s3 += lanes(q3 + i) * value;
    }
    c[j] = sum_of(s0);
    c[j + 1] = sum_of(s1);
    c[j + 2] = sum_of(s2);
    c[j + 3] = sum_of(s3);
  }
  for (; j < k; ++j) c[j] = dot(Q + j * stride, y, padded);
}

// y ← y + scale Q c.
inline void add_product(const double* Q, Index stride, Index k, const double* c, double scale, double* y,
                        Index padded) {
  Index j = 0;
  if (padded == kLanes) {
    Lanes value = lanes(y);
    for (; j < k; ++j) value += (scale * c[j]) * lanes(Q + j * stride);
    lanes(y) = value;
    return;
  }
  for (; j + 4 <= k; j += 4) {
    const double *q0 = Q + j * stride, *q1 = q0 + stride, *q2 = q1 + stride, *q3 = q2 + stride;
    const double c0 = scale * c[j], c1 = scale * c[j + 1], c2 = scale * c[j + 2], c3 = scale * c[j + 3];
    for (Index i = 0; i < padded; i += kLanes) {
      lanes(y + i) += (c0 * lanes(q0 + i) + c1 * lanes(q1 + i)) + (c2 * lanes(q2 + i) + c3 * lanes(q3 + i));
    }
  }
  for (; j < k; ++j) {
    const double* q = Q + j * stride;
    const double factor = scale * c[j];
    for (Index i = 0; i < padded; i += kLanes) lanes(y + i) += factor * lanes(q + i);
  }
}

}  // namespace tribo::padded
