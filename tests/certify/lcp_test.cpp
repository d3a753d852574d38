#include "tribo/certify/certify.hpp"
#include "tribo/core/random.hpp"

#include <cmath>
#include <limits>

#include "certify/certify_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::kInf;
using testing::relative;

// z = (1, 0), w = (0, 1).
Lcp small_lcp() { return {(MatrixXd(2, 2) << 2, 1, 1, 2).finished(), (VectorXd(2) << -2, 0).finished()}; }
LcpSolution small_answer() { return {(VectorXd(2) << 1, 0).finished(), (VectorXd(2) << 0, 1).finished(), {}}; }

// The exact answer has no residual at all.
TEST(CertifyLcp, AcceptsTheAnswer) { EXPECT_EQ(certify(small_lcp(), small_answer()).worst, 0.0); }

// Nothing to satisfy is satisfied.
TEST(CertifyLcp, AcceptsTheEmptyProblem) {
  EXPECT_EQ(certify(Lcp{MatrixXd(0, 0), VectorXd(0)}, LcpSolution{VectorXd(0), VectorXd(0), {}}).worst, 0.0);
}

// z and w exchanged are complementary and non-negative, and yet belong to another q.
TEST(CertifyLcp, RefusesSwappedUnknowns) {
  LcpSolution swapped = small_answer();
  std::swap(swapped.z, swapped.w);
  EXPECT_GT(certify(small_lcp(), swapped).worst, 0.1);
}

// A negative z with w = 0 solves the equations and violates the sign.
TEST(CertifyLcp, RefusesANegativeForce) {
  const Lcp lcp{MatrixXd::Identity(1, 1), VectorXd::Constant(1, 1.0)};
  const Certificate certificate = certify(lcp, {VectorXd::Constant(1, -1.0), VectorXd::Zero(1), {}});
  EXPECT_EQ(relative(certificate, "natural"), 1.0);
  EXPECT_EQ(relative(certificate, "backward"), 0.5);  // ω = |q| + |z| = 2
  EXPECT_EQ(relative(certificate, "consistency"), 0.0);
}

// Both positive: every sign is right and complementarity is not.
TEST(CertifyLcp, RefusesBothPositive) {
  const Lcp lcp{MatrixXd::Identity(1, 1), VectorXd::Constant(1, 1.0)};
  const Certificate certificate = certify(lcp, {VectorXd::Constant(1, 1.0), VectorXd::Constant(1, 2.0), {}});
  EXPECT_EQ(relative(certificate, "natural"), 1.0);
  EXPECT_EQ(relative(certificate, "backward"), 0.5);
}

// A right z with a wrong w: only the comparison with the recomputed w can tell.
TEST(CertifyLcp, RefusesAWrongReportedVelocityByConsistencyAlone) {
  LcpSolution wrong = small_answer();
  wrong.w(0) = 1e-6;
  const Certificate certificate = certify(small_lcp(), wrong);
  EXPECT_EQ(relative(certificate, "natural"), 0.0);
  EXPECT_EQ(relative(certificate, "backward"), 0.0);
  EXPECT_DOUBLE_EQ(relative(certificate, "consistency"), 1e-6 / 4.0);
}

// In small units z = 0 looks fine to the natural residual although w is as negative as it can be.
TEST(CertifyLcp, RefusesZeroForATinyLoadByBackwardAlone) {
  const Lcp lcp{MatrixXd::Identity(1, 1), VectorXd::Constant(1, -1e-12)};
  const Certificate certificate = certify(lcp, {VectorXd::Zero(1), VectorXd::Constant(1, -1e-12), {}});
  EXPECT_LE(relative(certificate, "natural"), 1e-12);
  EXPECT_EQ(relative(certificate, "backward"), 1.0);
  EXPECT_FALSE(certificate.passes(1e-6));
}

// A nearly zero column lets a large z pass as no change of the data; the natural residual still sees z and w.
TEST(CertifyLcp, RefusesAnIdleForceByNaturalAlone) {
  const Lcp lcp{MatrixXd::Constant(1, 1, 1e-30), VectorXd::Constant(1, 1.0)};
  const Certificate certificate = certify(lcp, {VectorXd::Constant(1, 1e3), VectorXd::Constant(1, 1.0), {}});
  EXPECT_LT(relative(certificate, "backward"), 1e-20);
  EXPECT_EQ(relative(certificate, "natural"), 1.0);
}

