// The law at one contact: projection on the cone, residual, and the linearization that Newton's method uses.
//
// With y_T = r_T − ρ u_T, y_N = r_N − ρ_N u_N (normal_weight), x = y_T, ϱ = mu y_N, the Alart–Curnier function is
//     open   y_N ≤ 0        F = r
//     stick  |x| ≤ ϱ, ϱ > 0  F = ρ u                                                                           (1)
//     slide  otherwise      F_N = ρ u_N,  F_T = r_T − k x,  k = ϱ/|x|
// Its generalized Jacobian, with what needs no solve eliminated (spec/cone §6): dr = T z + c and Eᵀ(…) = 0,
//     stick  T = E = I, c = 0;   open  dr = c = −r
//     slide  T = [e_N + mu n, Q], E = [e_N, ρ k Q], c = n (mu ρ_N u_N − n·F_T),  n = x/|x|, Q the tangents orthogonal to n  (2)
//            rows: u_N + (W dr)_N + α dr_N = 0,   ρ k Qᵀ((W dr) + α dr) + (1−k) z = −QᵀF_T
// ρ is 1 where nothing else is said: blocks are scaled to a mean diagonal of one.
//     mu = 0  T = E = e_N, c = (0, −r_T)
#pragma once

#include "tribo/problem/cone_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone/cone_lanes.hpp"

