#include "certify/compliant_program_multipliers.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

namespace {

constexpr long double kSoft = 1e-17L;  // of a normalized constraint: what lets dependent ones share their multiplier

long double program_tangent_norm(const ProgramUnit& unit, const LongVector& y) {
  long double squared = 0;
  for (int k = 1; k < unit.size; ++k) squared += y(unit.first + k) * y(unit.first + k);
  return std::sqrt(squared);
}

// H of (4) over all forces.
LongMatrix calc_program_hessian(const ProgramTerms& terms) {
  const Index n = terms.size();
  LongMatrix H = LongMatrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) H(j, j) = terms.weight(j);
  for (Index t = 0; t < n; ++t) {
    if (!terms.is_tangent(t)) continue;
    for (Index j = 0; j < n; ++j) {
      const long double factor = terms.coefficient(t, j);
      for (Index i = 0; i < n; ++i) H(i, j) += terms.coefficient(t, i) * factor;
    }
  }
  return H;
}

}  // namespace

long double outside_cone(const ProgramUnit& unit, const LongVector& x) {
  if (unit.size == 1) return -x(unit.first);
  return program_tangent_norm(unit, x) - static_cast<long double>(unit.mu) * x(unit.first);
}

long double outside_dual(const ProgramUnit& unit, const LongVector& r) {
  const long double across = unit.size == 1 ? 0 : static_cast<long double>(unit.mu) * program_tangent_norm(unit, r);
  return std::max(across - r(unit.first), 0.0L);
}

std::vector<ProgramPlace> classify_units(const ProgramTerms& terms) {
  std::vector<ProgramPlace> places;
  const long double near = terms.size() > 0 ? kOnIt * terms.x.cwiseAbs().maxCoeff() : 0;
  for (const ProgramUnit& unit : terms.units) {
    const bool zero = std::max(std::abs(terms.x(unit.first)), program_tangent_norm(unit, terms.x)) <= near;
    const bool edge = unit.size > 1 && std::abs(outside_cone(unit, terms.x)) <= near;
    places.push_back(zero ? ProgramPlace::kZero : edge ? ProgramPlace::kBoundary : ProgramPlace::kInside);
  }
  return places;
}

ProgramMultipliers::ProgramMultipliers(const ProgramTerms& terms, const std::vector<ProgramPlace>& places,
                                       const LongVector& gradient, const LongVector& given) {
  const Index n = terms.size(), units = static_cast<Index>(terms.units.size());
  LongMatrix H = calc_program_hessian(terms);
  row = given;
  eta.setZero(units);
  remainder = gradient;

  IndexList loaded, columns;
  LongMatrix C = LongMatrix::Zero(n, 2 * units);  // rows, then boundaries
  for (Index u = 0; u < units; ++u) {
    const ProgramUnit& unit = terms.units[static_cast<std::size_t>(u)];
    const ProgramPlace place = places[static_cast<std::size_t>(u)];
    for (int k = 0; k < unit.size && place != ProgramPlace::kZero; ++k) loaded.push_back(unit.first + k);
    if (given(u) > 0) {
      columns.push_back(u);
      for (Index j = 0; j < n; ++j) {
        C(j, u) = terms.coefficient(unit.first, j);
        remainder(j) -= given(u) * C(j, u);
      }
    }
    if (place == ProgramPlace::kBoundary) {
      columns.push_back(units + u);
      const long double sideways = program_tangent_norm(unit, terms.x);
      C(unit.first, units + u) = unit.mu;
      for (int k = 1; k < unit.size; ++k) C(unit.first + k, units + u) = -terms.x(unit.first + k) / sideways;
    }
  }
  LongVector d = LongVector::Zero(n);
  // Twice where boundaries are curved: that needs their multipliers.
  const bool curved =
      std::any_of(terms.units.begin(), terms.units.end(), [](const auto& unit) { return unit.size > 2; });
  for (int pass = 0; pass < (curved ? 2 : 1); ++pass) {
    const Index m = static_cast<Index>(loaded.size()), size = m + static_cast<Index>(columns.size());
    LongMatrix K = LongMatrix::Zero(size, size), right = LongMatrix::Zero(size, 1);
    LongVector scale = LongVector::Ones(size);
    for (Index a = 0; a < m; ++a) {
      const Index i = loaded[static_cast<std::size_t>(a)];
      scale(a) = 1 / std::sqrt(H(i, i));
      right(a, 0) = remainder(i) * scale(a);
    }
    for (Index b = 0; b < m; ++b) {
      const Index j = loaded[static_cast<std::size_t>(b)];
      for (Index a = 0; a < m; ++a) K(a, b) = H(loaded[static_cast<std::size_t>(a)], j) * scale(a) * scale(b);
    }
    for (Index b = m; b < size; ++b) {
      const Index column = columns[static_cast<std::size_t>(b - m)];
      long double squared = 0;
      for (Index a = 0; a < m; ++a) {
        K(a, b) = C(loaded[static_cast<std::size_t>(a)], column) * scale(a);
        squared += K(a, b) * K(a, b);
      }
      if (squared > 0) scale(b) = 1 / std::sqrt(squared);
      for (Index a = 0; a < m; ++a) K(b, a) = K(a, b) *= scale(b);
      K(b, b) = -kSoft;
    }
    const LongMatrix scaled = K.topLeftCorner(m, m);
    if (size > 0 && !solve_long(K, right)) return;
    distance = 0;
    for (Index b = 0; b < m; ++b) {
      for (Index a = 0; a < m; ++a) distance += right(a, 0) * scaled(a, b) * right(b, 0);
    }
    distance = std::sqrt(std::max(distance, 0.0L));
    for (Index a = 0; a < m; ++a) d(loaded[static_cast<std::size_t>(a)]) = right(a, 0) * scale(a);
    for (Index b = m; b < size; ++b) {
      const Index column = columns[static_cast<std::size_t>(b - m)];
      const long double delta = right(b, 0) * scale(b);
      if (column < units) row(column) = given(column) + delta;
      if (column >= units) eta(column - units) = delta;
    }
    for (Index u = 0; u < units && pass == 0; ++u) {
      const ProgramUnit& unit = terms.units[static_cast<std::size_t>(u)];
      if (unit.size < 3 || !(eta(u) > 0)) continue;
      const long double sideways = program_tangent_norm(unit, terms.x), curvature = eta(u) / sideways;
      const long double across[2] = {-terms.x(unit.first + 2) / sideways, terms.x(unit.first + 1) / sideways};
      for (int a = 0; a < 2; ++a) {
        for (int b = 0; b < 2; ++b) H(unit.first + 1 + a, unit.first + 1 + b) += curvature * across[a] * across[b];
      }
    }
  }
  for (Index u = 0; u < units; ++u) {
    const long double delta = row(u) - given(u);
    for (Index j = 0; j < n && delta != 0; ++j) remainder(j) -= delta * C(j, u);
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n && d(j) != 0; ++i) remainder(i) -= H(i, j) * d(j);
  }
  ok = true;
}

}  // namespace tribo
