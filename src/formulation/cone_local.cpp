#include "formulation/cone_local.hpp"

#include <algorithm>

namespace tribo {

void LocalCone::update(const LocalFriction& problem, ConeProblem& cone) {
  const int d = problem.dimension;
  const Index n = problem.contacts();
  cone.dimension = d;
  cone.q = problem.q;
  cone.mu = problem.mu;
  cone.R.resize(0);
  cone.bilateral.clear();
  cone.H.clear(0, 0, 0);
  BlockSparse& W = cone.W;
  W.clear(d, d, n);

  // Columns are stored, rows of blocks are wanted. Columns of blocks one after another, each row meets them ascending:
  // once to count, once to place.
  W.start.assign(static_cast<std::size_t>(n) + 1, 0);
  seen_.assign(static_cast<std::size_t>(n), -1);
  const auto for_each_block = [&](Index j, const auto& visit) {
    const auto at = static_cast<std::int32_t>(j);
    const auto meet = [&](Index i) {
      if (seen_[i] == at) return;
      seen_[i] = at;
      visit(i);
    };
    meet(j);
    for (Index k = j * d; k < (j + 1) * d; ++k) {
      for (SparseMatrix::InnerIterator entry(problem.W, k); entry; ++entry) {
        if (entry.value() != 0.0) meet(entry.row() / d);
      }
    }
  };
  for (Index j = 0; j < n; ++j) for_each_block(j, [&](Index i) { ++W.start[i + 1]; });
  for (Index i = 0; i < n; ++i) W.start[i + 1] += W.start[i];
  next_.assign(W.start.begin(), W.start.end() - 1);
  W.column.resize(static_cast<std::size_t>(W.start.back()));
  W.values.assign(W.column.size() * static_cast<std::size_t>(d * d), 0.0);
  std::fill(seen_.begin(), seen_.end(), -1);
  for (Index j = 0; j < n; ++j) {
    for_each_block(j, [&](Index i) { W.column[next_[i]++] = static_cast<std::int32_t>(j); });
    for (Index k = j * d; k < (j + 1) * d; ++k) {
      for (SparseMatrix::InnerIterator entry(problem.W, k); entry; ++entry) {
        const Index i = entry.row() / d;
        if (entry.value() != 0.0) W.block(next_[i] - 1)[(k - j * d) * d + entry.row() - i * d] += entry.value();
      }
    }
  }
}

}  // namespace tribo
