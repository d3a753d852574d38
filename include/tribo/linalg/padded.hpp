// Products over short vectors whose length is padded with zeros to a multiple of eight: no tails, no dispatch. Vectors
// of 6 or 24 numbers are what the factors of one body or of a grasp are made of. Sums have a fixed order, whatever the
// machine's registers are.
#pragma once

#include "tribo/linalg/types.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
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
inline FourLanes sums_of(const Lanes& a, const Lanes& b, const Lanes& c, const Lanes& d) {
  const FourLanes a4 = __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
  const FourLanes b4 = __builtin_shufflevector(b, b, 0, 1, 2, 3) + __builtin_shufflevector(b, b, 4, 5, 6, 7);
  const FourLanes c4 = __builtin_shufflevector(c, c, 0, 1, 2, 3) + __builtin_shufflevector(c, c, 4, 5, 6, 7);
  const FourLanes d4 = __builtin_shufflevector(d, d, 0, 1, 2, 3) + __builtin_shufflevector(d, d, 4, 5, 6, 7);
  // (a0 + a2, a1 + a3, b0 + b2, b1 + b3), the same of c and d, then neighbours.
  const FourLanes ab = __builtin_shufflevector(a4, b4, 0, 1, 4, 5) + __builtin_shufflevector(a4, b4, 2, 3, 6, 7);
  const FourLanes cd = __builtin_shufflevector(c4, d4, 0, 1, 4, 5) + __builtin_shufflevector(c4, d4, 2, 3, 6, 7);
  return __builtin_shufflevector(ab, cd, 0, 2, 4, 6) + __builtin_shufflevector(ab, cd, 1, 3, 5, 7);
}
struct __attribute__((packed, aligned(8), may_alias)) UnalignedFour {
  FourLanes v;
};
inline void store(const FourLanes& x, double* out) { reinterpret_cast<UnalignedFour*>(out)->v = x; }
inline double least_of(const Lanes& x) {
  const FourLanes a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const FourLanes four = a < b ? a : b;
  const TwoLanes c = __builtin_shufflevector(four, four, 0, 1), d = __builtin_shufflevector(four, four, 2, 3);
  const TwoLanes two = c < d ? c : d;
  return two[0] < two[1] ? two[0] : two[1];
}
inline double largest_of(const Lanes& x) { return -least_of(-x); }

// Short copies and fills, without a call; `padded` is a multiple of eight.
inline void copy(const double* from, Index padded, double* to) {
  for (Index i = 0; i < padded; i += kLanes) lanes(to + i).v = lanes(from + i).v;
}
inline void clear(double* x, Index padded) {
  for (Index i = 0; i < padded; i += kLanes) lanes(x + i).v = Lanes{};
}

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

// Vectors of up to four times eight numbers (five bodies) stay in registers: y is given as that many lanes.
inline constexpr Index kMostRegisters = 4;

template <int Groups>
inline void load(const double* y, Lanes (&out)[Groups]) {
  for (int g = 0; g < Groups; ++g) out[g] = lanes(y + g * kLanes).v;
}
template <int Groups>
inline void store(const Lanes (&y)[Groups], double* out) {
  for (int g = 0; g < Groups; ++g) lanes(out + g * kLanes).v = y[g];
}
template <int Groups>
inline Lanes multiply(const double* q, const Lanes (&y)[Groups]) {
  Lanes sum = lanes(q).v * y[0];
  for (int g = 1; g < Groups; ++g) sum += lanes(q + g * kLanes).v * y[g];
  return sum;
}
template <int Groups>
inline double squared_norm(const Lanes (&y)[Groups]) {
  Lanes sum = y[0] * y[0];
  for (int g = 1; g < Groups; ++g) sum += y[g] * y[g];
  return sum_of(sum);
}

// c ← Qᵀ y for k columns at distance `stride`. Returns whether any is not zero, or may not be (−0, NaN).
template <int Groups>
inline bool multiply_transposed(const double* Q, Index stride, Index k, const Lanes (&y)[Groups], double* c) {
  using FourBits = std::int64_t __attribute__((vector_size(4 * sizeof(std::int64_t))));
  FourBits bits = {};
  Index j = 0;
  for (; j + 4 <= k; j += 4, Q += 4 * stride) {
    const FourLanes sums =
        sums_of(multiply(Q, y), multiply(Q + stride, y), multiply(Q + 2 * stride, y), multiply(Q + 3 * stride, y));
    store(sums, c + j);
    bits |= reinterpret_cast<FourBits>(sums);
  }
  bool any = (bits[0] | bits[1] | bits[2] | bits[3]) != 0;
  for (; j < k; ++j, Q += stride) {
    c[j] = sum_of(multiply(Q, y));
    any = any | (c[j] != 0.0);
  }
  return any;
}

// y ← y + scale Q c.
template <int Groups>
inline void add_product(const double* Q, Index stride, Index k, const double* c, double scale, Lanes (&y)[Groups]) {
  Index j = 0;
  for (; j + 4 <= k; j += 4, Q += 4 * stride) {
    const double c0 = scale * c[j], c1 = scale * c[j + 1], c2 = scale * c[j + 2], c3 = scale * c[j + 3];
    for (int g = 0; g < Groups; ++g) {
      const double* q = Q + g * kLanes;
      y[g] +=
          (c0 * lanes(q).v + c1 * lanes(q + stride).v) + (c2 * lanes(q + 2 * stride).v + c3 * lanes(q + 3 * stride).v);
    }
  }
  for (; j < k; ++j, Q += stride) {
    for (int g = 0; g < Groups; ++g) y[g] += (scale * c[j]) * lanes(Q + g * kLanes).v;
  }
}

// visit(std::integral_constant<int, Groups>) where `padded` numbers are Groups registers; false: they are too many.
template <typename Visit>
inline bool in_registers(Index padded, const Visit& visit) {
  static_assert(kMostRegisters == 4);
  switch (padded / kLanes) {
    case 1:
      visit(std::integral_constant<int, 1>());
      return true;
    case 2:
      visit(std::integral_constant<int, 2>());
      return true;
    case 3:
      visit(std::integral_constant<int, 3>());
      return true;
    case 4:
      visit(std::integral_constant<int, 4>());
      return true;
    default:
      return false;
  }
}

// The same for longer vectors; four columns at a time, so that y is read once for four.
inline void multiply_transposed(const double* Q, Index stride, Index k, const double* y, Index padded, double* c) {
  Index j = 0;
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
    store(sums_of(s0, s1, s2, s3), c + j);
  }
  for (; j < k; ++j) c[j] = dot(Q + j * stride, y, padded);
}

inline void add_product(const double* Q, Index stride, Index k, const double* c, double scale, double* y,
                        Index padded) {
  Index j = 0;
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
