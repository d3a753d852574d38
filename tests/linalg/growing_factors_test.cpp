#include "tribo/core/random.hpp"
#include "tribo/linalg/dense_lu.hpp"
#include "tribo/linalg/growing_cholesky.hpp"
#include "tribo/linalg/growing_qr.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tribo {
namespace {

MatrixXd normal_matrix(Index rows, Index cols, Random& random) {
  MatrixXd A(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows; ++i) A(i, j) = random.normal();
  }
  return A;
}

// Any sequence of appends and removals must leave the factor that a fresh factorization of the same rows gives.
TEST(GrowingCholesky, StaysTheFactorOfTheRowsItHolds) {
  Random random(1);
  const Index n = 12;
  const MatrixXd G = normal_matrix(n, n + 3, random);
  const MatrixXd F = G * G.transpose();
  GrowingCholesky factor;
  factor.reserve(n);
  IndexList held;
  for (int step = 0; step < 400; ++step) {
    const bool grow = held.empty() || (static_cast<Index>(held.size()) < n && random.chance(0.55));
    if (grow) {
      Index i = random.integer(0, n - 1);
      while (std::find(held.begin(), held.end(), i) != held.end()) i = (i + 1) % n;
      VectorXd column(factor.size());
      for (Index a = 0; a < column.size(); ++a) column(a) = F(held[a], i);
      const double d2 = factor.test(column, F(i, i));
      ASSERT_GT(d2, 0.0);
      factor.append(column, d2);
      held.push_back(i);
    } else {
      const Index p = random.integer(0, static_cast<Index>(held.size()) - 1);
      factor.remove(p);
      held.erase(held.begin() + p);
    }
    const Index k = factor.size();
    ASSERT_EQ(k, static_cast<Index>(held.size()));
    VectorXd b(k);
    for (Index a = 0; a < k; ++a) b(a) = random.normal();
    MatrixXd F_AA(k, k);
    for (Index a = 0; a < k; ++a) {
      for (Index c = 0; c < k; ++c) F_AA(a, c) = F(held[a], held[c]);
    }
    VectorXd x = b;
    factor.solve(x);
    ASSERT_LE((F_AA * x - b).norm(), 1e-9) << "step " << step;
  }
}

// d² is the rank test: an exact copy of a held row has none left.
TEST(GrowingCholesky, SeesADependentRow) {
  Random random(2);
  const MatrixXd G = normal_matrix(4, 6, random);
  GrowingCholesky factor;
  factor.reserve(5);
  for (Index i = 0; i < 4; ++i) {
    VectorXd column = G.topRows(i) * G.row(i).transpose();
    const double d2 = factor.test(column, G.row(i).squaredNorm());
    factor.append(column, d2);
  }
  const VectorXd copy = 0.3 * G.row(1) - 2.0 * G.row(3);
  VectorXd column = G * copy;
  EXPECT_LT(std::abs(factor.test(column, copy.squaredNorm())), 1e-12 * copy.squaredNorm());
}

// G_Aᵀ = Q R with orthonormal Q must survive any sequence of appends and removals.
TEST(GrowingQr, StaysTheFactorOfTheRowsItHolds) {
  Random random(3);
  const Index n = 15;
  const Index m = 8;
  const MatrixXd G = normal_matrix(n, m, random);
  GrowingQr factor;
  factor.reserve(m, n);
  IndexList held;
  for (int step = 0; step < 400; ++step) {
    const bool grow = held.empty() || (static_cast<Index>(held.size()) < m && random.chance(0.55));
    if (grow) {
      Index i = random.integer(0, n - 1);
      while (std::find(held.begin(), held.end(), i) != held.end()) i = (i + 1) % n;
      ASSERT_GT(factor.test(G.row(i).transpose()), 1e-8);
      factor.append();
      held.push_back(i);
    } else {
      const Index p = random.integer(0, static_cast<Index>(held.size()) - 1);
      factor.remove(p);
      held.erase(held.begin() + p);
    }
    const Index k = factor.size();
    const MatrixXd Q = factor.Q();
    ASSERT_LT((Q.transpose() * Q - MatrixXd::Identity(k, k)).cwiseAbs().sum(), 1e-12);
    for (Index a = 0; a < k; ++a) {
      VectorXd rebuilt = VectorXd::Zero(m);
      for (Index b = 0; b <= a; ++b) rebuilt += Q.col(b) * factor.entry(b, a);
      ASSERT_LT((rebuilt - G.row(held[a]).transpose()).norm(), 1e-12) << "step " << step;
    }
  }
}

