#include "tribo/problem/cone_problem.hpp"

#include <algorithm>
#include <cmath>

#include "problem/checks.hpp"

namespace tribo {
namespace {

// The pattern of a matrix with `rows` rows of blocks: starts that ascend, columns that exist and ascend, one value per place.
Checked check_pattern(const BlockSparse& A, const std::string& field, Index rows) {
  if (A.block_rows() != rows) {
    return fail("has " + std::to_string(A.block_rows()) + " rows of blocks", field,
                "give one per contact, " + std::to_string(rows));
  }
  const auto stored = static_cast<std::int32_t>(A.column.size());
  bool fits = rows == 0 || (A.start.front() == 0 && A.start.back() == stored);
  fits = fits && std::is_sorted(A.start.begin(), A.start.end());
  fits = fits && A.values.size() == A.column.size() * static_cast<std::size_t>(A.height * A.width);
  if (!fits) return fail("start, column and values do not belong together", field, "build it with clear and add_row");
  for (Index i = 0; i < rows; ++i) {
    std::int32_t before = -1;
    for (const std::int32_t j : A.columns(i)) {
      if (j <= before || j >= A.block_cols) {
        return fail("has the block column " + std::to_string(j), field + ", row of blocks " + std::to_string(i),
                    "give ascending columns below " + std::to_string(A.block_cols));
      }
      before = j;
    }
  }
  for (std::size_t k = 0; k < A.values.size(); ++k) {
    if (!std::isfinite(A.values[k])) {
      const auto block = static_cast<Index>(k) / (A.height * A.width);
      return fail("is not finite", entry_text(field, block) + ", by blocks", "check how the matrix was made");
    }
  }
  return ok();
}

Checked check_diagonal(const BlockSparse& W) {
  for (Index i = 0; i < W.block_rows(); ++i) {
    const auto columns = W.columns(i);
    if (!std::binary_search(columns.begin(), columns.end(), static_cast<std::int32_t>(i))) {
      return fail("the diagonal block is not stored", "W, row of blocks " + std::to_string(i), "store it, with zeros");
    }
  }
  return ok();
}

}  // namespace

Checked validate(const ConeProblem& problem) {
  const int d = problem.dimension;
  if (d != 2 && d != 3 && d != 4 && d != 6) {
    return fail("is " + std::to_string(d), "dimension", "give 2, 3, 4 (spin) or 6 (rolling) numbers per contact");
  }
  const Index n = problem.contacts();
  TRIBO_CHECK(check_non_negative(problem.mu, "mu", "give a friction coefficient >= 0"));
  TRIBO_CHECK(check_size(problem.q, "q", d * n, "`dimension` entries per contact (the length of mu)"));
  TRIBO_CHECK(check_finite(problem.q, "q"));
  if (!problem.bilateral.empty() && static_cast<Index>(problem.bilateral.size()) != n) {
    return fail("has " + std::to_string(problem.bilateral.size()) + " flags", "bilateral",
                "give one per contact, or none");
  }
  if (problem.by_bodies()) {
    TRIBO_CHECK(check_size(problem.H.height, problem.H.width, "the blocks of H", d, d == 2 ? 3 : 6,
                           "`dimension` rows, and 3 columns in the plane, 6 in space"));
    TRIBO_CHECK(check_pattern(problem.H, "H", n));
    TRIBO_CHECK(check_size(problem.R, "R", d * n, "`dimension` entries per contact"));
    return check_non_negative(problem.R, "R", "give a compliance >= 0");
  }
  if (n == 0) return ok();
  TRIBO_CHECK(check_size(problem.W.height, problem.W.width, "the blocks of W", d, d, "`dimension` rows and columns"));
  TRIBO_CHECK(check_pattern(problem.W, "W", n));
  if (problem.W.block_cols != n) {
    return fail("has " + std::to_string(problem.W.block_cols) + " columns of blocks", "W", "give one per contact");
  }
  return check_diagonal(problem.W);
}

}  // namespace tribo
