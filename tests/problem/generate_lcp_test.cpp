#include "tribo/problem/generate.hpp"

#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr MatrixClass kAll[] = {MatrixClass::kSpd, MatrixClass::kPsd, MatrixClass::kRankDeficient, MatrixClass::kP,
                                MatrixClass::kCopositive};
constexpr MatrixClass kSymmetric[] = {MatrixClass::kSpd, MatrixClass::kPsd, MatrixClass::kRankDeficient};

VectorXd eigenvalues(const MatrixXd& symmetric) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

Index rank_of(const MatrixXd& M, double relative) {
  const VectorXd values = eigenvalues(M);
  return (values.array() > relative * values.maxCoeff()).count();
}

// The promise of each symmetric class, read off the eigenvalues; exact symmetry, because solvers test it.
TEST(GenerateMatrix, SymmetricClassesHaveTheirEigenvalues) {
  Random random(1);
  for (const Index n : {1, 2, 3, 7, 12, 30}) {
    for (int k = 0; k < 10; ++k) {
      const MatrixXd spd = random_matrix(MatrixClass::kSpd, n, random);
      EXPECT_GE(eigenvalues(spd).minCoeff(), 0.04);
      for (const MatrixClass matrix_class : kSymmetric) {
        const MatrixXd M = random_matrix(matrix_class, n, random);
        EXPECT_EQ(M, M.transpose());
        EXPECT_GE(eigenvalues(M).minCoeff(), -1e-13 * M.norm());
      }
    }
  }
}

// What makes the singular classes hard: rank that is missing, rows that are repeated.
TEST(GenerateMatrix, SingularClassesLackTheStatedRank) {
  Random random(2);
  for (const Index n : {4, 8, 12, 30}) {
    for (int k = 0; k < 10; ++k) {
      EXPECT_EQ(rank_of(random_matrix(MatrixClass::kPsd, n, random), 1e-12), n - n / 4);
      const MatrixXd M = random_matrix(MatrixClass::kRankDeficient, n, random);
      EXPECT_LE(rank_of(M, 1e-12), n / 3);
      EXPECT_EQ(M.row(0), M.row(1));  // an exact duplicate
    }
  }
}

// Near duplicates occur: pairs of rows that differ, but by less than a ten-millionth.
TEST(GenerateMatrix, RankDeficientHasNearDuplicates) {
  Random random(3);
  int near = 0;
  for (int k = 0; k < 20; ++k) {
    const MatrixXd M = random_matrix(MatrixClass::kRankDeficient, 12, random);
    for (Index i = 0; i < 12; ++i) {
      for (Index j = 0; j < i; ++j) {
        const double distance = (M.row(i) - M.row(j)).norm();
        if (distance > 0.0 && distance < 1e-6 * M.row(i).norm()) ++near;
      }
    }
  }
  EXPECT_GE(near, 10);
}

// The definition itself: every principal minor is positive. And the class is really unsymmetric.
TEST(GenerateMatrix, PMatricesHavePositivePrincipalMinors) {
  Random random(4);
  for (const Index n : {1, 2, 3, 5, 8}) {
    for (int k = 0; k < 12; ++k) {
      const MatrixXd M = random_matrix(MatrixClass::kP, n, random);
      if (n > 1) {
        EXPECT_FALSE(is_symmetric(M));
      }
      for (Index subset = 1; subset < (Index{1} << n); ++subset) {
        std::vector<Index> rows;
        for (Index i = 0; i < n; ++i) {
          if ((subset >> i) & 1) rows.push_back(i);
        }
        const MatrixXd part = M(rows, rows);
        ASSERT_GT(part.determinant(), 0.0) << "n = " << n << ", subset " << subset;
      }
    }
  }
}

