// One contact with the true cone, exactly: u = A r + b, D = 2, 3, 4 or 6 components, any A with A_NN > 0.
//     b_N ≥ 0: open.   Otherwise with S = A_TT − A_TN A_NT/A_NN, c = b_T − A_TN b_N/A_NN, normal velocity zero:
//     stick   r_T = −S⁻¹ c, when |r_T| ≤ mu r_N                                                               (1)
//     slide   r_T(λ) = −(S + λ I)⁻¹ c,   r_N(λ) = −(b_N + A_NT r_T)/A_NN,   λ = |u_T|/|r_T| the root of
//             ψ(λ) = mu r_N/|r_T| − 1                                                                         (2)
// Source    spec/cone §2. ψ < 0 where sticking failed and ψ → ∞ with λ, so there is a root; ψ is nearly linear, and Newton's
//           method inside a bracket takes two to four steps.
// Returned  where several roots exist the one Newton's method meets.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone/cone_lanes.hpp"

namespace tribo::cone {

namespace detail {

// x ← (S + λ I)⁻¹ x for T × T matrices, column by column. False: singular.
template <int T>
inline bool solve_shifted(const double* S, double shift, double* x) {
  if constexpr (T == 1) {
    const double s = S[0] + shift;
    x[0] /= s;
    return s != 0.0;
  } else {
    double a[T][T];
    for (int j = 0; j < T; ++j) {
      for (int i = 0; i < T; ++i) a[i][j] = S[j * T + i] + (i == j ? shift : 0.0);
    }
    for (int k = 0; k < T; ++k) {
      int p = k;
      for (int i = k + 1; i < T; ++i) {
        if (std::abs(a[i][k]) > std::abs(a[p][k])) p = i;
      }
      if (a[p][k] == 0.0) return false;
      if (p != k) {
        for (int j = 0; j < T; ++j) std::swap(a[p][j], a[k][j]);
        std::swap(x[p], x[k]);
      }
      for (int i = k + 1; i < T; ++i) {
        const double l = a[i][k] / a[k][k];
        for (int j = k + 1; j < T; ++j) a[i][j] -= l * a[k][j];
        x[i] -= l * x[k];
      }
    }
    for (int k = T; k-- > 0;) {
      for (int j = k + 1; j < T; ++j) x[k] -= a[k][j] * x[j];
      x[k] /= a[k][k];
    }
    return true;
  }
}

template <int T>
inline double norm(const double* x) {
  if constexpr (T == 1) return std::abs(x[0]);
  double sum = x[0] * x[0];
  for (int k = 1; k < T; ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

}  // namespace detail

// In the plane both directions of sliding are tried.
inline bool slide_in_plane(const double* A, const double* b, double mu, double* r) {
  constexpr int L = kLanes<2>;
  for (const double side : {-1.0, 1.0}) {
    const double stiff = A[0] + side * mu * A[L];
    if (!(stiff > 0.0)) continue;
    const double normal = -b[0] / stiff;
    const double slip = A[1] * normal + A[L + 1] * side * mu * normal + b[1];
    if (side * slip > 0.0) continue;
    r[0] = normal;
    r[1] = side * mu * normal;
    return true;
  }
  return false;
}

// How well |r_T| = mu r_N is met before r_T is put on the cone.
inline constexpr double kExact = 4e-16, kRough = 1e-2;

// [a e; c d] x = y by elimination with exchange of rows: unlike the adjugate it loses no digits to cancellation.
inline void solve_two(double a, double e, double c, double d, double y1, double y2, double& x1, double& x2) {
  if (std::abs(a) < std::abs(c)) {
    std::swap(a, c);
    std::swap(e, d);
    std::swap(y1, y2);
  }
  const double l = c / a;
  x2 = (y2 - l * y1) / (d - l * e);
  x1 = (y1 - e * x2) / a;
}

// In space the 2 × 2 solves are written out: with w(λ) = adj(S + λ I) c, linear in λ, and δ(λ) = det(S + λ I),
//     r_T = −w/δ,   r_N = ν/δ,   ν = δ f + g·w,   f = −b_N/A_NN,   g = A_NT/A_NN,   ψ ∝ φ = mu ν − |w|,
// so that a step on ψ costs one root and one division.
inline bool solve_in_space(const double* A, const double* b, double mu, double* r, double accuracy) {
  constexpr int L = kLanes<3>;
  const double over = 1.0 / A[0];
  const double f = -b[0] * over;
  const double g1 = A[L] * over, g2 = A[2 * L] * over;
  const double a = A[L + 1] - A[1] * g1, c = A[L + 2] - A[2] * g1;
  const double e = A[2 * L + 1] - A[1] * g2, d = A[2 * L + 2] - A[2] * g2;  // S = [a e; c d]
  const double c1 = b[1] + A[1] * f, c2 = b[2] + A[2] * f;
  const double w1 = d * c1 - e * c2, w2 = a * c2 - c * c1;  // at λ = 0
  const double trace = a + d, determinant = a * d - e * c;
  const double normal = determinant * f + g1 * w1 + g2 * w2;
  const double friction = mu * normal;
  if (determinant > 1e-14 * trace * trace && normal >= 0.0 && w1 * w1 + w2 * w2 <= friction * friction) {  // (1)
    solve_two(a, e, c, d, -c1, -c2, r[1], r[2]);
    r[0] = f - g1 * r[1] - g2 * r[2];  // ν/δ would lose digits where δ is small
    return true;
  }
  const double size = std::sqrt(c1 * c1 + c2 * c2);
  if (size == 0.0) {
    r[0] = f;
    return true;
  }
  if (!(determinant > 1e-14 * trace * trace) && trace > 0.0) {
    // A direction in which nothing moves: sticking is possible where c has no part in it.
    const double shift = 1e-13 * trace;
    double s1 = 0.0, s2 = 0.0;
    solve_two(a + shift, e, c, d + shift, -c1, -c2, s1, s2);
    const double load = f - g1 * s1 - g2 * s2;
    if (load >= 0.0 && std::hypot(s1, s2) <= mu * load && shift * std::hypot(s1, s2) <= 1e-10 * size) {
      r[0] = load;
      r[1] = s1;
      r[2] = s2;
      return true;
    }
  }
  const double gc = g1 * c1 + g2 * c2;
  double low = 0.0, high = std::numeric_limits<double>::infinity();
  const double first = 1e-3 * std::max(trace, A[0]);
  double lambda = size / (mu * f) - 0.5 * trace;
  if (!(lambda > 0.0)) lambda = first;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double x1 = w1 + lambda * c1, x2 = w2 + lambda * c2;
    const double delta = determinant + lambda * (trace + lambda);
    const double nu = delta * f + g1 * x1 + g2 * x2;
    const double square = x1 * x1 + x2 * x2;
    const double length = std::sqrt(square);
    const double phi = mu * nu - length;
    double next = lambda;
    bool done = std::abs(phi) <= accuracy * (mu * std::abs(nu) + length);
    if (!done) {
      (phi > 0.0 ? high : low) = lambda;
      const double slope = mu * ((f * (2.0 * lambda + trace) + gc) * square - (x1 * c1 + x2 * c2) * nu);
      next = lambda - phi * square / slope;
      if (!(slope > 0.0 && next > low && next < high)) {
        next = high < std::numeric_limits<double>::infinity() ? 0.5 * (low + high) : 4.0 * lambda + first;
      }
      done = std::abs(next - lambda) <= 1e-15 * lambda;
    }
    if (done) {
      solve_two(a + lambda, e, c, d + lambda, -c1, -c2, r[1], r[2]);
      const double r_N = f - g1 * r[1] - g2 * r[2];
      const double fit = mu * r_N / std::sqrt(r[1] * r[1] + r[2] * r[2]);
      r[0] = r_N;
      r[1] *= fit;
      r[2] *= fit;
      if (r_N > 0.0 && std::isfinite(fit) && delta != 0.0) return true;
      r[0] = r[1] = r[2] = 0.0;
      return false;
    }
    lambda = next;
  }
  return false;
}

// `A`: a block, `r`: the answer. False: A_NN ≤ 0 where the contact must push, or no root was found; r is then zero.
template <int D>
inline bool solve_one_contact(const double* A, const double* b, double mu, double* r, double accuracy = kExact) {
  constexpr int T = D - 1, L = kLanes<D>;
  for (int k = 0; k < D; ++k) r[k] = 0.0;
  if (b[0] >= 0.0) return true;
  const double A_NN = A[0];
  if (!(A_NN > 0.0)) return false;
  const double over = 1.0 / A_NN;
  const double frictionless = -b[0] * over;
  if (mu == 0.0) {
    r[0] = frictionless;
    return true;
  }
  if constexpr (D == 3) return solve_in_space(A, b, mu, r, accuracy);
  double S[T * T], c[T], trace = 0.0;
  for (int j = 0; j < T; ++j) {
    const double along = A[(j + 1) * L] * over;
    for (int i = 0; i < T; ++i) S[j * T + i] = A[(j + 1) * L + i + 1] - A[i + 1] * along;
    c[j] = b[j + 1] + A[j + 1] * frictionless;
    trace += S[j * T + j];
  }
  const double size = detail::norm<T>(c);
  if (size == 0.0) {
    r[0] = frictionless;
    return true;
  }
  double r_T[T], slope[T];
  const auto at = [&](double lambda, double& r_N) {  // r_T(λ), r_N(λ)
    for (int k = 0; k < T; ++k) r_T[k] = -c[k];
    if (!detail::solve_shifted<T>(S, lambda, r_T)) return false;
    r_N = frictionless;
    for (int k = 0; k < T; ++k) r_N -= A[(k + 1) * L] * over * r_T[k];
    return true;
  };
  double r_N = 0.0;
  if (at(0.0, r_N) && r_N >= 0.0 && detail::norm<T>(r_T) <= mu * r_N) {  // (1)
    r[0] = r_N;
    for (int k = 0; k < T; ++k) r[k + 1] = r_T[k];
    return true;
  }
  if constexpr (D == 2) {
    if (slide_in_plane(A, b, mu, r)) return true;
  }
  // Directions in which nothing moves, and in which c has no part: sticking is possible, though S alone cannot say how.
  const auto stick_in_part = [&] {
    const double shift = 1e-13 * trace;
    double load = 0.0;
    if (!(shift > 0.0) || !at(shift, load)) return false;
    const double length = detail::norm<T>(r_T);
    if (!(load >= 0.0 && length <= mu * load && shift * length <= 1e-10 * size)) return false;
    r[0] = load;
    for (int k = 0; k < T; ++k) r[k + 1] = r_T[k];
    return true;
  };
  double low = 0.0, high = std::numeric_limits<double>::infinity();
  const double step = 1e-3 * std::max(trace, A_NN);
  double lambda = size / (mu * frictionless) - trace / T;
  if (!(lambda > 0.0)) lambda = step;
  for (int iteration = 0; iteration < 100; ++iteration) {
    if (!at(lambda, r_N)) break;
    const double length = detail::norm<T>(r_T);
    const double excess = mu * r_N - length;
    bool done = std::abs(excess) <= accuracy * (mu * std::abs(r_N) + length);
    double next = lambda;
    if (!done) {
      (excess > 0.0 ? high : low) = lambda;
      for (int k = 0; k < T; ++k) slope[k] = -r_T[k];
      detail::solve_shifted<T>(S, lambda, slope);
      double r_N_slope = 0.0, along = 0.0;
      for (int k = 0; k < T; ++k) {
        r_N_slope -= A[(k + 1) * L] * over * slope[k];
        along += r_T[k] * slope[k];
      }
      // ψ' length³/mu; ψ length³/mu
      const double psi_slope = r_N_slope * length * length - r_N * along;
      const double psi = excess * length * length / mu;
      next = lambda - psi / psi_slope;
      if (!(psi_slope > 0.0 && next > low && next < high)) {
        next = high < std::numeric_limits<double>::infinity() ? 0.5 * (low + high) : 4.0 * lambda + step;
      }
      done = std::abs(next - lambda) <= 1e-15 * lambda;
    }
    if (done) {
      if (!(r_N > 0.0 && length > 0.0)) break;
      // The bracket has closed without a root.
      if (std::abs(excess) > std::max(accuracy, 1e-9) * (mu * std::abs(r_N) + length)) {
        const double closed_at = lambda;
        if (stick_in_part() || !at(closed_at, r_N)) return r[0] > 0.0;
      }
      const double fit = mu * r_N / length;
      r[0] = r_N;
      for (int k = 0; k < T; ++k) r[k + 1] = r_T[k] * fit;
      return true;
    }
    lambda = next;
  }
  return stick_in_part();
}

}  // namespace tribo::cone
