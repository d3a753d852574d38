// "There is no answer", checked from the problem alone. The proofs are in farkas.hpp, ray.hpp and
// exhaustion.hpp.
#include "tribo/certify/infeasibility.hpp"

#include "tribo/linalg/accurate.hpp"

#include "certify/box_kernel.hpp"
#include "certify/exhaustion.hpp"
#include "certify/farkas.hpp"
#include "certify/ray.hpp"

namespace tribo {

namespace {

// Lcp (free = 0) and MixedLcp.
InfeasibilityCertificate judge(const MatrixXd& M, const VectorXd& q, Index free, const Evidence& evidence) {
  const Index n = q.size();
  if (!fits(M, q) || free < 0 || free > n) return rejected("size");
  VectorXd lo = VectorXd::Zero(n);
  lo.head(free).setConstant(-kInfinity);
  const VectorXd hi = VectorXd::Constant(n, kInfinity);
  switch (evidence.kind) {
    case Evidence::Kind::kFarkas:
      return judged(check_farkas(M, q, lo, hi, evidence.y), Verdict::kInfeasible);
    case Evidence::Kind::kExhaustion:
      return judged(check_exhaustion(M, q, free, evidence), Verdict::kInfeasible);
    case Evidence::Kind::kRay: {
      // For copositive-plus matrices the direction of a secondary ray is a proof of infeasibility. Whether it is one here
      // is tested, not assumed; it needs nothing else of the ray.
      if (evidence.du.size() == free && evidence.dz.size() == n - free) {
        VectorXd y(n);
        y << evidence.du, evidence.dz;
        const Certificate farkas = check_farkas(M, q, lo, hi, y);
        if (holds(farkas)) return {Verdict::kInfeasible, farkas};
      }
      return judged(check_ray(M, q, free, evidence), Verdict::kRay);
    }
    case Evidence::Kind::kNone:
      break;
  }
  return rejected("kind");
}

}  // namespace

InfeasibilityCertificate certify_infeasible(const Lcp& lcp, const Evidence& evidence) {
  return judge(lcp.M, lcp.q, 0, evidence);
}

InfeasibilityCertificate certify_infeasible(const MixedLcp& lcp, const Evidence& evidence) {
  return judge(lcp.M, lcp.q, lcp.free, evidence);
}

InfeasibilityCertificate certify_infeasible(const BoxLcp& lcp, const Evidence& evidence) {
  if (!fits(lcp.M, lcp.q) || lcp.lo.size() != lcp.size() || lcp.hi.size() != lcp.size()) return rejected("size");
  if (evidence.kind != Evidence::Kind::kFarkas) return rejected("kind");
  return judged(check_farkas(lcp.M, lcp.q, lcp.lo, lcp.hi, evidence.y), Verdict::kInfeasible);
}

// y ≥ 0, |Gᵀy| ≤ 1e-9 Σ ρ_i y_i, q·y < −1e-8 us Σ ρ_i y_i (spec B.6). For |t| < 10 us then y·(G t + q) < 0:
// the rows cannot all be satisfied at speeds up to ten times those of the problem, and not at all where Gᵀy
// is exactly zero.
InfeasibilityCertificate certify_infeasible(const FactoredLcp& lcp, const Evidence& evidence) {
  const Index n = lcp.size();
  if (lcp.G.rows() != n || lcp.row_norm.size() != n || evidence.y.size() != n) return rejected("size");
  if (evidence.kind != Evidence::Kind::kFarkas) return rejected("kind");
  if (!evidence.y.allFinite()) return rejected("finite");
  VectorXd y = evidence.y;
  Worst sign;
  const double largest_y = largest(y);
  for (Index i = 0; i < n; ++i) {
    if (y(i) >= 0.0) continue;
    sign.consider(y(i), kRoundingOfSign * largest_y);
    y(i) = 0.0;
  }
  const VectorXd balance = accurate_affine_transposed(lcp.G, y, VectorXd::Zero(lcp.G.cols()));
  const double size = lcp.row_norm.dot(y);
  const double margin = -accurate_dot(lcp.q, y);
  const double needed = 1e-8 * size * lcp.speed;
  Certificate checks;
  checks.add(sign.residual("sign", "1"));
  checks.add({"balance", "1", balance.norm(), 1e-9 * size, ratio(balance.norm(), 1e-9 * size)});
  checks.add({"margin", "1", margin, needed, margin > 0.0 ? needed / margin : kInfinity});
  return judged(std::move(checks), Verdict::kInfeasible);
}

}  // namespace tribo