// zᵀ M z ≥ 0 on random z ≥ 0, sparse ones included, and both kinds occur: non-negative and friction matrices.
TEST(GenerateMatrix, CopositiveMatricesAreCopositive) {
  Random random(5);
  int friction = 0, non_negative = 0;
  for (const Index n : {1, 4, 6, 9, 17}) {
    for (int k = 0; k < 20; ++k) {
      const MatrixXd M = random_matrix(MatrixClass::kCopositive, n, random);
      (M.minCoeff() < 0.0 ? friction : non_negative) += 1;
      for (int trial = 0; trial < 200; ++trial) {
        const VectorXd z = VectorXd::NullaryExpr(n, [&] { return random.chance(0.5) ? random.uniform() : 0.0; });
        ASSERT_GE(z.dot(M * z), -1e-14 * M.norm() * z.squaredNorm());
      }
    }
  }
  EXPECT_GE(friction, 20);
  EXPECT_GE(non_negative, 20);
}

// Spec C.1: a friction matrix is the PSD Gram part, mu ≥ 0 in the lower left, and E against −Eᵀ, which cancel in zᵀ M z.
TEST(GenerateMatrix, FrictionMatricesHaveTheStructureOfTheSpec) {
  Random random(6);
  int seen = 0;
  for (int k = 0; k < 40; ++k) {
    const Index n = 12;
    const MatrixXd M = random_matrix(MatrixClass::kCopositive, n, random);
    if (M.minCoeff() >= 0.0) continue;
    ++seen;
    Index lambdas = 0;  // trailing rows with a zero diagonal
    while (M(n - 1 - lambdas, n - 1 - lambdas) == 0.0) ++lambdas;
    ASSERT_GE(lambdas, 2);
    const Index rows = n - lambdas;
    const MatrixXd gram = M.topLeftCorner(rows, rows), E = M.topRightCorner(rows, lambdas);
    const MatrixXd mu_and_minus_E = M.bottomLeftCorner(lambdas, rows) + E.transpose();
    EXPECT_EQ(gram, gram.transpose());
    EXPECT_GE(eigenvalues(gram).minCoeff(), -1e-13 * gram.norm());
    EXPECT_GE(mu_and_minus_E.minCoeff(), 0.0);
    EXPECT_EQ((mu_and_minus_E.array() > 0.0).count(), lambdas);
    EXPECT_EQ(M.bottomRightCorner(lambdas, lambdas).norm(), 0.0);
  }
  EXPECT_GE(seen, 5);
}

// A problem built backwards must be solved by what it was built from, to rounding.
TEST(SolvableLcp, IsSolvedByItsAnswer) {
  Random random(7);
  int degenerate = 0;
  for (const MatrixClass matrix_class : kAll) {
    for (const Index n : {0, 1, 2, 8, 25}) {
      LcpSolution answer;
      const Lcp lcp = solvable_lcp(matrix_class, n, random, &answer);
      ASSERT_TRUE(validate(lcp).has_value());
      ASSERT_EQ(answer.z.size(), n);
      const VectorXd w = lcp.M * answer.z + lcp.q;
      EXPECT_LE((w - answer.w).norm(), 1e-14 * (1.0 + lcp.M.norm() * answer.z.norm()));
      for (Index i = 0; i < n; ++i) {
        EXPECT_GE(answer.z(i), 0.0);
        EXPECT_GE(answer.w(i), 0.0);
        EXPECT_EQ(answer.z(i) * answer.w(i), 0.0);
        if (answer.z(i) == 0.0 && answer.w(i) == 0.0) ++degenerate;
      }
    }
  }
  EXPECT_GE(degenerate, 10);
}

