// The one-call interface on plain complementarity problems and QPs.
#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/problem/generate.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

// A strictly convex QP that is feasible has one answer; every solver that takes QPs must find it.
TEST(SolveQp, FindsTheAnswerOfFeasibleQps) {
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    const Index n = random.integer(1, 12), equalities = random.integer(0, std::min<Index>(3, n - 1));
    const Qp qp = random_qp(n, equalities, random.integer(0, 20), random);
    const QpAnswer answer = solve(qp), other = solve(qp, {.solver = "ppm"});
    ASSERT_EQ(answer.status, Status::kSolved) << k << ": " << answer.report.detail;
    EXPECT_LE(answer.certificate.worst, 1e-9) << k;
    ASSERT_EQ(other.status, Status::kSolved) << k;
    EXPECT_LT((answer.solution.x - other.solution.x).norm(), 1e-7 * (1.0 + answer.solution.x.norm())) << k;
  }
}

// x ≥ 1 and −x ≥ 0 cannot both hold; neither can x = 1 and 2x = 3. Both end in a proof.
TEST(SolveQp, ProvesInfeasibility) {
  Qp qp;
  qp.H = MatrixXd::Identity(2, 2);
  qp.g = VectorXd::Zero(2);
  qp.E = MatrixXd(0, 2);
  qp.b = VectorXd(0);
  qp.G = MatrixXd::Zero(2, 2);
  qp.G(0, 0) = 1.0;
  qp.G(1, 0) = -1.0;
  qp.d = Eigen::Vector2d(1.0, 0.0);
  const QpAnswer rows = solve(qp);
  EXPECT_EQ(rows.status, Status::kInfeasible);
  EXPECT_EQ(rows.infeasibility.verdict, Verdict::kInfeasible);
  qp.d(0) = -1.0;
  EXPECT_EQ(solve(qp).status, Status::kSolved);
  qp.E = MatrixXd::Zero(2, 2);
  qp.E(0, 0) = 1.0;
  qp.E(1, 0) = 2.0;
  qp.b = Eigen::Vector2d(1.0, 3.0);
  const QpAnswer equalities = solve(qp);
  EXPECT_EQ(equalities.status, Status::kInfeasible);
  EXPECT_EQ(equalities.infeasibility.verdict, Verdict::kInfeasible);
}

// Boxes with any matrix: what the symmetric solvers refuse goes through Lemke's method.
TEST(SolveBox, TakesMatricesThatAreNotSymmetric) {
  Random random(5);
  for (int k = 0; k < 60; ++k) {
    BoxLcp lcp = solvable_box_lcp(random.integer(1, 8), random);
    lcp.M = random_matrix(MatrixClass::kP, lcp.size(), random);  // P: an answer exists for every q and every box
    const BoxLcpAnswer answer = solve(lcp);
    ASSERT_EQ(answer.status, Status::kSolved) << k << ": " << answer.report.detail;
    EXPECT_LE(answer.certificate.worst, 1e-9) << k;
    if (!is_symmetric(lcp.M)) {
      EXPECT_FALSE(check_solver(lcp, "dantzig").has_value());
      EXPECT_THROW(static_cast<void>(solve(lcp, {.solver = "dantzig"})), ContractError);
    }
  }
}

// Copositive problems may end Lemke's path in a ray although an answer exists: the chain goes on until it has one.
TEST(SolveLcp, GoesOnAfterARay) {
  Random random(7);
  int after_a_ray = 0;
  for (int k = 0; k < 150; ++k) {
    const Lcp lcp = solvable_lcp(MatrixClass::kCopositive, random.integer(2, 9), random);
    const LcpAnswer answer = solve(lcp);
    EXPECT_EQ(answer.status, Status::kSolved) << k << ": " << answer.report.detail;
    after_a_ray += answer.history.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(after_a_ray, 0);
}

// A problem given with fixed indices (lo = hi) and no symmetry: found by a hostile test.
TEST(SolveBox, TakesFixedIndices) {
  BoxLcp lcp;
  lcp.M.resize(4, 4);
  lcp.M << 1, -2, 0, -1, 0, 2, 2, 0, -1, 2, 0, -1, 0, 1, 1, -1;
  lcp.q = Eigen::Vector4d(2, -2, -1, -3);
  const double inf = std::numeric_limits<double>::infinity();
  lcp.lo = Eigen::Vector4d(-1, -inf, -inf, 0);
  lcp.hi = Eigen::Vector4d(-1, 1, inf, 0);
  const BoxLcpAnswer answer = solve(lcp);
  EXPECT_EQ(answer.status, Status::kSolved) << answer.report.detail;
}

// Another part of the problem is no excuse: z_2 = 0 is all wrong, however small it is beside z_1.
TEST(SolveLcp, JudgesEveryPartOnItsOwnScale) {
  const Lcp lcp{MatrixXd::Identity(2, 2), Eigen::Vector2d(-1e6, -1e-8)};
  const Certificate wrong = certify(lcp, {Eigen::Vector2d(1e6, 0.0), Eigen::Vector2d(0.0, -1e-8), {}});
  EXPECT_GT(wrong.worst, 0.1);
  for (const char* solver : {"auto", "pgs", "pgs-sm", "dantzig", "ppm", "dual-active-set"}) {
    const LcpAnswer answer = solve(lcp, {.solver = solver});
    if (answer.status == Status::kSolved) {
      EXPECT_NEAR(answer.solution.z(1), 1e-8, 1e-15) << solver;
    }
  }
}

TEST(SolveLcp, RefusesTolerancesThatMeanNothing) {
  const Lcp lcp{MatrixXd::Identity(2, 2), VectorXd::Constant(2, -1.0)};
  for (const double bad : {0.0, -1.0, 1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(static_cast<void>(solve(lcp, {.tolerance = bad})), ContractError) << bad;
  }
}

TEST(SolveLcp, RefusesBadDataAndUnknownSolvers) {
  Lcp lcp{MatrixXd::Identity(2, 2), VectorXd::Ones(3)};
  EXPECT_THROW(static_cast<void>(solve(lcp)), ContractError);
  lcp.q = VectorXd::Constant(2, std::nan(""));
  EXPECT_THROW(static_cast<void>(solve(lcp)), ContractError);
  lcp.q.setOnes();
  EXPECT_THROW(static_cast<void>(solve(lcp, {.solver = "magic"})), ContractError);
  EXPECT_NE(check_solver(lcp, "magic").error().text().find("lemke/standard"), std::string::npos);
}

}  // namespace
}  // namespace tribo
