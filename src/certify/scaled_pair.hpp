// The scaled min-map of a force z against a velocity w along a row of norm ρ, on the speed scale us (spec
// B.7):
//     | min( z ρ / us,  w / (ρ us) ) |
// Both members are free of units, and the map is zero exactly when 0 ≤ z ⟂ w ≥ 0. In a near-jam it stays
// small where the product z w does not. A row of norm zero moves nothing: w is then a constant of the
// problem. Negative, nothing can help it; positive, z has to vanish, and both are compared with `fallback`,
// for want of a scale of their own.
//
// Where w holds a compliance R of its own (w = row · v + b + R z), a force shows in w as much as on a row of norm²
// ρ² + R, and z is multiplied by (ρ² + R)/ρ.
#pragma once

#include <algorithm>

#include "certify/measure.hpp"

namespace tribo {

struct ScaledPair {
  double z = 0.0;
  double w = 0.0;
};

// How much an impulse along a row shows in the velocity that its law speaks of, over ρ.
inline double impulse_weight(double norm, double compliance) { return norm + compliance / norm; }

inline ScaledPair scaled_pair(double z, double w, double norm, double speed, double fallback, double compliance = 0.0) {
  const auto over = [](double value, double scale) { return std::copysign(ratio(value, scale), value); };
  if (norm > 0.0) return {over(z * impulse_weight(norm, compliance), speed), over(w, norm * speed)};
  if (compliance > 0.0) return {over(z * compliance, fallback), over(w, fallback)};
  return {over(z, fallback), w < 0.0 ? -kInfinity : over(w, fallback)};
}

inline double min_map(const ScaledPair& pair) {
  if (std::isnan(pair.z) || std::isnan(pair.w)) return kInfinity;
  return std::abs(std::min(pair.z, pair.w));
}

}  // namespace tribo
