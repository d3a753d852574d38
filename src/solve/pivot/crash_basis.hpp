// A first basis for a mixed problem. The free variables F need as many rows as there are of them; the equality rows alone
// will do unless A = M_FF is singular. Then complementarity indices β have to help: find β such that M_{F∪β,F∪β} is
// regular (z_β basic, w_β = 0 not). Gaussian elimination with complete pivoting inside A, then pairs of pivots
// (equality row, z_j), (row w_j, free column) for the rest.
#pragma once

#include "tribo/linalg/types.hpp"

#include <vector>

namespace tribo {

class CrashBasis {
 public:
  void reserve(Index n);
  // M has n rows, the first `free` belong to free variables. Fills beta(). Rows and columns of F that vanish altogether
  // after elimination are left out of the basis in pairs: skipped_rows(), skipped_columns().
  // False: no such β was found.
  [[nodiscard]] bool find(const MatrixIn& M, Index free);

  const IndexList& beta() const { return beta_; }
  const IndexList& skipped_rows() const { return skipped_rows_; }
  const IndexList& skipped_columns() const { return skipped_columns_; }

 private:
  void eliminate(Index row, Index column, Index n);

  MatrixXd T_;
  std::vector<char> row_used_, column_used_;
  IndexList beta_, skipped_rows_, skipped_columns_;
};

}  // namespace tribo
