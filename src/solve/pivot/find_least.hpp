// Pricing: the row that is violated most.
#pragma once

#include "tribo/linalg/padded.hpp"

namespace tribo {

// The least of w_i · scale_i below −floor, the first one on ties; −1: none. Eight rows at a time, so that a pass costs two
// numbers per row; NaN never wins.
inline Index find_least(const double* w, const double* scale, Index n, double floor) {
  using padded::Lanes;
  using padded::lanes;
  double least = -floor;
  Index best = -1, i = 0;
  for (; i + padded::kLanes <= n; i += padded::kLanes) {
    const Lanes scaled = lanes(w + i).v * lanes(scale + i).v;
    Lanes below = {};
    below = scaled < below ? scaled : below;
    const double smallest = padded::least_of(below);
    if (!(smallest < least)) continue;
    least = smallest;
    for (best = i; !(scaled[best - i] == smallest);) ++best;
  }
  for (; i < n; ++i) {
    const double scaled = w[i] * scale[i];
    if (!(scaled < least)) continue;
    least = scaled;
    best = i;
  }
  return best;
}

}  // namespace tribo