// A column of zeros: z has no effect whatever it is, and must not pass for free.
TEST(CertifyLcp, RefusesAForceOnAZeroColumn) {
  const Lcp lcp{MatrixXd::Zero(1, 1), VectorXd::Constant(1, 4.0)};
  const Certificate certificate = certify(lcp, {VectorXd::Constant(1, 2.0), VectorXd::Constant(1, 4.0), {}});
  EXPECT_EQ(relative(certificate, "backward"), 0.5);
  EXPECT_EQ(certify(lcp, {VectorXd::Zero(1), VectorXd::Constant(1, 4.0), {}}).worst, 0.0);
}

// A row and column of zeros with q = 0 is satisfied by anything non-negative: 0/0 is nothing.
TEST(CertifyLcp, AcceptsARowOfZeros) {
  Lcp lcp = small_lcp();
  lcp.M.conservativeResizeLike(MatrixXd::Zero(3, 3));
  lcp.q.conservativeResizeLike(VectorXd::Zero(3));
  const LcpSolution answer{(VectorXd(3) << 1, 0, 0).finished(), (VectorXd(3) << 0, 1, 0).finished(), {}};
  EXPECT_EQ(certify(lcp, answer).worst, 0.0);
}

// Any number that is none, and any array of another length, ends the discussion.
TEST(CertifyLcp, RefusesNonsense) {
  LcpSolution nan = small_answer();
  nan.z(1) = std::nan("");
  EXPECT_EQ(certify(small_lcp(), nan).worst, kInf);
  EXPECT_NE(certify(small_lcp(), nan).find("finite"), nullptr);
  LcpSolution infinite = small_answer();
  infinite.w(0) = kInf;
  EXPECT_NE(certify(small_lcp(), infinite).find("finite"), nullptr);
  LcpSolution shorter = small_answer();
  shorter.w.conservativeResize(1);
  EXPECT_EQ(certify(small_lcp(), shorter).worst, kInf);
  EXPECT_NE(certify(small_lcp(), shorter).find("size"), nullptr);
  Lcp broken = small_lcp();
  broken.M(0, 0) = std::nan("");
  EXPECT_EQ(certify(broken, small_answer()).worst, kInf);
}

// Units are a choice of rows and columns: the backward residual of a wrong answer does not depend on it.
TEST(CertifyLcp, BackwardIsFreeOfUnits) {
  Random random(11);
  for (int trial = 0; trial < 50; ++trial) {
    const Index n = random.integer(1, 8);
    Lcp lcp{MatrixXd(n, n), VectorXd(n)};
    LcpSolution answer{VectorXd(n), VectorXd(n), {}};
    for (Index i = 0; i < n * n; ++i) lcp.M(i) = random.normal();
    for (Index i = 0; i < n; ++i) {
      lcp.q(i) = random.normal();
      answer.z(i) = random.normal();
    }
    answer.w = lcp.M * answer.z + lcp.q;
    Lcp scaled = lcp;
    LcpSolution scaled_answer = answer;
    for (Index i = 0; i < n; ++i) {
      const double row = std::pow(10.0, static_cast<double>(random.integer(-6, 6)));
      const double column = std::pow(10.0, static_cast<double>(random.integer(-6, 6)));
      scaled.M.row(i) *= row;
      scaled.q(i) *= row;
      scaled.M.col(i) *= column;
      scaled_answer.z(i) /= column;
      scaled_answer.w(i) *= row;
    }
    const double before = relative(certify(lcp, answer), "backward");
    const double after = relative(certify(scaled, scaled_answer), "backward");
    EXPECT_GT(before, 1e-6);
    EXPECT_NEAR(after, before, 1e-12 * before);
  }
}

// u = 2, z = (1, 0): row 0: u − 2 z1 = 0, row 1: w1 = u − 2 = 0, row 2: w2 = 1.
MixedLcp small_mixed() {
  return {(MatrixXd(3, 3) << 1, -2, 0, 1, 0, 0, 0, 0, 1).finished(), (VectorXd(3) << 0, -2, 1).finished(), 1};
}
MixedLcpSolution small_mixed_answer() {
  return {VectorXd::Constant(1, 2.0), (VectorXd(2) << 1, 0).finished(), (VectorXd(2) << 0, 1).finished(), {}};
}

// The free unknown may have any sign; its row must vanish.
TEST(CertifyMixedLcp, AcceptsTheAnswerAndItsMirror) {
  EXPECT_EQ(certify(small_mixed(), small_mixed_answer()).worst, 0.0);
  MixedLcp mirrored = small_mixed();
  mirrored.M.col(0) *= -1.0;
  MixedLcpSolution answer = small_mixed_answer();
  answer.u(0) = -2.0;
  EXPECT_EQ(certify(mirrored, answer).worst, 0.0);
}

