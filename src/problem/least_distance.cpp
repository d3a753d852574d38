#include "tribo/problem/least_distance.hpp"

namespace tribo {

FactoredLcp as_factored(const LeastDistance& problem) {
  const Index n = problem.size(), m = problem.dof();
  const Eigen::Map<const VectorXd> start(problem.start.data(), m);
  FactoredLcp lcp;
  lcp.G = MatrixXd::Zero(n, m);
  lcp.q = VectorXd::Zero(n);
  lcp.row_norm = VectorXd::Zero(n);
  lcp.speed = problem.speed;
  VectorXd row(m);
  for (Index i = 0; i < problem.rows.positions(); ++i) {
    const Index at = problem.rows.row(i);
    if (at < 0) continue;
    row.setZero();
    problem.rows.add_scaled(i, 1.0, row.data());
    lcp.q(at) = row.dot(start) + problem.offset[static_cast<std::size_t>(i)];
    lcp.row_norm(at) = problem.rows.norm(i);
    for (int pass = 0; pass < 2; ++pass) row -= problem.Q() * (problem.Q().transpose() * row);
    lcp.G.row(at) = row.transpose();
  }
  return lcp;
}

}  // namespace tribo
