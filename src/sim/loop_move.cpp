#include "sim/loop_move.hpp"

namespace tribo {

namespace {

constexpr double kDependent = 1e-6;  // of the largest whitened row

using Qr = Eigen::ColPivHouseholderQR<MatrixXd>;

// x ← (I − τ v vᵀ) x, v = (0, …, 0, 1, essential): the k-th reflection of Q = H_0 H_1 … (Eigen's own product allocates).
void reflect(const Qr& qr, Index k, VectorXd& x) {
  const Index below = x.size() - k - 1;
  const auto essential = qr.matrixQR().col(k).tail(below);
  const double scale = qr.hCoeffs()(k) * (x(k) + essential.dot(x.tail(below)));
  x(k) -= scale;
  x.tail(below) -= scale * essential;
}

}  // namespace

bool LoopMove::solve(ContactProblem& problem, VectorXd& dq) {
  dq.setZero(problem.dof());
  const Index rows = problem.bilateral();
  if (rows == 0) return true;
  if (!factor_.assign(problem.mass)) return false;
  A_.setZero(problem.dof(), rows);
  for (Index i = 0; i < rows; ++i) problem.J.whiten(i, factor_, A_.col(i).data());
  qr_.setThreshold(kDependent);
  qr_.compute(A_);
  const Index rank = qr_.rank();
  if (rank == 0) {
    problem.b_J.setZero();
    return true;
  }
  wanted_.noalias() = qr_.colsPermutation().transpose() * problem.b_J;
  reached_.setZero(rows, rank);
  reached_.triangularView<Eigen::Lower>() = qr_.matrixR().topRows(rank).transpose();
  rows_.compute(reached_);  // of full rank
  for (Index k = 0; k < rank; ++k) reflect(rows_, k, wanted_);
  rows_.matrixR().topRows(rank).triangularView<Eigen::Upper>().solveInPlace(wanted_.head(rank));
  y_.noalias() = rows_.colsPermutation() * wanted_.head(rank);
  dq.head(rank) = -y_;
  for (Index k = rank - 1; k >= 0; --k) reflect(qr_, k, dq);
  factor_.unwhiten_velocity(dq);
  wanted_.noalias() = reached_ * y_;
  problem.b_J.noalias() = qr_.colsPermutation() * wanted_;
  return true;
}

}  // namespace tribo
