// The linear systems of the compliant solver against the same equations in extended precision.
#include "tribo/core/random.hpp"

#include <cmath>
#include <vector>

#include "solve/compliant/row_factor.hpp"
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tribo {
namespace {

using compliant::RowFactor;
using Long = long double;
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;

struct FactorCase {
  MatrixXd B, F;
  VectorXd b;
};

// Rows of the given rank, scaled by √L with L between the two.
FactorCase make_factor_case(Index m, Index n, Index rank, double softest, double stiffest, std::uint64_t seed) {
  Random random(seed);
  const auto fill = [&](Index rows, Index cols) {
    MatrixXd X(rows, cols);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) X(i, j) = random.uniform(-1, 1);
    }
    return X;
  };
  FactorCase made;
  const MatrixXd G = rank < n ? MatrixXd(fill(m, rank) * fill(rank, n)) : fill(m, n);
  const VectorXd rates = G * fill(n, 1);
  made.B = G;
  made.F = G + 0.3 * fill(m, n);
  made.b = rates;
  for (Index i = 0; i < m; ++i) {
    const double root = std::sqrt(std::exp(random.uniform(std::log(softest), std::log(stiffest))));
    made.B.row(i) *= root;
    made.F.row(i) *= root;
    made.b(i) *= root;
  }
  return made;
}

bool solve_case(const FactorCase& c, bool two_sided, VectorXd& y, VectorXd& u) {
  RowFactor factor;
  factor.resize(c.B.rows(), c.B.cols(), two_sided);
  for (Index j = 0; j < c.B.cols(); ++j) {
    VectorXd::Map(factor.column(j), c.B.rows()) = c.B.col(j);
    if (two_sided) VectorXd::Map(factor.force_column(j), c.B.rows()) = c.F.col(j);
  }
  VectorXd::Map(factor.rate(), c.B.rows()) = c.b;
  y.resize(c.B.rows());
  u.resize(c.B.cols());
  return factor.solve(y.data(), u.data());
}

// u of y + B u = −b, Fᵀ y − u = 0 as one system in extended precision: its condition is that of B, not of its square.
VectorXd solve_long(const FactorCase& c, const MatrixXd& F) {
  const Index m = c.B.rows(), n = c.B.cols();
  LongMatrix K = LongMatrix::Zero(m + n, m + n);
  K.topLeftCorner(m, m).setIdentity();
  K.topRightCorner(m, n) = c.B.cast<Long>();
  K.bottomLeftCorner(n, m) = F.transpose().cast<Long>();
  K.bottomRightCorner(n, n) = -LongMatrix::Identity(n, n);
  LongVector right = LongVector::Zero(m + n);
  right.head(m) = -c.b.cast<Long>();
  return LongVector(K.partialPivLu().solve(right)).tail(n).cast<double>();
}

// Few rows and many, all ranks, stiffness over many decades: v1 to the accuracy that stiff rows allow, and u = Bᵀ y.
TEST(CompliantFactor, ForcesAndVelocitiesAgreeWithExtendedPrecision) {
  const struct {
    Index m, n, rank;
    double softest, stiffest, accuracy;
  } cases[] = {{3, 6, 6, 1e2, 1e6, 1e-13},   {6, 6, 6, 1e2, 1e6, 1e-12},   {12, 6, 4, 1e2, 1e6, 1e-12},
               {200, 6, 6, 1e2, 1e6, 1e-13}, {200, 6, 3, 1e3, 1e4, 1e-13}, {40, 6, 6, 1e-2, 1e8, 1e-11}};
  std::uint64_t seed = 1;
  for (const auto& c : cases) {
    SCOPED_TRACE(c.m);
    const FactorCase made = make_factor_case(c.m, c.n, c.rank, c.softest, c.stiffest, ++seed);
    VectorXd y, u;
    ASSERT_TRUE(solve_case(made, false, y, u));
    const VectorXd exact = solve_long(made, made.B);
    EXPECT_LE((u - exact).norm(), c.accuracy * exact.norm());
    EXPECT_LE((made.B.transpose() * y - u).norm(),
              1e-13 * std::max(u.norm(), (made.B.cwiseAbs().transpose() * y.cwiseAbs()).norm()));
  }
}

// So stiff that the normal equations cannot work: the reflections take over, and momentum still balances.
TEST(CompliantFactor, VeryStiffTallSystemsBalance) {
  for (const double stiffest : {1e10, 1e13, 1e16}) {
    SCOPED_TRACE(stiffest);
    const FactorCase made = make_factor_case(200, 6, 4, 1e3, stiffest, 77);
    VectorXd y, u;
    ASSERT_TRUE(solve_case(made, false, y, u));
    const double scale = (made.B.cwiseAbs().transpose() * y.cwiseAbs()).norm();
    EXPECT_LE((made.B.transpose() * y - u).norm(), 1e-13 * std::max(scale, u.norm()));
    const VectorXd rates = made.B * u + made.b;  // within the compliance: the rows are consistent
    EXPECT_LE(rates.cwiseAbs().maxCoeff(), 1e-6 * made.b.cwiseAbs().maxCoeff());
  }
}

// Forces along other rows than those measured.
TEST(CompliantFactor, TwoSidedSystemsAgreeWithExtendedPrecision) {
  std::uint64_t seed = 5;
  for (const Index m : {2, 6, 9, 60}) {
    SCOPED_TRACE(m);
    const FactorCase made = make_factor_case(m, 6, 6, 1e1, 1e4, ++seed);
    VectorXd y, u;
    ASSERT_TRUE(solve_case(made, true, y, u));
    const VectorXd exact = solve_long(made, made.F);
    EXPECT_LE((u - exact).norm(), 1e-10 * exact.norm());
    EXPECT_LE((made.F.transpose() * y - u).norm(), 1e-12 * (made.F.cwiseAbs().transpose() * y.cwiseAbs()).norm());
  }
}

// W p = d of least norm where rows are redundant, and what d has outside of the range.
TEST(CompliantFactor, LeastNormOfRedundantRows) {
  const FactorCase made = make_factor_case(7, 6, 3, 1.0, 1.0, 9);
  RowFactor factor;
  factor.resize(7, 6, false);
  for (Index j = 0; j < 6; ++j) VectorXd::Map(factor.column(j), 7) = made.B.col(j);
  const VectorXd d = VectorXd::LinSpaced(7, -1.0, 2.0);
  VectorXd::Map(factor.rate(), 7) = d;
  VectorXd p(7), left(7);
  ASSERT_TRUE(factor.solve_least_norm(p.data(), left.data()));
  const MatrixXd W = made.B * made.B.transpose();
  EXPECT_LE((W * p + left - d).norm(), 1e-12 * d.norm());
  EXPECT_LE((made.B.transpose() * left).norm(), 1e-12 * d.norm());  // outside of the range
  // Least norm: p lies in the range, that is p = B x for some x, so its part outside vanishes.
  VectorXd::Map(factor.rate(), 7) = p;
  for (Index j = 0; j < 6; ++j) VectorXd::Map(factor.column(j), 7) = made.B.col(j);
  VectorXd unused(7);
  ASSERT_TRUE(factor.solve_least_norm(unused.data(), left.data()));
  EXPECT_LE(left.norm(), 1e-11 * p.norm());
}

}  // namespace
}  // namespace tribo
