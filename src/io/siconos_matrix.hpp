// The matrix section of Siconos text files ("NumericsMatrix"): dense, sparse blocks, or a CSparse print.
#pragma once

#include "tribo/linalg/types.hpp"

#include <string>
#include <vector>

#include "io/text_reader.hpp"
#include <Eigen/SparseCore>

namespace tribo {

struct SiconosMatrix {
  Eigen::SparseMatrix<double> values;  // zeros of a dense section are dropped, stored zeros of a sparse one kept
  std::vector<Index> row_ends;         // block storage only: cumulated rows per block row
  std::vector<Index> col_ends;
};

// Reads one matrix; expected sizes of -1 accept any square matrix. On failure the reader says why and the matrix is empty.
SiconosMatrix read_siconos_matrix(TextReader& in, const std::string& name, Index rows, Index cols);

// Complementarity problems are dense here. A sparse section may claim far more entries than the file has
// numbers; this refuses what would not fit in kMaxDenseRows².
inline constexpr Index kMaxDenseRows = 16384;
MatrixXd read_siconos_dense(TextReader& in, const std::string& name, Index size);
MatrixXd make_dense(TextReader& in, const SiconosMatrix& matrix, const std::string& name);

}  // namespace tribo