// Short rows live in one to four registers and longer ones in memory: all must split a row in the same way, also beside
// columns that were given, and one workspace must serve all lengths in turn.
TEST(GrowingQr, SplitsRowsOfEveryLengthBesideGivenColumns) {
  Random random(31);
  GrowingQr given, factor;
  for (const Index m : {40, 6, 24, 8, 9, 31, 32, 33, 17, 70}) {
    const MatrixXd G = normal_matrix(m, m, random);
    given.reserve(m, m);
    factor.reserve(m, m);
    const Index fixed = m / 3;
    for (Index i = 0; i < fixed; ++i) {
      given.test(G.row(i).transpose());
      given.append();
    }
    factor.start_with(given.columns(), fixed);
    for (Index i = fixed; i < m; ++i) {
      const VectorXd x = G.row(i).transpose();
      const MatrixXd Q = factor.Q();
      const double rest = factor.test(x);
      ASSERT_NEAR(factor.tested_squared(), x.squaredNorm(), 1e-13 * x.squaredNorm()) << m;
      ASSERT_NEAR(rest, factor.y().norm(), 1e-14 * x.norm()) << m;
      ASSERT_LT((Q * factor.c() + factor.y() - x).norm(), 1e-13 * x.norm()) << m;
      ASSERT_LT((Q.transpose() * factor.y()).norm(), 1e-14 * x.norm()) << m;
      factor.append();
    }
    const MatrixXd Q = factor.Q();
    EXPECT_LT((Q.transpose() * Q - MatrixXd::Identity(m, m)).cwiseAbs().maxCoeff(), 1e-13) << m;
    VectorXd b = normal_matrix(m - fixed, 1, random), x = b;
    factor.solve_upper(x, fixed);
    for (Index i = 0; i < m - fixed; ++i) {
      for (Index j = i; j < m - fixed; ++j) b(i) -= factor.entry(fixed + i, fixed + j) * x(j);
    }
    EXPECT_LT(b.norm(), 1e-11 * (1.0 + x.norm())) << m;
  }
}

// Rows along axes are common (bodies on rails): they must be left alone, and be their axis in Q, to the last bit; otherwise
// the projected rows of all contacts are filled with rounding where zeros belong.
TEST(GrowingQr, LeavesOrthogonalRowsAlone) {
  GrowingQr factor;
  factor.reserve(12, 12);
  for (Index i = 0; i < 12; ++i) {
    const VectorXd x = (1.0 / 3.0 + static_cast<double>(i)) * VectorXd::Unit(12, i);
    factor.test(x);
    EXPECT_EQ(factor.y(), x);
    EXPECT_EQ(factor.c(), VectorXd::Zero(i));
    factor.append();
    EXPECT_EQ(factor.Q().col(i), VectorXd::Unit(12, i));
  }
}

// Rows that almost coincide must still give orthonormal Q: this is what the second Gram-Schmidt pass is for.
TEST(GrowingQr, KeepsQOrthonormalForNearlyParallelRows) {
  GrowingQr factor;
  factor.reserve(3, 3);
  EXPECT_GT(factor.test(Vector3d(1.0, 0.0, 0.0)), 0.0);
  factor.append();
  EXPECT_NEAR(factor.test(Vector3d(1.0, 1e-9, 0.0)), 1e-9, 1e-16);
  factor.append();
  EXPECT_NEAR(factor.test(Vector3d(1.0, 1.0, 1e-9)), 1e-9, 1e-15);
  factor.append();
  const MatrixXd Q = factor.Q();
  EXPECT_LT((Q.transpose() * Q - MatrixXd::Identity(3, 3)).cwiseAbs().maxCoeff(), 1e-14);
}

// The triangular solves are the two halves of (R Rᵀ-type) normal equations; together they invert G_A G_Aᵀ.
TEST(GrowingQr, SolvesTheNormalEquations) {
  Random random(4);
  const MatrixXd G = normal_matrix(4, 7, random);
  GrowingQr factor;
  factor.reserve(7, 4);
  for (Index i = 0; i < 4; ++i) {
    factor.test(G.row(i).transpose());
    factor.append();
  }
  const VectorXd b = normal_matrix(4, 1, random);
  VectorXd x = b;
  factor.solve_lower(x);
  factor.solve_upper(x);
  EXPECT_LT((G * (G.transpose() * x) - b).norm(), 1e-12);
}

// A caller that adds one row at a time asks for one entry of the forward substitution at a time.
TEST(GrowingQr, GivesTheForwardSubstitutionEntryByEntry) {
  Random random(41);
  const MatrixXd G = normal_matrix(12, 13, random);
  const VectorXd b = normal_matrix(12, 1, random);
  GrowingQr factor;
  factor.reserve(13, 12);
  VectorXd x = b;
  for (Index i = 0; i < 12; ++i) {
    factor.test(G.row(i).transpose());
    factor.append();
    x(i) = factor.calc_lower(x.data(), i);
  }
  VectorXd all = b;
  factor.solve_lower(all);
  EXPECT_EQ(x, all);
}

// Partial pivoting must survive a zero leading entry, and a singular matrix must be refused, not divided by.
TEST(DenseLu, SolvesAndRefusesSingular) {
  Random random(5);
  DenseLu lu;
  lu.reserve(30);
  for (Index k : {1, 2, 7, 30}) {
    MatrixXd K = normal_matrix(k, k, random);
    K(0, 0) = k > 1 ? 0.0 : K(0, 0);
    lu.matrix(k) = K;
    ASSERT_TRUE(lu.factor());
    const VectorXd b = normal_matrix(k, 1, random);
    VectorXd x = b;
    lu.solve(x);
    EXPECT_LT((K * x - b).norm(), 1e-10);
    MatrixXd inverse(k, k);
    lu.inverse(inverse);
    EXPECT_LT((K * inverse - MatrixXd::Identity(k, k)).norm(), 1e-9);
  }
  MatrixXd singular = normal_matrix(5, 5, random);
  singular.col(3) = singular.col(0) + 2.0 * singular.col(1);
  lu.matrix(5) = singular;
  EXPECT_FALSE(lu.factor());
}

}  // namespace
}  // namespace tribo