// Scaling changes the numbers, not the problem: the scaled answer solves the scaled problem as well as before.
TEST(BadlyScaled, KeepsAnswerAndClass) {
  Random random(8);
  double smallest = 1.0, largest = 1.0;
  for (const MatrixClass matrix_class : kAll) {
    for (int k = 0; k < 5; ++k) {
      LcpSolution answer;
      const Lcp lcp = solvable_lcp(matrix_class, 8, random, &answer);
      LcpSolution scaled_answer = answer;
      const Lcp scaled = badly_scaled(lcp, matrix_class, random, &scaled_answer);
      const VectorXd error = lcp.M * answer.z + lcp.q - answer.w;
      for (Index i = 0; i < 8; ++i) {
        double sum = 0.0, plain = 0.0, size = 0.0;
        for (Index j = 0; j < 8; ++j) {
          sum += scaled.M(i, j) * scaled_answer.z(j);
          plain += lcp.M(i, j) * answer.z(j);
          size += std::abs(scaled.M(i, j) * scaled_answer.z(j));
        }
        EXPECT_LE(std::abs(sum + scaled.q(i) - scaled_answer.w(i)), 1e-14 * (size + std::abs(scaled.q(i))));
        EXPECT_EQ(scaled_answer.z(i) * scaled_answer.w(i), 0.0);
        if (lcp.q(i) != 0.0) {
          const double factor = scaled.q(i) / lcp.q(i);
          EXPECT_EQ(sum, plain * factor);  // powers of two: no rounding
          smallest = std::min(smallest, factor);
          largest = std::max(largest, factor);
        }
      }
      if (is_symmetric(lcp.M, 0.0)) {
        EXPECT_EQ(scaled.M, scaled.M.transpose());
      }
      EXPECT_LE(error.norm(), 1e-13 * (1.0 + lcp.q.norm()));
    }
  }
  EXPECT_LE(smallest, 1e-5);
  EXPECT_GE(largest, 1e5);
  EXPECT_GE(smallest, 0.9e-6);
  EXPECT_LE(largest, 1.1e6);
}

// The box problems have every kind of bound, a symmetric PSD matrix, and, built backwards, the answer they were built from.
TEST(BoxLcp, HasEveryKindOfBoundAndItsAnswer) {
  Random random(9);
  int free = 0, below = 0, above = 0, both = 0, equal = 0, at_lo = 0, at_hi = 0, inside = 0;
  for (int k = 0; k < 50; ++k) {
    BoxLcpSolution answer;
    const BoxLcp lcp = solvable_box_lcp(10, random, &answer);
    ASSERT_TRUE(validate(lcp).has_value());
    ASSERT_TRUE(validate(random_box_lcp(10, random)).has_value());
    EXPECT_TRUE(is_symmetric(lcp.M, 0.0));
    EXPECT_GE(eigenvalues(lcp.M).minCoeff(), -1e-13 * lcp.M.norm());
    const VectorXd w = lcp.M * answer.z + lcp.q;
    EXPECT_LE((w - answer.w).norm(), 1e-13 * (1.0 + lcp.M.norm() * answer.z.norm()));
    for (Index i = 0; i < 10; ++i) {
      const double z = answer.z(i), lo = lcp.lo(i), hi = lcp.hi(i);
      const bool has_lo = std::isfinite(lo), has_hi = std::isfinite(hi);
      free += !has_lo && !has_hi;
      below += has_lo && !has_hi;
      above += !has_lo && has_hi;
      both += has_lo && has_hi && lo < hi;
      equal += lo == hi;
      at_lo += z == lo;
      at_hi += z == hi;
      inside += z > lo && z < hi;
      EXPECT_LE(lo, z);
      EXPECT_LE(z, hi);
      if (z > lo) {
        EXPECT_LE(answer.w(i), 0.0);
      }
      if (z < hi) {
        EXPECT_GE(answer.w(i), 0.0);
      }
    }
  }
  for (const int count : {free, below, above, both, equal, at_lo, at_hi, inside}) EXPECT_GE(count, 20);
}

