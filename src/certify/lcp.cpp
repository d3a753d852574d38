// Certificates of the three plain complementarity problems. The formulas are in box_kernel.hpp and
// docs/certificates.md.
#include "tribo/certify/certify.hpp"

#include "certify/box_kernel.hpp"

namespace tribo {

Certificate certify(const Lcp& lcp, const LcpSolution& solution) {
  const Index n = lcp.size();
  if (!fits(lcp.M, lcp.q) || solution.z.size() != n || solution.w.size() != n) return refused("size");
  if (!all_finite(solution.z, solution.w)) return refused("finite");
  const BoxKernel kernel(lcp.M, lcp.q, VectorXd::Zero(n), VectorXd::Constant(n, kInfinity), solution.z);
  Certificate certificate;
  certificate.add(kernel.natural());
  certificate.add(kernel.backward());
  certificate.add(kernel.consistency(solution.w));
  return certificate;
}

Certificate certify(const MixedLcp& lcp, const MixedLcpSolution& solution) {
  const Index n = lcp.size();
  const Index free = lcp.free;
  if (!fits(lcp.M, lcp.q) || free < 0 || free > n) return refused("size");
  if (solution.u.size() != free || solution.z.size() != n - free || solution.w.size() != n - free)
    return refused("size");
  if (!all_finite(solution.u, solution.z, solution.w)) return refused("finite");
  VectorXd lo = VectorXd::Zero(n);
  lo.head(free).setConstant(-kInfinity);
  VectorXd unknowns(n);
  unknowns << solution.u, solution.z;
  const BoxKernel kernel(lcp.M, lcp.q, lo, VectorXd::Constant(n, kInfinity), unknowns);
  Worst equality;
  for (Index i = 0; i < free; ++i) equality.consider(kernel.w(i), kernel.natural_scale);
  Certificate certificate;
  certificate.add(equality.residual("equality", "1"));
  certificate.add(kernel.natural(free));
  certificate.add(kernel.backward());
  certificate.add(kernel.consistency(solution.w, free));
  return certificate;
}

Certificate certify(const BoxLcp& lcp, const BoxLcpSolution& solution) {
  const Index n = lcp.size();
  if (!fits(lcp.M, lcp.q) || lcp.lo.size() != n || lcp.hi.size() != n) return refused("size");
  if (solution.z.size() != n || solution.w.size() != n) return refused("size");
  if (!all_finite(solution.z, solution.w)) return refused("finite");
  const BoxKernel kernel(lcp.M, lcp.q, lcp.lo, lcp.hi, solution.z);
  Certificate certificate;
  certificate.add(kernel.natural());
  certificate.add(kernel.backward());
  certificate.add(kernel.consistency(solution.w));
  return certificate;
}

}  // namespace tribo