namespace tribo::cone {

// Euclidean projection on K, in place.
template <int D>
inline void project(double* x, double mu) {
  const double tangent = tangent_norm<D>(x);
  if (x[0] >= 0.0 && tangent <= mu * x[0]) return;
  if (mu * tangent <= -x[0]) {
    for (int k = 0; k < D; ++k) x[k] = 0.0;
    return;
  }
  const double normal = (x[0] + mu * tangent) / (1.0 + mu * mu);
  const double fit = mu * normal / tangent;
  x[0] = normal;
  for (int k = 1; k < D; ++k) x[k] *= fit;
}

// |r − P_K(r − u − g(u))|, g = (mu |u_T|, 0): zero exactly where the law is obeyed.
template <int D>
inline double natural_map(const double* r, const double* u, double mu) {
  double y[D];
  for (int k = 0; k < D; ++k) y[k] = r[k] - u[k];
  y[0] -= mu * tangent_norm<D>(u);
  project<D>(y, mu);
  for (int k = 0; k < D; ++k) y[k] = r[k] - y[k];
  return std::sqrt(dot<D>(y, y));
}

// ρ_N/ρ. A contact with large mu carries its load with normal forces as small as 1/mu of it; compared with u_N itself they
// would drown.
inline double normal_weight(double mu) { return mu > 1.0 ? 1.0 / mu : 1.0; }

enum class Kind : std::uint8_t { kOpen, kSlide, kStick, kFrictionless };

struct Class {
  Kind kind;
  double length;  // |x|
  double k;       // ϱ/|x|; slide only
};

template <int D>
inline Class classify(const double* r, const double* u, double mu, bool bilateral, double rho = 1.0) {
  if (bilateral) return {Kind::kStick, 0.0, 1.0};
  const double y_N = r[0] - rho * normal_weight(mu) * u[0];
  if (y_N <= 0.0) return {Kind::kOpen, 0.0, 0.0};
  if (mu == 0.0) return {Kind::kFrictionless, 0.0, 0.0};
  double x[D];
  for (int k = 1; k < D; ++k) x[k] = r[k] - rho * u[k];
  const double length = tangent_norm<D>(x);
  const double radius = mu * y_N;
  if (length <= radius) return {Kind::kStick, length, 1.0};
  return {Kind::kSlide, length, radius / length};
}

// |F|² of (1).
template <int D>
inline double merit(const double* r, const double* u, double mu, bool bilateral, double rho = 1.0) {
  const Class at = classify<D>(r, u, mu, bilateral, rho);
  switch (at.kind) {
    case Kind::kOpen:
      return dot<D>(r, r);
    case Kind::kStick:
      return rho * rho * dot<D>(u, u);
    default:
      break;
  }
  double sum = rho * rho * u[0] * u[0];
  for (int k = 1; k < D; ++k) {
    const double f = r[k] - at.k * (r[k] - rho * u[k]);  // k = 0: frictionless
    sum += f * f;
  }
  return sum;
}

// The residual of one block. Above mu = 1 the natural map alone is the wrong measure: an approach at a slipping contact counts
// by its mu-th part only. (1), with the approach of an open contact, is zero at the same points; the larger of the two counts.
// Above mu = 100 only the latter: the natural map counts the rounding of a slip mu times. Never less than the last bit of r:
// beside reactions of 1e16 velocities would vanish from either.
template <int D>
inline double residual_at(const double* r, const double* u, double mu, bool bilateral) {
  if (bilateral) return std::sqrt(dot<D>(u, u));
  double resolution = 0.0;
  for (int k = 0; k < D; ++k) resolution += std::abs(r[k]);
  resolution *= std::numeric_limits<double>::epsilon();
  if (mu <= 1.0) return std::max(natural_map<D>(r, u, mu), resolution);
  const double approach = std::min(u[0], 0.0);
  const bool open = !(r[0] - normal_weight(mu) * u[0] > 0.0);
  const double other = std::max(std::sqrt(merit<D>(r, u, mu, false) + (open ? approach * approach : 0.0)), resolution);
  return mu <= 100.0 ? std::max(other, natural_map<D>(r, u, mu)) : other;
}

// (2) at one contact. Unknowns come first in every lane; T and E are stored column by column, E transposed (its column k
// holds what component k adds to each equation).
template <int D>
struct Linear {
  double T[kBlock<D>];
  double E[kBlock<D>];
  double c[kLanes<D>];
  double value[kLanes<D>];  // the left sides at dr = 0 without W and α: what must be brought to zero
  double extra = 0.0;       // 1 − k, on the tangential unknowns of a sliding contact
  int first_extra = 1;      // the first of these
  int unknowns = 0;
  Kind kind = Kind::kOpen;
};

template <int D>
inline void linearize(const double* r, const double* u, double mu, bool bilateral, Linear<D>& out, double rho = 1.0) {
  constexpr int L = kLanes<D>;
  const Class at = classify<D>(r, u, mu, bilateral, rho);
  out.kind = at.kind;
  out.extra = 0.0;
  out.first_extra = 1;
  for (int k = 0; k < L; ++k) out.c[k] = out.value[k] = 0.0;
  if (at.kind == Kind::kOpen) {
    out.unknowns = 0;
    for (int k = 0; k < D; ++k) out.c[k] = -r[k];
    return;
  }
  for (int k = 0; k < kBlock<D>; ++k) out.T[k] = out.E[k] = 0.0;
  if (at.kind == Kind::kStick) {
    out.unknowns = D;
    for (int k = 0; k < D; ++k) {
      out.T[k * L + k] = out.E[k * L + k] = 1.0;
      out.value[k] = u[k];
    }
    return;
  }
  out.T[0] = out.E[0] = 1.0;
  out.value[0] = u[0];
  if (at.kind == Kind::kFrictionless) {
    out.unknowns = 1;
    for (int k = 1; k < D; ++k) out.c[k] = -r[k];
    return;
  }
  out.unknowns = D - 1;
  double n[D], F[D], along = 0.0;
  for (int k = 1; k < D; ++k) {
    const double x = r[k] - rho * u[k];
    n[k] = x / at.length;
    F[k] = r[k] - at.k * x;
    along += n[k] * F[k];
  }
  for (int k = 1; k < D; ++k) {
    out.T[k] = mu * n[k];
    out.c[k] = n[k] * (mu * rho * normal_weight(mu) * u[0] - along);
  }
  out.extra = 1.0 - at.k;
  // Q: the columns of the Householder reflection that takes n to the first tangent, without that one. In space: n turned
  // by a right angle.
  if constexpr (D == 3) {
    const double q1 = -n[2], q2 = n[1];
    out.T[L + 1] = q1;
    out.T[L + 2] = q2;
    out.E[L + 1] = rho * at.k * q1;
    out.E[2 * L + 1] = rho * at.k * q2;
    out.value[1] = q1 * F[1] + q2 * F[2];
  } else if constexpr (D > 3) {
    const double sign = n[1] >= 0.0 ? 1.0 : -1.0;
    double w[D];
    for (int k = 1; k < D; ++k) w[k] = n[k];
    w[1] += sign;
    const double beta = 1.0 / (1.0 + std::abs(n[1]));  // 2/|w|²
    for (int j = 2; j < D; ++j) {                      // tangent j − 1
      double sum = 0.0;
      for (int k = 1; k < D; ++k) {
        const double q = (k == j ? 1.0 : 0.0) - beta * w[j] * w[k];
        out.T[(j - 1) * L + k] = q;
        out.E[k * L + j - 1] = rho * at.k * q;
        sum += q * F[k];
      }
      out.value[j - 1] = sum;
    }
  }
}

// The same for a state that somebody else knows, at r = 0 with velocity q: sliding contacts rub against the slip of u with
// full friction, and only their normal force is unknown.
template <int D>
inline void linearize_as(ContactState state, const double* q, const double* u, double mu, bool bilateral,
                         Linear<D>& out) {
  constexpr int L = kLanes<D>;
  const double zero[kLanes<D>] = {};
  if (bilateral || (state == ContactState::kStick && mu > 0.0)) return linearize<D>(zero, q, mu, true, out);
  for (int k = 0; k < kBlock<D>; ++k) out.T[k] = out.E[k] = 0.0;
  for (int k = 0; k < L; ++k) out.c[k] = out.value[k] = 0.0;
  out.extra = 0.0;
  out.first_extra = 1;
  out.unknowns = state == ContactState::kOpen ? 0 : 1;
  out.kind = state == ContactState::kOpen ? Kind::kOpen : Kind::kFrictionless;
  if (state == ContactState::kOpen) return;
  out.T[0] = out.E[0] = 1.0;
  out.value[0] = q[0];
  const double slip = tangent_norm<D>(u);
  for (int k = 1; k < D && slip > 0.0; ++k) out.T[k] = -mu * u[k] / slip;
}

inline ContactState state_of(Kind kind) {
  return kind == Kind::kOpen ? ContactState::kOpen : kind == Kind::kStick ? ContactState::kStick : ContactState::kSlide;
}

}  // namespace tribo::cone
