// Passes of the ratio test over eight variables at a time, for pyramid_path.cpp.
#pragma once

#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/pair_rows.hpp"

#include <algorithm>

namespace tribo {

// w ← Σ_k ρ_k V_k + b and dw ← Σ_k ρ_k dV_k over the positions of one pair.
template <int Width>
inline void multiply_both(const PairRows::Slice& slice, const double* V, const double* dV, const double* b, double* w,
                          double* dw) {
  const Index width = Width > 0 ? Width : slice.width;
  for (Index i = 0; i < slice.padded; i += 8) {
    const double* rho = slice.eight(i);
    padded::Lanes sum = {}, change = {};
    if (b != nullptr) sum = padded::lanes(b + i).v;
    for (Index k = 0; k < width; ++k) {
      const padded::Lanes numbers = padded::lanes(rho + 8 * k).v;
      sum += numbers * V[k];
      change += numbers * dV[k];
    }
    padded::lanes(w + i).v = sum;
    padded::lanes(dw + i).v = change;
  }
}

// The first of many values to fall to −`slack`, each at its own rate; eight races side by side, without a division.
struct Race {
  padded::Lanes value = padded::Lanes{} + 1e300, speed = padded::Lanes{} + 1.0;

  // By value: numbers in memory need not be aligned as a reference would ask.
  void enter(padded::Lanes v, padded::Lanes rate, padded::Lanes slack, padded::Lanes slowest) {
    const padded::Lanes margin = (v > 0.0 ? v : padded::Lanes{}) + slack;
    const auto earlier = (-rate > slowest) & (margin * speed < value * -rate);
    value = earlier ? margin : value;
    speed = earlier ? -rate : speed;
  }
  double time() const { return padded::least_of(value / speed); }
};

// Which of eight are there at `time`.
inline bool arrives(double v, double rate, double slowest, double time) {
  return -rate > slowest && std::max(v, 0.0) <= time * -rate;
}
inline bool any_arrives(padded::Lanes v, padded::Lanes rate, padded::Lanes slowest, double time) {
  const padded::Lanes late = (v > 0.0 ? v : padded::Lanes{}) + time * rate;
  return padded::least_of(-rate > slowest ? late : padded::Lanes{} + 1.0) <= 0.0;
}

}  // namespace tribo
