// Arithmetic with eight rows side by side, for one_body.cpp alone. The compiler splits the vectors where the machine
// has no registers of that length; nothing here is called from another file, so none need agree on how they are passed.
#pragma once

#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/types.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace tribo::one_body {

using padded::kLanes;
using padded::Lanes;
using padded::lanes;
using Bits = std::int64_t __attribute__((vector_size(64)));

constexpr std::int64_t kTag = 63;  // bits of a number that hold a row's place

// step(0) … step(Count − 1), with numbers known to the compiler: small arrays then live in registers.
template <int Count, typename Step>
inline void unrolled(const Step& step) {
  [&step]<int... i>(std::integer_sequence<int, i...>) { (step(std::integral_constant<int, i>()), ...); }
  (std::make_integer_sequence<int, Count>());
}

inline Bits larger(const Bits& a, const Bits& b) { return a > b ? a : b; }

// Numbers ≥ 0 are ordered as their bits are.
inline std::int64_t largest_of(const Bits& x) {
  using Four = std::int64_t __attribute__((vector_size(32)));
  using Two = std::int64_t __attribute__((vector_size(16)));
  const Four a = __builtin_shufflevector(x, x, 0, 1, 2, 3), b = __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const Four four = a > b ? a : b;
  const Two c = __builtin_shufflevector(four, four, 0, 1), d = __builtin_shufflevector(four, four, 2, 3);
  const Two two = c > d ? c : d;
  return std::max<std::int64_t>(two[0], two[1]);
}

constexpr Bits kFirstPlaces = {0, 1, 2, 3, 4, 5, 6, 7};
inline Bits places(Index chunk) { return kFirstPlaces + static_cast<std::int64_t>(chunk * kLanes); }

// A number ≥ 0 that remembers its row in its last bits, so that the largest one says whose it is; the first on ties.
inline Bits tagged(const Lanes& x, Index chunk) { return (reinterpret_cast<Bits>(x) & ~kTag) | (kTag - places(chunk)); }
inline Index place_of(std::int64_t tagged) { return static_cast<Index>(kTag - (tagged & kTag)); }

// Without sign: NaN of either sign is then larger than all numbers.
inline Bits magnitude(const Lanes& x) { return reinterpret_cast<Bits>(x) & std::numeric_limits<std::int64_t>::max(); }

// Σ g_j x_j, two sums side by side.
template <int Width, typename Factor, typename Number>
Number dot(const Factor* g, const Number* x) {
  Number even = g[0] * x[0], odd = g[1] * x[1];
  for (int j = 2; j < Width; j += 2) {
    even += g[j] * x[j];
    odd += g[j + 1] * x[j + 1];
  }
  return even + odd;
}

template <int Width>
Lanes sum_of_squares(const Lanes* x) {
  return dot<Width>(x, x);
}

// Few numbers, without the call that a copy of any length would be.
inline void copy_few(const double* from, Index count, double* to) {
  const auto copy = [&](auto size) {
    std::memcpy(to, from, size * sizeof(double));
    from += size;
    to += size;
  };
  for (; count >= kLanes; count -= kLanes) copy(std::integral_constant<int, 8>());
  if ((count & 4) != 0) copy(std::integral_constant<int, 4>());
  if ((count & 2) != 0) copy(std::integral_constant<int, 2>());
  if ((count & 1) != 0) copy(std::integral_constant<int, 1>());
}

// Pairs (a0, b0, a2, b2, …) and (a1, b1, a3, b3, …); quarters and halves put side by side.
inline Lanes evens(const Lanes& a, const Lanes& b) { return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14); }
inline Lanes odds(const Lanes& a, const Lanes& b) { return __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15); }
inline Lanes first_pairs(const Lanes& a, const Lanes& b) {
  return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
}
inline Lanes last_pairs(const Lanes& a, const Lanes& b) {
  return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}
inline Lanes first_halves(const Lanes& a, const Lanes& b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
}
inline Lanes last_halves(const Lanes& a, const Lanes& b) {
  return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

template <typename Short>
Short read(const double* numbers) {
  Short result;
  std::memcpy(&result, numbers, sizeof result);
  return result;
}
inline Lanes read_fours(const double* a, const double* b) {
  return __builtin_shufflevector(read<padded::FourLanes>(a), read<padded::FourLanes>(b), 0, 1, 2, 3, 4, 5, 6, 7);
}
inline padded::FourLanes read_twos(const double* a, const double* b) {
  return __builtin_shufflevector(read<padded::TwoLanes>(a), read<padded::TwoLanes>(b), 0, 1, 2, 3);
}

// Eight rows of `Width` numbers as columns; nothing behind a row's last number is read.
template <int Width>
void transpose(const double* const* row, Lanes* column) {
  const auto four_columns = [&](int first) {
    Lanes half[4];
    for (int i = 0; i < 4; ++i) half[i] = read_fours(row[i] + first, row[i + 4] + first);
    const Lanes a = evens(half[0], half[1]), b = evens(half[2], half[3]);
    const Lanes c = odds(half[0], half[1]), d = odds(half[2], half[3]);
    column[first] = first_pairs(a, b);
    column[first + 1] = first_pairs(c, d);
    column[first + 2] = last_pairs(a, b);
    column[first + 3] = last_pairs(c, d);
  };
  four_columns(0);
  if constexpr (Width == 6) {
    const auto every_second = [&](int i) {
      return __builtin_shufflevector(read_twos(row[i] + 4, row[i + 2] + 4), read_twos(row[i + 4] + 4, row[i + 6] + 4),
                                     0, 1, 2, 3, 4, 5, 6, 7);
    };
    const Lanes a = every_second(0), b = every_second(1);
    column[4] = evens(a, b);
    column[5] = odds(a, b);
  }
  if constexpr (Width == 8) four_columns(4);
}

// The sums of eight vectors.
inline Lanes sums_of(const Lanes* x) {
  Lanes two[4], four[2];
  for (int i = 0; i < 4; ++i) two[i] = evens(x[2 * i], x[2 * i + 1]) + odds(x[2 * i], x[2 * i + 1]);
  for (int i = 0; i < 2; ++i) {
    four[i] = first_pairs(two[2 * i], two[2 * i + 1]) + last_pairs(two[2 * i], two[2 * i + 1]);
  }
  return first_halves(four[0], four[1]) + last_halves(four[0], four[1]);
}

}  // namespace tribo::one_body
