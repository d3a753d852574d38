// The common end of every proof by a linear functional. A vector s is fed to the columns and to q of the problem:
//     ε = the largest wrong-signed product with a column, over the sum of the magnitudes it is made of       (1)
//     δ = the right-signed product with q, over the sum of the magnitudes it is made of                      (2)
// Exactly, ε = 0 and δ > 0. In double precision s is rounded, and ε of the order of 10⁻¹⁶ is the most one can
// ask. Accepted:  δ ≥ 10⁻⁸  and  ε ≤ min(10⁻¹², 10⁻⁸ δ). What is then proved: a problem whose matrix differs
// by at most the relative amount ε, entry by entry, has no answer whatever q does within δ; and an answer of
// the given problem would need terms s_i M_ij z_j larger than those of s·q by δ/ε ≥ 10⁸. Both are free of
// units: rows and columns may be scaled at will.
#pragma once

#include "tribo/certify/infeasibility.hpp"

#include <algorithm>

#include "certify/measure.hpp"

namespace tribo {

// Checks are scaled so that a condition holds exactly when its `relative` is at most 1.
inline bool holds(const Certificate& checks) { return checks.worst <= 1.0; }

inline InfeasibilityCertificate rejected(const char* name) { return {Verdict::kRejected, refused(name)}; }

inline InfeasibilityCertificate judged(Certificate checks, Verdict proved) {
  const Verdict verdict = holds(checks) ? proved : Verdict::kRejected;
  return {verdict, std::move(checks)};
}

inline void add_functional(Certificate& checks, double epsilon, double delta) {
  constexpr double kMargin = 1e-8, kColumns = 1e-12;
  const double allowed = std::min(kColumns, 1e-8 * std::max(delta, 0.0));
  checks.add({"columns", "1", epsilon, allowed, ratio(epsilon, allowed)});
  checks.add({"margin", "1", delta, kMargin, delta > 0.0 ? kMargin / delta : kInfinity});
}

// Signs are exact conditions. Entries of the wrong sign that are rounding beside the largest one are set to
// zero, and the proof is then checked for the vector so cleaned; a real wrong sign is not repaired.
inline constexpr double kRoundingOfSign = 1e-12;

}  // namespace tribo
