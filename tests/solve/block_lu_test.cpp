// The block-sparse factor against a dense one.
#include "solve/cone/block_lu.hpp"

#include "tribo/core/random.hpp"
#include "tribo/linalg/types.hpp"

#include <set>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tribo {
namespace {

template <int D>
void compare_with_dense() {
  constexpr int L = cone::kLanes<D>, B = cone::kBlock<D>;
  Random random(D);
  for (int trial = 0; trial < 60; ++trial) {
    const auto n = static_cast<std::int32_t>(random.integer(1, 25));
    std::vector<std::set<std::int32_t>> neighbours(n);
    for (std::int64_t e = random.integer(0, 3 * n); e > 0; --e) {
      const auto a = static_cast<std::int32_t>(random.integer(0, n - 1)),
                 b = static_cast<std::int32_t>(random.integer(0, n - 1));
      if (a != b) neighbours[a].insert(b), neighbours[b].insert(a);
    }
    std::vector<std::int32_t> start{0}, column;
    MatrixXd A = MatrixXd::Zero(D * n, D * n);
    VectorXd b(D * n);
    for (std::int32_t i = 0; i < n; ++i) {
      for (const std::int32_t j : neighbours[i]) {
        column.push_back(j);
        for (int k = 0; k < D * D; ++k) A(i * D + k % D, j * D + k / D) = random.uniform(-1.0, 1.0);
      }
      start.push_back(static_cast<std::int32_t>(column.size()));
      for (int k = 0; k < D * D; ++k) A(i * D + k % D, i * D + k / D) = random.uniform(-1.0, 1.0);
      for (int k = 0; k < D; ++k) {
        A(i * D + k, i * D + k) += 4.0 + 2.0 * static_cast<double>(neighbours[i].size());
        b(i * D + k) = random.uniform(-1.0, 1.0);
      }
    }
    cone::BlockLu<D, true> lu;
    lu.set_graph(start, column);
    for (int part = 0; part < 3; ++part) {  // all nodes, then some of them, then others
      std::vector<std::uint8_t> active(n, 1);
      for (std::int32_t i = 0; part > 0 && i < n; ++i) active[i] = random.chance(0.6) ? 1 : 0;
      lu.choose(active);
      const auto fill_row = [&](std::int32_t rank, double* row, double* y) {
        const std::int32_t i = lu.node(rank);
        for (std::int32_t j = 0; j < n; ++j) {
          if (active[j] == 0 || (j != i && neighbours[i].count(j) == 0)) continue;
          for (int k = 0; k < D * D; ++k) row[lu.rank(j) * B + (k / D) * L + k % D] = A(i * D + k % D, j * D + k / D);
        }
        for (int k = 0; k < D; ++k) y[k] = b(i * D + k);
      };
      ASSERT_TRUE(lu.factor_forward(fill_row));
      const auto m = static_cast<Index>(lu.size());
      std::vector<double> z(static_cast<std::size_t>(m * L + L)), again(z.size()), right(z.size());
      lu.backward(z.data());
      MatrixXd dense(D * m, D * m);
      VectorXd rhs(D * m);
      for (Index r = 0; r < m; ++r) {
        for (Index s = 0; s < m; ++s) dense.block<D, D>(r * D, s * D) = A.block<D, D>(lu.node(r) * D, lu.node(s) * D);
        rhs.segment<D>(r * D) = b.segment<D>(lu.node(r) * D);
        for (int k = 0; k < D; ++k) right[r * L + k] = 2.0 * rhs(r * D + k);
      }
      lu.solve(right.data(), again.data());
      const VectorXd expected = dense.partialPivLu().solve(rhs);
      for (Index r = 0; r < m; ++r) {
        for (int k = 0; k < D; ++k) {
          EXPECT_NEAR(z[r * L + k], expected(r * D + k), 1e-12);
          EXPECT_NEAR(again[r * L + k], 2.0 * expected(r * D + k), 1e-12);
        }
      }
    }
  }
}

// Without exchanges the second pivot of this block is beyond the largest number; with them it is not.
TEST(BlockLu, APivotThatOverflowsIsNoPivot) {
  const double block[4] = {1e300, 1e308, -1e301, 1e308};  // by columns
  double inverse[4] = {};
  ASSERT_TRUE(cone::invert<2>(block, inverse));
  EXPECT_NEAR(inverse[0] * 1e301, 10.0 / 11.0, 1e-13);
  EXPECT_NEAR(inverse[1] * 1e301, -10.0 / 11.0, 1e-13);
}

// Any size of block, any set of nodes that takes part, one right side or another.
TEST(BlockLu, SolvesAsADenseFactorDoes) {
  compare_with_dense<2>();
  compare_with_dense<3>();
  compare_with_dense<4>();
  compare_with_dense<6>();
}

// A diagonal block of zeros is said to be singular, and the workspace stays usable.
TEST(BlockLu, ReportsSingularBlocks) {
  const std::vector<std::int32_t> start{0, 0, 0}, column;
  cone::BlockLu<3> lu;
  lu.set_graph(start, column);
  const std::vector<std::uint8_t> active{1, 1};
  lu.choose(active);
  EXPECT_FALSE(lu.factor_forward([](std::int32_t, double*, double* y) { y[0] = 1.0; }));
  EXPECT_TRUE(lu.factor_forward([](std::int32_t rank, double* row, double* y) {
    for (int k = 0; k < 3; ++k) row[rank * cone::kBlock<3> + k * cone::kLanes<3> + k] = 2.0;
    y[0] = 1.0;
  }));
  double z[2 * cone::kLanes<3>];
  lu.backward(z);
  EXPECT_EQ(z[0], 0.5);
}

}  // namespace
}  // namespace tribo
