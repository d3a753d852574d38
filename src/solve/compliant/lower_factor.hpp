// Cholesky's factor of a small matrix, over its own lower triangle: columns of `size` numbers. Nothing is allocated.
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo::compliant {

[[nodiscard]] bool factor_lower(double* T, Index size);    // false: not positive definite, or not finite
void solve_lower(const double* T, Index size, double* x);  // x ← T⁻¹ x of the matrix that was factored

}  // namespace tribo::compliant
