#include "tribo/formulation/box.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

BoxAsMixed::BoxAsMixed(const BoxLcp& box) : box_(&box) {
  const Index n = box.size();
  // Unknowns: free z, then x of the bounded ones, then y of those bounded on both sides. Fixed ones are constants.
  IndexList free, bounded, both;
  for (Index i = 0; i < n; ++i) {
    const bool low = std::isfinite(box.lo(i)), high = std::isfinite(box.hi(i));
    if (box.lo(i) == box.hi(i)) continue;
    (low || high ? bounded : free).push_back(i);
    if (low && high) both.push_back(i);
  }
  const Index nf = static_cast<Index>(free.size()), nb = static_cast<Index>(bounded.size());
  const Index size = nf + nb + static_cast<Index>(both.size());
  column_.assign(n, kFixed);
  VectorXd sign = VectorXd::Ones(n), origin = VectorXd::Zero(n);  // z = origin + sign x
  for (Index k = 0; k < nf; ++k) column_[free[k]] = k;
  for (Index k = 0; k < nb; ++k) column_[bounded[k]] = nf + k;
  for (Index i = 0; i < n; ++i) {
    if (column_[i] >= 0 && column_[i] < nf) continue;
    sign(i) = std::isfinite(box.lo(i)) ? 1.0 : -1.0;
    origin(i) = sign(i) > 0.0 ? box.lo(i) : box.hi(i);
  }
  mixed_.free = nf;
  mixed_.M = MatrixXd::Zero(size, size);
  mixed_.q = VectorXd::Zero(size);
  const VectorXd q = box.q + box.M * origin;
  for (Index i = 0; i < n; ++i) {
    const Index row = column_[i];
    if (row == kFixed) continue;
    mixed_.q(row) = sign(i) * q(i);
    for (Index j = 0; j < n; ++j) {
      if (column_[j] != kFixed) mixed_.M(row, column_[j]) = sign(i) * box.M(i, j) * sign(j);
    }
  }
  for (Index k = 0; k < static_cast<Index>(both.size()); ++k) {
    const Index i = both[k];
    const Index y = nf + nb + k;
    mixed_.M(column_[i], y) = 1.0;
    mixed_.M(y, column_[i]) = -1.0;
    mixed_.q(y) = box.hi(i) - box.lo(i);
  }
}

BoxLcpSolution BoxAsMixed::lift(const MixedLcpSolution& solution) const {
  const Index n = box_->size();
  BoxLcpSolution answer;
  answer.z.resize(n);
  for (Index i = 0; i < n; ++i) {
    const Index column = column_[i];
    const double lo = box_->lo(i), hi = box_->hi(i);
    if (column == kFixed) {
      answer.z(i) = lo;
    } else if (column < mixed_.free) {
      answer.z(i) = solution.u(column);
    } else {
      const double x = solution.z(column - mixed_.free);
      answer.z(i) = std::clamp(std::isfinite(lo) ? lo + x : hi - x, lo, hi);
    }
  }
  answer.w = box_->M * answer.z + box_->q;
  return answer;
}

}  // namespace tribo
