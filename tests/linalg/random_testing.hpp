// Shared by the tests of linear algebra: entries drawn from −1 to 1.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/linalg/types.hpp"

namespace tribo::testing {

inline MatrixXd random_matrix(Index rows, Index cols, Random& random) {
  return MatrixXd::NullaryExpr(rows, cols, [&] { return random.uniform(-1.0, 1.0); });
}

inline VectorXd random_vector(Index n, Random& random) { return random_matrix(n, 1, random); }

}  // namespace tribo::testing
