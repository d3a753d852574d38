// The scaled min-map of a force z against a velocity w along a row of norm ρ, on the speed scale us (spec
// B.7):
//     | min( z ρ / us,  w / (ρ us) ) |
// Both members are free of units, and the map is zero exactly when 0 ≤ z ⟂ w ≥ 0. In a near-jam it stays
// small where the product z w does not. A row of norm zero moves nothing: w is then a constant of the
// problem. Negative, nothing can help it; positive, z has to vanish, and both are compared with `fallback`,
// for want of a scale of their own.
#pragma once

#include <algorithm>

#include "certify/measure.hpp"

namespace tribo {

struct ScaledPair {
  double z = 0.0;
  double w = 0.0;
};

inline ScaledPair scaled_pair(double z, double w, double norm, double speed, double fallback) {
  const auto over = [](double value, double scale) { return std::copysign(ratio(value, scale), value); };
  if (norm > 0.0) return {over(z * norm, speed), over(w, norm * speed)};
  return {over(z, fallback), w < 0.0 ? -kInfinity : over(w, fallback)};
}

inline double min_map(const ScaledPair& pair) {
  if (std::isnan(pair.z) || std::isnan(pair.w)) return kInfinity;
  return std::abs(std::min(pair.z, pair.w));
}

}  // namespace tribo