// Mixed problems: the free block is definite, the whole is monotone, and the answer solves what was built from it.
TEST(MixedLcp, IsMonotoneAndSolvedByItsAnswer) {
  Random random(10);
  for (int k = 0; k < 20; ++k) {
    const Index free = random.integer(0, 6), complementary = random.integer(0, 8);
    MixedLcpSolution answer;
    const MixedLcp lcp = solvable_mixed_lcp(free, complementary, random, &answer);
    ASSERT_TRUE(validate(lcp).has_value());
    ASSERT_TRUE(validate(random_mixed_lcp(free, complementary, random)).has_value());
    ASSERT_EQ(lcp.free, free);
    ASSERT_EQ(lcp.complementary(), complementary);
    if (lcp.size() > 0) {
      EXPECT_GE(eigenvalues(lcp.M + lcp.M.transpose()).minCoeff(), -1e-12 * lcp.M.norm());
    }
    if (free > 0) {
      EXPECT_GE(eigenvalues(lcp.M.topLeftCorner(free, free)).minCoeff(), 0.04);
    }
    VectorXd x(lcp.size());
    x << answer.u, answer.z;
    VectorXd residual = lcp.M * x + lcp.q;
    residual.tail(complementary) -= answer.w;
    EXPECT_LE(residual.norm(), 1e-14 * (1.0 + lcp.M.norm() * x.norm()));
    EXPECT_EQ(answer.z.cwiseProduct(answer.w).norm(), 0.0);
    if (complementary > 0) {
      EXPECT_GE(answer.z.minCoeff(), 0.0);
      EXPECT_GE(answer.w.minCoeff(), 0.0);
    }
  }
}

// Every QP is valid and feasible: equalities are consistent even when there are more of them than variables.
TEST(RandomQp, IsValidAndFeasible) {
  Random random(11);
  for (int k = 0; k < 20; ++k) {
    const Qp qp = random_qp(6, k % 4, 15, random);
    const Checked valid = validate(qp);
    ASSERT_TRUE(valid.has_value()) << valid.error().text();
    if (qp.E.rows() == 0) continue;
    const VectorXd x = qp.E.fullPivLu().solve(qp.b);
    EXPECT_LE((qp.E * x - qp.b).norm(), 1e-12);
  }
  const Qp qp = random_qp(3, 7, 0, random);
  EXPECT_LE((qp.E * qp.E.fullPivLu().solve(qp.b) - qp.b).norm(), 1e-12);
}

// A seed is a name for a problem: the same bits each time, other bits for another seed.
TEST(GenerateLcp, SameSeedSameBits) {
  for (const MatrixClass matrix_class : kAll) {
    Random a(3), b(3), c(4);
    const Lcp first = random_lcp(matrix_class, 9, a);
    EXPECT_TRUE(validate(first).has_value());
    EXPECT_EQ(first, random_lcp(matrix_class, 9, b));
    EXPECT_FALSE(first == random_lcp(matrix_class, 9, c));
    EXPECT_EQ(solvable_lcp(matrix_class, 9, a), solvable_lcp(matrix_class, 9, b));
    EXPECT_EQ(badly_scaled(first, matrix_class, a), badly_scaled(first, matrix_class, b));
    EXPECT_EQ(solvable_box_lcp(9, a), solvable_box_lcp(9, b));
    EXPECT_EQ(solvable_mixed_lcp(3, 6, a), solvable_mixed_lcp(3, 6, b));
    EXPECT_EQ(random_qp(5, 2, 6, a), random_qp(5, 2, 6, b));
  }
}

// One number pinned down: a change of the generators changes every recorded result and must be noticed.
TEST(GenerateLcp, SequenceIsPinned) {
  Random random(2026);
  const MatrixXd M = random_matrix(MatrixClass::kSpd, 3, random);
  Random plain(2026);
  MatrixXd B(3, 5);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 5; ++j) B(i, j) = -1.0 + 2.0 * (static_cast<double>(plain.bits() >> 11) * 0x1.0p-53);
  }
  double expected = 0.0;
  for (Index j = 0; j < 5; ++j) expected += B(2, j) * B(1, j);
  EXPECT_EQ(M(2, 1), expected);
}

}  // namespace
}  // namespace tribo
