// Products over short vectors whose length is padded with zeros to a multiple of eight: no tails, no dispatch. Vectors
// of 6 or 24 numbers are what the factors of one body or of a grasp are made of. Sums have a fixed order, whatever the
// machine's registers are.
#pragma once

#include "tribo/linalg/types.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

namespace tribo::padded {

// Numbers that begin with a cache line, so that eight of them never lie in two: a pass over many is then as fast as memory.
template <typename T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <typename U>
  explicit LineAllocator(const LineAllocator<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }
  bool operator==(const LineAllocator&) const = default;
};
using Vector = std::vector<double, LineAllocator<double>>;

inline constexpr Index kLanes = 8;
inline Index length(Index m) { return (m + kLanes - 1) / kLanes * kLanes; }

using Lanes = double __attribute__((vector_size(8 * sizeof(double))));

// Eight numbers anywhere in memory: lanes(p).v reads and writes them.
struct __attribute__((packed, aligned(8), may_alias)) Unaligned {
  Lanes v;
};
inline const Unaligned& lanes(const double* p) { return *reinterpret_cast<const Unaligned*>(p); }
inline Unaligned& lanes(double* p) { return *reinterpret_cast<Unaligned*>(p); }

using FourLanes = double __attribute__((vector_size(4 * sizeof(double))));
using TwoLanes = double __attribute__((vector_size(2 * sizeof(double))));
struct __attribute__((packed, aligned(8), may_alias)) UnalignedTwo {
  TwoLanes v;
};
inline TwoLanes two_lanes(const double* p) { return reinterpret_cast<const UnalignedTwo*>(p)->v; }

// Halves folded onto one another: ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)).
inline double sum_of(const Lanes& x) {
  const FourLanes four = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const TwoLanes two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
  return two[0] + two[1];
}
// Four sums at once, in the same order.
inline void store_sums(const Lanes& a, const Lanes& b, const Lanes& c, const Lanes& d, double* out) {
  const FourLanes a4 = __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
  const FourLanes b4 = __builtin_shufflevector(b, b, 0, 1, 2, 3) + __builtin_shufflevector(b, b, 4, 5, 6, 7);
  const FourLanes c4 = __builtin_shufflevector(c, c, 0, 1, 2, 3) + __builtin_shufflevector(c, c, 4, 5, 6, 7);
  const FourLanes d4 = __builtin_shufflevector(d, d, 0, 1, 2, 3) + __builtin_shufflevector(d, d, 4, 5, 6, 7);
  // (a0 + a2, a1 + a3, b0 + b2, b1 + b3), the same of c and d, then neighbours.
  const FourLanes ab = __builtin_shufflevector(a4, b4, 0, 1, 4, 5) + __builtin_shufflevector(a4, b4, 2, 3, 6, 7);
  const FourLanes cd = __builtin_shufflevector(c4, d4, 0, 1, 4, 5) + __builtin_shufflevector(c4, d4, 2, 3, 6, 7);
  const FourLanes sums = __builtin_shufflevector(ab, cd, 0, 2, 4, 6) + __builtin_shufflevector(ab, cd, 1, 3, 5, 7);
  for (int i = 0; i < 4; ++i) out[i] = sums[i];
}
inline double least_of(const Lanes& x) {
  const FourLanes a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const FourLanes four = a < b ? a : b;
  const TwoLanes c = __builtin_shufflevector(four, four, 0, 1), d = __builtin_shufflevector(four, four, 2, 3);
  const TwoLanes two = c < d ? c : d;
  return two[0] < two[1] ? two[0] : two[1];
}
inline double largest_of(const Lanes& x) { return -least_of(-x); }

// All zeros? Any length; NaN is not zero.
inline bool is_zero(const double* x, Index count) {
  constexpr Index kAtOnce = 8 * kLanes;  // looked at before the next branch
  Index i = 0;
  for (; i + kAtOnce <= count; i += kAtOnce) {
    auto other = lanes(x + i).v != 0.0;
    for (Index k = kLanes; k < kAtOnce; k += kLanes) other |= lanes(x + i + k).v != 0.0;
    decltype(other) none = {};
    if (__builtin_memcmp(&other, &none, sizeof other) != 0) return false;
  }
  for (; i < count; ++i) {
    if (x[i] != 0.0) return false;
  }
  return true;
}

inline double dot(const double* a, const double* b, Index padded) {
  Lanes sum = {};
  for (Index i = 0; i < padded; i += kLanes) sum += lanes(a + i).v * lanes(b + i).v;
  return sum_of(sum);
}

// c ← Qᵀ y for k columns at distance `stride`; four at a time, so that y is read once for four.
inline void multiply_transposed(const double* Q, Index stride, Index k, const double* y, Index padded, double* c) {
  Index j = 0;
  if (padded == kLanes) {  // one body
    const Lanes value = lanes(y).v;
    for (; j + 4 <= k; j += 4) {
      const double* q = Q + j * stride;
      store_sums(lanes(q).v * value, lanes(q + stride).v * value, lanes(q + 2 * stride).v * value,
                 lanes(q + 3 * stride).v * value, c + j);
    }
    for (; j < k; ++j) c[j] = sum_of(lanes(Q + j * stride).v * value);
    return;
  }
  for (; j + 4 <= k; j += 4) {
    const double *q0 = Q + j * stride, *q1 = q0 + stride, *q2 = q1 + stride, *q3 = q2 + stride;
    Lanes s0 = {}, s1 = {}, s2 = {}, s3 = {};
    for (Index i = 0; i < padded; i += kLanes) {
      const Lanes value = lanes(y + i).v;
      s0 += lanes(q0 + i).v * value;
      s1 += lanes(q1 + i).v * value;
      s2 += lanes(q2 + i).v * value;
      s3 += lanes(q3 + i).v * value;
    }
    store_sums(s0, s1, s2, s3, c + j);
  }
  for (; j < k; ++j) c[j] = dot(Q + j * stride, y, padded);
}

// y ← y + scale Q c.
inline void add_product(const double* Q, Index stride, Index k, const double* c, double scale, double* y,
                        Index padded) {
  Index j = 0;
  if (padded == kLanes) {
    Lanes value = lanes(y).v;
    for (; j < k; ++j) value += (scale * c[j]) * lanes(Q + j * stride).v;
    lanes(y).v = value;
    return;
  }
  for (; j + 4 <= k; j += 4) {
    const double *q0 = Q + j * stride, *q1 = q0 + stride, *q2 = q1 + stride, *q3 = q2 + stride;
    const double c0 = scale * c[j], c1 = scale * c[j + 1], c2 = scale * c[j + 2], c3 = scale * c[j + 3];
    for (Index i = 0; i < padded; i += kLanes) {
      lanes(y + i).v += (c0 * lanes(q0 + i).v + c1 * lanes(q1 + i).v) + (c2 * lanes(q2 + i).v + c3 * lanes(q3 + i).v);
    }
  }
  for (; j < k; ++j) {
    const double* q = Q + j * stride;
    const double factor = scale * c[j];
    for (Index i = 0; i < padded; i += kLanes) lanes(y + i).v += factor * lanes(q + i).v;
  }
}

}  // namespace tribo::padded
