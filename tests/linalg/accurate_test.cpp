#include "tribo/linalg/accurate.hpp"

#include "tribo/core/random.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

// A plain sum loses the 1 beside 1e100 and returns 0.
TEST(AccurateSum, KeepsWhatCancellationWouldLose) {
  AccurateSum sum;
  for (const double x : {1e100, 1.0, -1e100}) sum.add(x);
  EXPECT_EQ(sum.value(), 1.0);
}

// (1 + e)(1 − e) − 1 = −e² exactly; the rounded product is 1 and a plain sum returns 0.
TEST(AccurateSum, KeepsTheErrorOfAProduct) {
  const double e = 0x1p-30;
  AccurateSum sum(-1.0);
  sum.add_product(1.0 + e, 1.0 - e);
  EXPECT_EQ(sum.value(), -e * e);
}

// A dot product built to cancel by ten digits, with integers so that the truth is known: the answer is exact.
TEST(AccurateDot, IsExactForIntegersThatCancel) {
  VectorXd x(4), y(4);
  x << 134217729.0, 134217727.0, -134217728.0, 3.0;  // 2^27 + 1, 2^27 − 1, −2^27
  y << 134217729.0, -134217727.0, 4.0, 5.0;
  // (2^27 + 1)² − (2^27 − 1)² − 4·2^27 = 0, and 15 is left; the squares need 55 bits.
  EXPECT_EQ(accurate_dot(x, y), 15.0);
  EXPECT_EQ(accurate_dot(x, y, -15.0), 0.0);
}

// Rows of M z + q with q = −M z in exact arithmetic leave only what rounding q left, which the plain product
// cannot see.
TEST(AccurateAffine, SeesTheRoundingOfTheOffset) {
  MatrixXd M(1, 2);
  M << 0.1, 0.3;
  VectorXd z(2), q(1);
  z << 3.0, 1.0;
  q << -0.6;
  // 0.1 and 0.3 are doubles 0.1 + 5.55e-18 and 0.3 − 1.11e-17, 0.6 is 0.6 − 2.22e-17.
  EXPECT_NEAR(accurate_affine(M, z, q)(0), 3 * 5.551115123125783e-18 - 1.1102230246251565e-17 + 2.220446049250313e-17,
              1e-30);
}

// Dense, sparse and transposed forms compute the same thing.
TEST(AccurateAffine, AgreesAmongItsForms) {
  Random random(7);
  MatrixXd M(5, 4);
  VectorXd z(4), q(5);
  for (Index i = 0; i < M.size(); ++i) M(i) = random.normal();
  for (Index i = 0; i < 4; ++i) z(i) = random.normal();
  for (Index i = 0; i < 5; ++i) q(i) = random.normal();
  M(2, 1) = 0.0;
  z(3) = 0.0;
  const Eigen::SparseMatrix<double> sparse = M.sparseView();
  const Eigen::SparseMatrix<double> sparse_transposed = sparse.transpose();
  const MatrixXd transposed = M.transpose();
  const VectorXd expected = accurate_affine(M, z, q);
  EXPECT_TRUE(expected.isApprox(M * z + q, 1e-14));
  EXPECT_EQ(accurate_affine(sparse, z, q), expected);
  EXPECT_EQ(accurate_affine_transposed(transposed, z, q), expected);
  EXPECT_EQ(accurate_affine_transposed(sparse_transposed, z, q), expected);
}

}  // namespace
}  // namespace tribo
