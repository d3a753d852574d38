// Blocks of D numbers as lanes: D rounded up to a length that the machine knows, zeros in what is left over. All loops of the
// cone solver are over lanes, and a D × D block is D of them, column by column.
#pragma once

#include "tribo/linalg/padded.hpp"

#include <cmath>
#include <cstring>

namespace tribo::cone {

template <int D>
inline constexpr int kLanes = D == 2 ? 2 : (D <= 4 ? 4 : 8);
template <int D>
inline constexpr int kBlock = D* kLanes<D>;  // numbers of a stored D × D block

using LaneVector = padded::Vector;  // blocks begin where cache lines do

template <int Count>
struct LaneType {
  typedef double type __attribute__((vector_size(8 * Count)));
};
template <int D>
using Lanes = typename LaneType<kLanes<D>>::type;

template <int D>
inline Lanes<D> load(const double* p) {
  Lanes<D> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <int D>
inline void store(double* p, Lanes<D> v) {
  std::memcpy(p, &v, sizeof v);
}

template <int D>
inline void copy_block(const double* from, double* to) {
  for (int k = 0; k < D; ++k) store<D>(to + k * kLanes<D>, load<D>(from + k * kLanes<D>));
}
template <int D>
inline void clear_block(double* block) {
  for (int k = 0; k < D; ++k) store<D>(block + k * kLanes<D>, Lanes<D>{});
}

// Σ_k x_k · column k: a block times a vector.
template <int D>
inline Lanes<D> times(const double* block, const double* x) {
  Lanes<D> sum = load<D>(block) * x[0];
  for (int k = 1; k < D; ++k) sum += load<D>(block + k * kLanes<D>) * x[k];
  return sum;
}

template <int D>
inline double dot(const double* a, const double* b) {
  double sum = a[0] * b[0];
  for (int k = 1; k < D; ++k) sum += a[k] * b[k];
  return sum;
}

template <int D>
inline double tangent_norm(const double* x) {
  if constexpr (D == 2) return std::abs(x[1]);
  double sum = x[1] * x[1];
  for (int k = 2; k < D; ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

}  // namespace tribo::cone
