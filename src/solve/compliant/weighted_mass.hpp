// Triangular factors in extended precision, and the mass matrix by them: M = L Lᵀ, block by block.
#pragma once

#include "tribo/linalg/block_diagonal.hpp"

#include <cmath>
#include <vector>

#include "solve/compliant/weighted_lu.hpp"

namespace tribo::compliant {

inline bool factor_extended(ExtendedMatrix& A) {  // lower triangle ← Cholesky factor
  const Index n = A.rows();
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < j; ++k) {
      for (Index i = j; i < n; ++i) A(i, j) -= A(i, k) * A(j, k);
    }
    if (!(A(j, j) > 0) || !std::isfinite(A(j, j))) return false;
    const Extended root = std::sqrt(A(j, j));
    for (Index i = j; i < n; ++i) A(i, j) /= root;
  }
  return true;
}

template <typename Column>
void solve_extended_lower(const ExtendedMatrix& L, Index start, Column&& x) {  // x[start…] ← L⁻¹ x[start…]
  for (Index j = 0; j < L.rows(); ++j) {
    x(start + j) /= L(j, j);
    for (Index i = j + 1; i < L.rows(); ++i) x(start + i) -= L(i, j) * x(start + j);
  }
}

template <typename Column>
void solve_extended_upper(const ExtendedMatrix& L, Index start, Column&& x) {  // x[start…] ← L⁻ᵀ x[start…]
  for (Index j = L.rows() - 1; j >= 0; --j) {
    for (Index i = j + 1; i < L.rows(); ++i) x(start + j) -= L(i, j) * x(start + i);
    x(start + j) /= L(j, j);
  }
}

struct ExtendedMass {
  const BlockLayout* layout = nullptr;
  std::vector<ExtendedMatrix> blocks;

  bool assign(const BlockDiagonal& mass) {
    layout = &mass.layout();
    for (Index b = 0; b < mass.blocks(); ++b) {
      blocks.push_back(mass.block(b).cast<Extended>());
      if (!factor_extended(blocks.back())) return false;
    }
    return true;
  }
  template <typename Column>
  void whiten(Column&& x) const {  // L⁻¹ x
    for (Index b = 0; b < layout->blocks(); ++b)
      solve_extended_lower(blocks[static_cast<std::size_t>(b)], layout->start(b), x);
  }
  template <typename Column>
  void unwhiten(Column&& x) const {  // L⁻ᵀ x
    for (Index b = 0; b < layout->blocks(); ++b)
      solve_extended_upper(blocks[static_cast<std::size_t>(b)], layout->start(b), x);
  }
};

}  // namespace tribo::compliant
