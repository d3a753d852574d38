#include "other_lemke.hpp"
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>

namespace tribo {
namespace {

constexpr unsigned kMostSteps = 1000;  // btLemkeSolver::m_maxLoops

}  // namespace

bool has_bullet() { return true; }

OtherAnswer solve_with_bullet(const Lcp& lcp) {
  const int n = static_cast<int>(lcp.size());
  btMatrixXu M(n, n);
  btVectorXu q(n);
  for (int i = 0; i < n; ++i) {
    q[i] = lcp.q(i);
    for (int j = 0; j < n; ++j) M.setElem(i, j, lcp.M(i, j));
  }
  btLemkeAlgorithm algorithm(M, q);
  const btVectorXu w_and_z = algorithm.solve(kMostSteps);
  OtherAnswer answer{algorithm.getInfo() == 0, VectorXd::Zero(n)};
  for (int i = 0; i < n; ++i) answer.z(i) = w_and_z[n + i];
  return answer;
}

}  // namespace tribo
