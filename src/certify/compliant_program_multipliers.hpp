// How far the forces of an answer are from optimal for the program of compliant_program.hpp, given the multipliers m of rows:
//     H d + C δ = ∇f(x) − Bᵀ m,   Cᵀ d = 0        over the forces of loaded units                                   (4)
// H: second derivatives of f and the curvature of the boundaries; columns of C: active rows and normals (mu, −t) of cones whose
// boundary carries x. δ corrects m, where m > 0, and is the multiplier of the boundaries; |d|_H is the distance that is left.
#pragma once

#include <vector>

#include "certify/compliant_program_terms.hpp"

namespace tribo {

enum class ProgramPlace { kZero, kBoundary, kInside };  // of a unit's force in its cone

std::vector<ProgramPlace> classify_units(const ProgramTerms& terms);

// > 0 outside of the cone { |x_t| ≤ mu x_n } or x ≥ 0.
long double outside_cone(const ProgramUnit& unit, const LongVector& x);
// How far r is outside of the dual cone { r_n ≥ mu |r_t| } or r ≥ 0; 0 inside.
long double outside_dual(const ProgramUnit& unit, const LongVector& r);

struct ProgramMultipliers {
  ProgramMultipliers(const ProgramTerms& terms, const std::vector<ProgramPlace>& places, const LongVector& gradient,
                     const LongVector& given);

  bool ok = false;
  long double distance = 0;  // |d|_H
  LongVector row, eta;       // multipliers per unit: of its row, of its boundary
  LongVector remainder;      // ∇f less the rows' part, at x − d: free of what rounding x to doubles costs
};

}  // namespace tribo
