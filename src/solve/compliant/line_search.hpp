// How far to go along a line on which a convex function falls at first: its derivative does not fall.
#pragma once

#include <algorithm>

namespace tribo::compliant {

// t in (0, 1) where the derivative is nearly zero, on the falling side; `slope` < 0 at t = 0, `right` > 0 at t = 1, slope_at(t)
// between. Regula falsi, Illinois. The whole step is to be taken where right <= kFlat * |slope|, without asking.
inline constexpr double kFlat = 1e-3;
template <class SlopeAt>
double find_step(double slope, double right, const SlopeAt& slope_at) {
  double low = 0.0, high = 1.0, left = slope;
  for (int k = 0; k < 60; ++k) {
    const double t = low + (high - low) * std::clamp(left / (left - right), 0.01, 0.99);
    const double value = slope_at(t);
    if (value <= -kFlat * slope && value >= 0.1 * slope) return t;
    if (value < 0.0) {
      low = t;
      left = value;
      right *= 0.5;
    } else {
      high = t;
      right = value;
      left *= 0.5;
    }
  }
  return low > 0.0 ? low : high;
}

}  // namespace tribo::compliant
