// Pricing: the row that is violated most.
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo {

// The least of w_i · scale_i below −floor, the first one on ties; −1: none. Blocks of 64 rows, eight lanes each, so that a pass
// costs two numbers per row; NaN never wins.
inline Index find_least(const double* w, const double* scale, Index n, double floor) {
  constexpr Index kLanes = 8;
  double least = -floor;
  Index best = -1;
  Index begin = 0;
  for (Index end = 0; begin + kLanes <= n; begin = end) {
    end = begin + 64 <= n ? begin + 64 : begin + (n - begin) / kLanes * kLanes;
    double lane[kLanes] = {};
    for (Index i = begin; i < end; i += kLanes) {
      for (Index j = 0; j < kLanes; ++j) {
        const double scaled = w[i + j] * scale[i + j];
        lane[j] = scaled < lane[j] ? scaled : lane[j];
      }
    }
    double block = 0.0;
    for (const double value : lane) block = value < block ? value : block;
    if (!(block < least)) continue;
    least = block;
    for (best = begin; w[best] * scale[best] != block;) ++best;
  }
  for (Index i = begin; i < n; ++i) {
    const double scaled = w[i] * scale[i];
    if (!(scaled < least)) continue;
    least = scaled;
    best = i;
  }
  return best;
}

}  // namespace tribo
