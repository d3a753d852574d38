// The point nearest to where bodies would go by themselves that no row forbids, in coordinates where M = I:
//     min ½|u − u₀|²   subject to   Qᵀ (u − u₀) = 0,   ρ_i V u + b_i ≥ 0                                      (1)
// u₀ already satisfies the equality rows, whose directions are the orthonormal columns of Q. Its dual is the LCP
//     0 ≤ z ⟂ w = F z + q ≥ 0,   F = N̂ (I − Q Qᵀ) N̂ᵀ,   q = N̂ u₀ + b,   u = u₀ + (I − Q Qᵀ) N̂ᵀ z             (2)
// of spec A.3 with rows N̂_i = ρ_i V that are never projected and F that is never formed: w = N̂ u + b for the current u.
// z and w of a solution are in the order of the rows as they were given.
#pragma once

#include "tribo/linalg/padded.hpp"
#include "tribo/linalg/pair_rows.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/problem/lcp.hpp"

#include <vector>

namespace tribo {

struct LeastDistance {
  PairRows rows;               // N̂
  std::vector<double> offset;  // b by position, 0 where there is no row; empty: all zero
  std::vector<double> start;   // u₀
  padded::Vector fixed;        // Q: `rank` columns, filled up with zeros to a multiple of eight numbers
  Index rank = 0;
  double speed = 0.0;  // us of spec B.3

  Index size() const { return rows.rows(); }
  Index dof() const { return static_cast<Index>(start.size()); }
  const double* offsets() const { return offset.empty() ? nullptr : offset.data(); }
  double offset_at(Index position) const { return offset.empty() ? 0.0 : offset[position]; }
  auto Q() const {
    return Eigen::Map<const MatrixXd, 0, Eigen::OuterStride<>>(fixed.data(), dof(), rank,
                                                               Eigen::OuterStride<>(padded::length(dof())));
  }
};

// The same problem with its rows projected and written out, n × m, for solvers that know nothing of pairs.
FactoredLcp as_factored(const LeastDistance& problem);

}  // namespace tribo
