#include "solve/pivot/crash_basis.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

constexpr double kTiny = 1e-10;  // relative to the equilibrated matrix, whose entries are of size one

}  // namespace

void CrashBasis::reserve(Index n) {
  if (T_.rows() >= n) return;
  T_.resize(n, n);
  row_used_.resize(n);
  column_used_.resize(n);
  beta_.reserve(n);
  skipped_rows_.reserve(n);
  skipped_columns_.reserve(n);
}

void CrashBasis::eliminate(Index row, Index column, Index n) {
  const double pivot = T_(row, column);
  for (Index j = 0; j < n; ++j) {
    if (column_used_[j] || j == column) continue;
    const double scale = T_(row, j) / pivot;
    if (scale == 0.0) continue;
    for (Index i = 0; i < n; ++i) {
      if (!row_used_[i] && i != row) T_(i, j) -= scale * T_(i, column);
    }
  }
  row_used_[row] = 1;
  column_used_[column] = 1;
}

bool CrashBasis::find(const MatrixIn& M, Index free) {
  const Index n = M.rows();
  T_.topLeftCorner(n, n) = M;
  std::fill(row_used_.begin(), row_used_.end(), char{0});
  std::fill(column_used_.begin(), column_used_.end(), char{0});
  beta_.clear();
  skipped_rows_.clear();
  skipped_columns_.clear();

  // Inside A: the largest entry left.
  Index remaining = free;
  while (remaining > 0) {
    Index row = -1, column = -1;
    double largest = kTiny;
    for (Index j = 0; j < free; ++j) {
      if (column_used_[j]) continue;
      for (Index i = 0; i < free; ++i) {
        if (!row_used_[i] && std::abs(T_(i, j)) > largest) {
          largest = std::abs(T_(i, j));
          row = i;
          column = j;
        }
      }
    }
    if (row < 0) break;
    eliminate(row, column, n);
    --remaining;
  }

  // With help: the index j whose weaker pivot is the strongest.
  while (remaining > 0) {
    Index best = -1, best_row = -1, best_column = -1;
    double strongest = kTiny;
    for (Index j = free; j < n; ++j) {
      if (row_used_[j] || column_used_[j]) continue;
      Index row = -1, column = -1;
      double in_row = 0.0, in_column = 0.0;
      for (Index f = 0; f < free; ++f) {
        if (!row_used_[f] && std::abs(T_(f, j)) > in_column) {
          in_column = std::abs(T_(f, j));
          row = f;
        }
        if (!column_used_[f] && std::abs(T_(j, f)) > in_row) {
          in_row = std::abs(T_(j, f));
          column = f;
        }
      }
      if (std::min(in_row, in_column) > strongest) {
        strongest = std::min(in_row, in_column);
        best = j;
        best_row = row;
        best_column = column;
      }
    }
    if (best < 0) break;
    eliminate(best_row, best, n);
    if (std::abs(T_(best, best_column)) <= kTiny) return false;
    eliminate(best, best_column, n);
    beta_.push_back(best);
    --remaining;
  }

  // What is left must vanish: an equality row without unknowns, a free variable without effect.
  for (Index f = 0; f < free && remaining > 0; ++f) {
    if (!row_used_[f]) {
      for (Index j = 0; j < n; ++j) {
        if (!column_used_[j] && std::abs(T_(f, j)) > kTiny) return false;
      }
      skipped_rows_.push_back(f);
    }
    if (!column_used_[f]) {
      for (Index i = 0; i < n; ++i) {
        if (!row_used_[i] && std::abs(T_(i, f)) > kTiny) return false;
      }
      skipped_columns_.push_back(f);
    }
  }
  return true;
}

}  // namespace tribo
