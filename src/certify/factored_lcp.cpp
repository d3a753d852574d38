// Certificate of an Lcp with the matrix G Gᵀ, which is never formed: t = Gᵀ z, w = G t + q.
// Scales are those of contact rows (spec B.3, B.7): a row's w is compared with row_norm · speed and not with
// its own terms, because q itself is often a difference that cancelled and carries rounding of that size.
#include "tribo/certify/certify.hpp"
#include "tribo/linalg/accurate.hpp"

#include <algorithm>

#include "certify/scaled_pair.hpp"

namespace tribo {

Certificate certify(const FactoredLcp& lcp, const LcpSolution& solution) {
  const Index n = lcp.size();
  if (lcp.G.rows() != n || lcp.row_norm.size() != n) return refused("size");
  if (solution.z.size() != n || solution.w.size() != n) return refused("size");
  if (!all_finite(solution.z, solution.w)) return refused("finite");
  const VectorXd t = accurate_affine_transposed(lcp.G, solution.z, VectorXd::Zero(lcp.G.cols()));
  const VectorXd w = accurate_affine(lcp.G, t, lcp.q);
  const double fallback = std::max(1.0, largest(lcp.q));
  Worst natural, consistency;
  for (Index i = 0; i < n; ++i) {
    const double norm = lcp.row_norm(i);
    natural.consider(min_map(scaled_pair(solution.z(i), w(i), norm, lcp.speed, fallback)), 1.0);
    consistency.consider(solution.w(i) - w(i), norm > 0.0 ? norm * lcp.speed : fallback);
  }
  Certificate certificate;
  certificate.add(natural.residual("natural", "1"));
  certificate.add(consistency.residual("consistency", "1"));
  return certificate;
}

}  // namespace tribo
