#include "tribo/problem/lcp.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/problem/solution.hpp"

#include <limits>

#include "problem/problem_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::kInf;

Lcp sample_lcp() { return {MatrixXd{{2.0, -1.0}, {0.5, 3.0}}, VectorXd{{-1.0, 4.0}}}; }

// An LCP is a mixed problem without free rows.
TEST(Lcp, AsMixedHasNoFreeRows) {
  const MixedLcp mixed = as_mixed(sample_lcp());
  EXPECT_EQ(mixed.M, sample_lcp().M);
  EXPECT_EQ(mixed.q, sample_lcp().q);
  EXPECT_EQ(mixed.free, 0);
  EXPECT_EQ(mixed.complementary(), 2);
}

// An LCP is a box problem with bounds 0 and ∞.
TEST(Lcp, AsBoxHasBoundsZeroAndInfinity) {
  const BoxLcp box = as_box(sample_lcp());
  EXPECT_EQ(box.M, sample_lcp().M);
  EXPECT_EQ(box.q, sample_lcp().q);
  EXPECT_EQ(box.lo, (VectorXd{{0.0, 0.0}}));
  EXPECT_EQ(box.hi, (VectorXd{{kInf, kInf}}));
}

// Free rows of a mixed problem are equalities: no bounds at all.
TEST(MixedLcp, AsBoxFreesTheFirstRows) {
  const BoxLcp box = as_box(MixedLcp{sample_lcp().M, sample_lcp().q, 1});
  EXPECT_EQ(box.lo, (VectorXd{{-kInf, 0.0}}));
  EXPECT_EQ(box.hi, (VectorXd{{kInf, kInf}}));
}

// Solvers compare M with its transpose: the Gram matrix must be symmetric to the last bit.
TEST(FactoredLcp, AsLcpFormsAnExactlySymmetricGramMatrix) {
  const MatrixXd G{{0.1, 0.2, 0.7}, {1.0 / 3.0, -0.4, 0.9}, {-2.0, 0.3, 0.6}};
  const Lcp lcp = as_lcp(make_factored(G, VectorXd::Ones(3)));
  EXPECT_LE((lcp.M - G * G.transpose()).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(lcp.M, lcp.M.transpose());
  EXPECT_TRUE(is_symmetric(lcp.M, 0.0));
}

// The scales follow from G and q: each row's norm, and the speed that a row alone would need. A row of zeros
// needs none.
TEST(FactoredLcp, MakeFactoredTakesScalesFromTheData) {
  const FactoredLcp lcp = make_factored(MatrixXd{{3.0, 4.0}, {0.0, 0.0}}, VectorXd{{-10.0, 7.0}});
  EXPECT_DOUBLE_EQ(lcp.row_norm(0), 5.0);
  EXPECT_EQ(lcp.row_norm(1), 0.0);
  EXPECT_DOUBLE_EQ(lcp.speed, 2.0);
  EXPECT_THROW(make_factored(MatrixXd::Zero(2, 2), VectorXd::Zero(3)), ContractError);
}

// The tolerance is relative to the largest entry.
TEST(IsSymmetric, ComparesWithTheLargestEntry) {
  MatrixXd M{{1e6, 1.0}, {1.0 + 5e-7, 1.0}};
  EXPECT_TRUE(is_symmetric(M, 1e-12));
  M(1, 0) = 1.0 + 5e-6;
  EXPECT_FALSE(is_symmetric(M, 1e-12));
  EXPECT_FALSE(is_symmetric(MatrixXd::Zero(2, 3)));
  EXPECT_TRUE(is_symmetric(MatrixXd(0, 0)));
}

// A solver's second run must not show the evidence of its first.
TEST(Evidence, ClearForgetsEverything) {
  Evidence evidence;
  evidence.kind = Evidence::Kind::kRay;
  evidence.y = evidence.z = evidence.dz = evidence.u = evidence.du = evidence.cover = VectorXd::Ones(2);
  evidence.z0 = evidence.dz0 = 1.0;
  evidence.pattern = {"zw"};
  evidence.separators = MatrixXd::Ones(2, 1);
  evidence.clear();
  EXPECT_EQ(evidence.kind, Evidence::Kind::kNone);
  for (const VectorXd* x : {&evidence.y, &evidence.z, &evidence.dz, &evidence.u, &evidence.du, &evidence.cover}) {
    EXPECT_EQ(x->size(), 0);
  }
  EXPECT_EQ(evidence.z0, 0.0);
  EXPECT_EQ(evidence.dz0, 0.0);
  EXPECT_TRUE(evidence.pattern.empty());
  EXPECT_EQ(evidence.separators.size(), 0);
}

}  // namespace
}  // namespace tribo
