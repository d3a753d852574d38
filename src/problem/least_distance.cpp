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
  for (const PairRows::Run& run : problem.rows.runs()) {
    for (Index i = 0; i < run.count; ++i) {
      const Index position = run.position + i, at = run.row + i * run.step;
      row.setZero();
      problem.rows.add_scaled(position, 1.0, row.data());
      lcp.q(at) = row.dot(start) + problem.offset_at(position);
      lcp.row_norm(at) = problem.rows.norm(position);
      for (int pass = 0; pass < 2; ++pass) row -= problem.Q() * (problem.Q().transpose() * row);
      lcp.G.row(at) = row.transpose();
    }
  }
  return lcp;
}

}  // namespace tribo
