#include "solve/oracle/nnls.hpp"

#include <algorithm>
#include <limits>

#include <Eigen/QR>

namespace tribo {

NnlsResult solve_nnls(const MatrixXd& B, const VectorXd& b) {
  constexpr double kGradient = 1e-11;
  const Index n = B.cols();
  NnlsResult result;
  result.x = VectorXd::Zero(n);
  result.s = b;
  std::vector<char> passive(n, 0), refused(n, 0);
  const auto least_squares = [&](IndexList& columns) {
    columns.clear();
    for (Index j = 0; j < n; ++j) {
      if (passive[j]) columns.push_back(j);
    }
    MatrixXd P(B.rows(), static_cast<Index>(columns.size()));
    for (Index c = 0; c < P.cols(); ++c) P.col(c) = B.col(columns[c]);
    VectorXd x = VectorXd::Zero(P.cols());
    if (P.cols() > 0) {
      const Eigen::ColPivHouseholderQR<MatrixXd> qr(P);
      x = qr.solve(b);
      x += qr.solve(VectorXd(b - P * x));
    }
    return x;
  };

  IndexList columns;
  for (Index step = 0; step < 10 * n + 10; ++step) {
    Index enter = -1;
    double steepest = kGradient;
    for (Index j = 0; j < n; ++j) {
      const double gradient = B.col(j).dot(result.s);
      if (!passive[j] && !refused[j] && gradient > steepest) {
        steepest = gradient;
        enter = j;
      }
    }
    if (enter < 0) {
      result.converged = true;
      return result;
    }
    passive[enter] = 1;
    while (true) {
      const VectorXd x = least_squares(columns);
      double reach = 1.0;
      Index blocking = -1;
      for (Index c = 0; c < x.size(); ++c) {
        const Index j = columns[c];
        if (x(c) > 0.0) continue;
        const double fraction = result.x(j) > 0.0 ? result.x(j) / (result.x(j) - x(c)) : 0.0;
        if (fraction < reach || blocking < 0) {
          reach = std::min(reach, fraction);
          blocking = j;
        }
      }
      for (Index c = 0; c < x.size(); ++c) {
        const Index j = columns[c];
        result.x(j) += reach * (x(c) - result.x(j));
      }
      if (blocking < 0) break;
      // A column that would leave at once brings nothing: rounding chose it.
      if (blocking == enter) refused[enter] = 1;
      for (const Index j : columns) {
        if (j == blocking || result.x(j) <= 0.0) {
          result.x(j) = 0.0;
          passive[j] = 0;
        }
      }
    }
    const double before = result.s.norm();
    result.s = b - B * result.x;
    if (result.s.norm() < before * (1.0 - 1e-12)) std::fill(refused.begin(), refused.end(), char{0});
    if (result.s.norm() < 1e-15) {
      result.converged = true;
      return result;
    }
  }
  return result;
}

}  // namespace tribo