// The complementarity part alone is right when z is off and w does not depend on it.
TEST(CertifyMixedLcp, RefusesABrokenEquality) {
  MixedLcpSolution wrong = small_mixed_answer();
  wrong.z(0) = 1.5;
  const Certificate certificate = certify(small_mixed(), wrong);
  EXPECT_EQ(relative(certificate, "natural"), 0.0);
  EXPECT_EQ(relative(certificate, "consistency"), 0.0);
  EXPECT_EQ(relative(certificate, "equality"), 0.5);
  EXPECT_EQ(relative(certificate, "backward"), 0.2);
}

// Each part has its length; a negative count of free rows is no problem at all.
TEST(CertifyMixedLcp, RefusesWrongSizes) {
  MixedLcpSolution wrong = small_mixed_answer();
  wrong.u.resize(0);
  EXPECT_NE(certify(small_mixed(), wrong).find("size"), nullptr);
  MixedLcp broken = small_mixed();
  broken.free = -1;
  EXPECT_NE(certify(broken, small_mixed_answer()).find("size"), nullptr);
}

// One index at its lower bound, one inside, one at its upper bound, one without bounds, one with equal
// bounds.
BoxLcp small_box() {
  BoxLcp box{MatrixXd::Identity(5, 5), VectorXd(5), VectorXd(5), VectorXd(5)};
  box.q << 3.0, -0.5, -4.0, 7.0, 9.0;
  box.lo << -1.0, -1.0, -1.0, -kInf, 2.0;
  box.hi << 1.0, 1.0, 1.0, kInf, 2.0;
  return box;
}
BoxLcpSolution small_box_answer() {
  return {(VectorXd(5) << -1, 0.5, 1, -7, 2).finished(), (VectorXd(5) << 2, 0, -3, 0, 11).finished(), {}};
}

// All five states at once.
TEST(CertifyBoxLcp, AcceptsEveryState) { EXPECT_EQ(certify(small_box(), small_box_answer()).worst, 0.0); }

// At each index in turn the answer is moved a little, with w recomputed: each must be noticed by both
// measures.
TEST(CertifyBoxLcp, RefusesEveryStateMoved) {
  for (Index i = 0; i < 5; ++i) {
    for (const double step : {1e-3, -1e-3}) {
      BoxLcpSolution moved = small_box_answer();
      moved.z(i) += step;
      moved.w(i) += step;
      const Certificate certificate = certify(small_box(), moved);
      EXPECT_GT(relative(certificate, "natural"), 1e-5) << "index " << i;
      EXPECT_GT(relative(certificate, "backward"), 1e-5) << "index " << i;
      EXPECT_LT(relative(certificate, "consistency"), 1e-15) << "index " << i;
    }
  }
}

// At the lower bound w pushes outward only if it is negative, at the upper only if positive: swapped bounds
// are wrong.
TEST(CertifyBoxLcp, RefusesTheWrongBound) {
  BoxLcpSolution wrong = small_box_answer();
  wrong.z(0) = 1.0;
  wrong.w(0) = 4.0;
  EXPECT_GT(certify(small_box(), wrong).worst, 0.1);
}

// With bounds 0 and ∞ a box problem is an Lcp and must be judged as one.
TEST(CertifyBoxLcp, AgreesWithTheLcp) {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const Index n = random.integer(1, 6);
    Lcp lcp{MatrixXd(n, n), VectorXd(n)};
    VectorXd z(n);
    for (Index i = 0; i < n * n; ++i) lcp.M(i) = random.normal();
    for (Index i = 0; i < n; ++i) {
      lcp.q(i) = random.normal();
      z(i) = random.chance(0.3) ? 0.0 : random.normal();
    }
    const VectorXd w = lcp.M * z + lcp.q;
    const Certificate as_lcp = certify(lcp, {z, w, {}});
    const BoxLcp box{lcp.M, lcp.q, VectorXd::Zero(n), VectorXd::Constant(n, kInf)};
    const Certificate as_box = certify(box, {z, w, {}});
    EXPECT_EQ(as_lcp.worst, as_box.worst);
    double natural = 0.0;  // the textbook formula, for comparison
    for (Index i = 0; i < n; ++i) natural = std::max(natural, std::abs(std::min(z(i), w(i))));
    EXPECT_NEAR(relative(as_lcp, "natural"), natural / std::max(1.0, lcp.q.cwiseAbs().maxCoeff()), 1e-13);
  }
}

}  // namespace
}  // namespace tribo
