// Checks shared by the validate() functions. Each returns the first offence with the entry that commits it,
// counted from zero as in the code: "M(3, 5)", "q(2)".
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/types.hpp"

#include <string>

#include <Eigen/SparseCore>

namespace tribo {

std::string number_text(double value);  // the shortest text that reads back as the same number: "-0.3", "nan"
std::string entry_text(const std::string& field, Index i);
std::string entry_text(const std::string& field, Index i, Index j);

// `meaning` says what the expected size is: "one entry per contact".
Checked check_size(const VectorXd& x, const std::string& field, Index size, const std::string& meaning);
Checked check_size(Index rows, Index cols, const std::string& field, Index expected_rows, Index expected_cols,
                   const std::string& meaning);

Checked check_finite(const VectorXd& x, const std::string& field);
Checked check_finite(const MatrixXd& A, const std::string& field);
Checked check_finite(const Eigen::SparseMatrix<double>& A, const std::string& field);
Checked check_finite(double value, const std::string& name, const std::string& where);
// Finite and >= 0; `remedy` says what to give instead.
Checked check_non_negative(double value, const std::string& name, const std::string& where, const std::string& remedy);
Checked check_non_negative(const VectorXd& x, const std::string& field, const std::string& remedy);

// Square, finite, positive diagonal, |A_ij − A_ji| ≤ 1e-9 √(A_ii A_jj) (so that units do not matter), positive definite.
// A may be a block of a larger matrix: `start` is added to the entries in messages, `whole` names the block.
Checked check_spd(const MatrixXd& A, const std::string& field, Index start, const std::string& whole);
inline Checked check_spd(const MatrixXd& A, const std::string& field) { return check_spd(A, field, 0, field); }

}  // namespace tribo

// Returns from the calling function when a check has failed.
#define TRIBO_CHECK(expression)                                      \
  do {                                                               \
    if (const ::tribo::Checked checked_ = (expression); !checked_) { \
      return ::tribo::Unexpected<::tribo::Error>{checked_.error()};  \
    }                                                                \
  } while (false)
