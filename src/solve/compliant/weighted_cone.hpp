// One cone of the interior point method, K = { s₀ ≥ |s₁| } in up to three components (one: a half line), and its
// Nesterov–Todd scaling  W z = W⁻¹ s = λ:
//     W = η [w₀ w₁ᵀ; w₁ I + w₁ w₁ᵀ/(1 + w₀)],   W² = η² (2 w wᵀ − J),   J = diag(1, −1, −1)                         (1)
//     w = (s̄ + J z̄)/(2γ),  γ² = (1 + s̄·z̄)/2,  s̄ = s/√(sᵀJs),  η² = √(sᵀJs / zᵀJz)                                (2)
// Source    Vandenberghe, The CVXOPT linear and quadratic cone program solvers, §4.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "solve/compliant/weighted_lu.hpp"

namespace tribo::compliant {

struct ConeVector {
  std::array<Extended, 3> at{0, 0, 0};  // components beyond the cone's size stay zero

  Extended tail() const { return std::hypot(at[1], at[2]); }
  Extended lowest() const { return at[0] - tail(); }  // > 0 inside
  Extended norm_J() const { return std::sqrt(lowest() * (at[0] + tail())); }
  Extended dot(const ConeVector& b) const { return at[0] * b.at[0] + at[1] * b.at[1] + at[2] * b.at[2]; }
  Extended dot_J(const ConeVector& b) const { return at[0] * b.at[0] - at[1] * b.at[1] - at[2] * b.at[2]; }
};

inline ConeVector combine(Extended alpha, const ConeVector& a, Extended beta, const ConeVector& b) {
  return {{alpha * a.at[0] + beta * b.at[0], alpha * a.at[1] + beta * b.at[1], alpha * a.at[2] + beta * b.at[2]}};
}

// a ∘ b = (a·b, a₀ b₁ + b₀ a₁)
inline ConeVector circle(const ConeVector& a, const ConeVector& b) {
  return {{a.dot(b), a.at[0] * b.at[1] + b.at[0] * a.at[1], a.at[0] * b.at[2] + b.at[0] * a.at[2]}};
}

// x of  a ∘ x = b,  a inside K
inline ConeVector divide(const ConeVector& a, const ConeVector& b) {
  const Extended x0 = a.dot_J(b) / (a.lowest() * (a.at[0] + a.tail()));
  return {{x0, (b.at[1] - x0 * a.at[1]) / a.at[0], (b.at[2] - x0 * a.at[2]) / a.at[0]}};
}

// The largest α with  s + α d ∈ K,  s inside.
inline Extended longest_step(const ConeVector& s, const ConeVector& d) {
  const Extended a = d.dot_J(d), b = s.dot_J(d), c = s.lowest() * (s.at[0] + s.tail());
  const Extended discriminant = b * b - a * c;
  if ((a < 0 || b < 0) && discriminant >= 0) {
    const Extended denominator = -b + std::sqrt(discriminant);
    if (denominator > 0) return c / denominator;
  }
  return d.at[0] < 0 ? -s.at[0] / d.at[0] : std::numeric_limits<Extended>::infinity();
}

struct ConeScaling {
  ConeVector w;
  Extended eta = 1;

  void assign(const ConeVector& s, const ConeVector& z) {  // (2)
    const Extended size_s = s.norm_J(), size_z = z.norm_J();
    const ConeVector bar_s = combine(1 / size_s, s, 0, s), bar_z = combine(1 / size_z, z, 0, z);
    const Extended gamma = std::sqrt((1 + bar_s.dot(bar_z)) / 2);
    w = {{bar_s.at[0] + bar_z.at[0], bar_s.at[1] - bar_z.at[1], bar_s.at[2] - bar_z.at[2]}};
    w = combine(1 / (2 * gamma), w, 0, w);
    eta = std::sqrt(size_s / size_z);
  }
  ConeVector apply(const ConeVector& a) const { return scaled(a, 1, eta); }               // W a
  ConeVector apply_inverse(const ConeVector& a) const { return scaled(a, -1, 1 / eta); }  // W⁻¹ a
  Extended squared(int i, int j) const {                                                  // W²
    const Extended product = 2 * w.at[static_cast<std::size_t>(i)] * w.at[static_cast<std::size_t>(j)];
    return eta * eta * (product - (i != j ? 0 : i == 0 ? 1 : -1));
  }

 private:
  ConeVector scaled(const ConeVector& a, Extended sign, Extended size) const {
    const Extended along = w.at[1] * a.at[1] + w.at[2] * a.at[2];
    const Extended part = sign * a.at[0] + along / (1 + w.at[0]);
    return {{size * (w.at[0] * a.at[0] + sign * along), size * (a.at[1] + part * w.at[1]),
             size * (a.at[2] + part * w.at[2])}};
  }
};

}  // namespace tribo::compliant
