#include "contact/polygon_start.hpp"

#include "tribo/solve/pivot/lemke.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace tribo {
namespace {

MatrixXd delassus(const ConeProblem& problem) {
  if (!problem.by_bodies()) return problem.W.to_dense();
  const MatrixXd H = problem.H.to_dense();
  MatrixXd W = H * H.transpose();
  W.diagonal() += problem.R;
  return W;
}

}  // namespace

bool find_polygon_start(const ConeProblem& problem, int sides, ConeWarmStart& warm) {
  const int d = problem.dimension;
  const Index n = problem.contacts(), directions = d == 2 ? 2 : sides;
  if (d > 3) return false;
  Index free = 0, rows = 0, slack = 0;
  for (Index i = 0; i < n; ++i) {
    const bool bilateral = problem.is_bilateral(i), friction = !bilateral && problem.mu(i) > 0.0;
    free += bilateral ? d : 0;
    rows += bilateral ? 0 : 1 + (friction ? directions : 0);
    slack += friction ? 1 : 0;
  }
  const Index size = free + rows + slack;
  if (size > kMostPolygonRows) return false;

  // r = B x: bilateral numbers first, then r_N and β contact by contact; λ does not act.
  MatrixXd B = MatrixXd::Zero(d * n, size);
  MixedLcp lcp;
  lcp.free = free;
  lcp.M = MatrixXd::Zero(size, size);
  lcp.q = VectorXd::Zero(size);
  Index next_free = 0, next = free, next_slack = free + rows;
  for (Index i = 0; i < n; ++i) {
    if (problem.is_bilateral(i)) {
      for (int c = 0; c < d; ++c) B(i * d + c, next_free++) = 1.0;
      continue;
    }
    const Index normal = next++;
    B(i * d, normal) = 1.0;
    if (!(problem.mu(i) > 0.0)) continue;
    const double turn = d == 3 ? std::atan2(problem.q(i * d + 2), problem.q(i * d + 1)) : 0.0;
    for (Index k = 0; k < directions; ++k) {
      const double angle = turn + 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(directions);
      B(i * d + 1, next) = d == 2 ? (k == 0 ? 1.0 : -1.0) : std::cos(angle);
      if (d == 3) B(i * d + 2, next) = std::sin(angle);
      lcp.M(next, next_slack) = 1.0;
      lcp.M(next_slack, next) = -1.0;
      ++next;
    }
    lcp.M(next_slack++, normal) = problem.mu(i);
  }
  lcp.M += B.transpose() * delassus(problem) * B;
  lcp.q = B.transpose() * problem.q;

  MixedLcpSolution found;
  if (!is_solved(LemkeSolver().solve(lcp, {}, found).status)) return false;
  VectorXd x(size);
  x << found.u, found.z;
  warm.r = B * x;
  warm.states.clear();
  return true;
}

}  // namespace tribo
