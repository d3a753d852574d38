#include "tribo/certify/infeasibility.hpp"
#include "tribo/core/random.hpp"

#include <cmath>
#include <limits>

#include "certify/certify_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::kInf;
using testing::vec;

Evidence farkas(const VectorXd& y) {
  Evidence evidence;
  evidence.kind = Evidence::Kind::kFarkas;
  evidence.y = y;
  return evidence;
}

// Opposing walls that both ask for room: z1 − z2 ≥ 1 and z2 − z1 ≥ 1.
Lcp jam() { return {(MatrixXd(2, 2) << 1, -1, -1, 1).finished(), vec({-1, -1})}; }

// The sum of the rows reads 0 ≥ 2.
TEST(CertifyFarkas, AcceptsTheProof) {
  EXPECT_EQ(certify_infeasible(jam(), farkas(vec({1, 1}))).verdict, Verdict::kInfeasible);
}

// Nothing claimed, nothing proved.
TEST(CertifyFarkas, RejectsNothing) {
  EXPECT_EQ(certify_infeasible(jam(), Evidence{}).verdict, Verdict::kRejected);
  EXPECT_EQ(certify_infeasible(jam(), farkas(vec({0, 0}))).verdict, Verdict::kRejected);
  EXPECT_EQ(certify_infeasible(jam(), farkas(vec({1}))).verdict, Verdict::kRejected);
  EXPECT_EQ(certify_infeasible(jam(), farkas(vec({1, std::nan("")}))).verdict, Verdict::kRejected);
}

// A combination that does not cancel, and one of the wrong sign.
TEST(CertifyFarkas, RejectsAlmostTheProof) {
  EXPECT_EQ(certify_infeasible(jam(), farkas(vec({1, 1 + 1e-9}))).verdict, Verdict::kRejected);
  EXPECT_EQ(certify_infeasible(jam(), farkas(vec({-1, -1}))).verdict, Verdict::kRejected);
}

// Walls that leave exactly the room needed: 0 ≥ 0 is no contradiction.
TEST(CertifyFarkas, RejectsAMarginOfZero) {
  Lcp touching = jam();
  touching.q << -1, 1;
  EXPECT_EQ(certify_infeasible(touching, farkas(vec({1, 1}))).verdict, Verdict::kRejected);
}

// Walls at an angle of 1e-9 have an answer, with forces of 1e9: the proof must not be rounded into being.
TEST(CertifyFarkas, RejectsTheProofForANearJam) {
  Lcp near = jam();
  near.M(1, 0) += 1e-9;
  EXPECT_EQ(certify_infeasible(near, farkas(vec({1, 1}))).verdict, Verdict::kRejected);
}

// y of a scaled problem is scaled; acceptance and rejection are not.
TEST(CertifyFarkas, IsFreeOfUnits) {
  for (const double row : {1e-8, 1.0, 1e6}) {
    for (const double column : {1e-5, 1e9}) {
      Lcp scaled = jam();
      scaled.M.row(0) *= row;
      scaled.q(0) *= row;
      scaled.M.col(1) *= column;
      EXPECT_EQ(certify_infeasible(scaled, farkas(vec({1 / row, 1}))).verdict, Verdict::kInfeasible);
      EXPECT_EQ(certify_infeasible(scaled, farkas(vec({1 / row, 1 + 1e-9}))).verdict, Verdict::kRejected);
    }
  }
}

// Problems built with an answer: no vector may be accepted as a proof that there is none.
TEST(CertifyFarkas, NeverProvesAgainstAKnownAnswer) {
  Random random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const Index n = random.integer(1, 4);
    Lcp lcp{MatrixXd(n, n), VectorXd(n)};
    VectorXd z(n), w(n), y(n);
    for (Index i = 0; i < n * n; ++i) lcp.M(i) = static_cast<double>(random.integer(-2, 2));
    for (Index i = 0; i < n; ++i) {
      const bool force = random.chance(0.5);
      z(i) = force ? static_cast<double>(random.integer(0, 3)) : 0.0;
      w(i) = force ? 0.0 : static_cast<double>(random.integer(0, 3));
      y(i) = static_cast<double>(random.integer(0, 2));
    }
    lcp.q = w - lcp.M * z;
    EXPECT_EQ(certify_infeasible(lcp, farkas(y)).verdict, Verdict::kRejected);
  }
}

// An equality row may be used with either sign, and its unknown must drop out exactly.
TEST(CertifyFarkas, UsesEqualityRowsWithEitherSign) {
  // u − z = 0 and w = −u − 1: only u = z ≥ 0, so w < 0.
  const MixedLcp mixed{(MatrixXd(2, 2) << 1, -1, -1, 0).finished(), vec({0, -1}), 1};
  EXPECT_EQ(certify_infeasible(mixed, farkas(vec({1, 1}))).verdict, Verdict::kInfeasible);
  EXPECT_EQ(certify_infeasible(mixed, farkas(vec({0.5, 1}))).verdict, Verdict::kRejected);
  MixedLcp mirrored = mixed;
  mirrored.M.row(0) *= -1.0;
  EXPECT_EQ(certify_infeasible(mirrored, farkas(vec({-1, 1}))).verdict, Verdict::kInfeasible);
  EXPECT_EQ(certify_infeasible(Lcp{mirrored.M, mirrored.q}, farkas(vec({-1, 1}))).verdict, Verdict::kRejected);
}

// A load that nothing resists: ½zᵀMz + qᵀz falls for ever along y, unless a bound stops it.
TEST(CertifyFarkas, FollowsTheBox) {
  BoxLcp box{MatrixXd::Zero(1, 1), vec({-1}), vec({0}), vec({kInf})};
  EXPECT_EQ(certify_infeasible(box, farkas(vec({1}))).verdict, Verdict::kInfeasible);
  EXPECT_EQ(certify_infeasible(box, farkas(vec({-1}))).verdict, Verdict::kRejected);
  box.hi(0) = 5.0;
  EXPECT_EQ(certify_infeasible(box, farkas(vec({1}))).verdict, Verdict::kRejected);
  box.lo(0) = -kInf;
  box.q(0) = 1.0;
  EXPECT_EQ(certify_infeasible(box, farkas(vec({-1}))).verdict, Verdict::kInfeasible);
  box.M(0, 0) = 1.0;
  EXPECT_EQ(certify_infeasible(box, farkas(vec({-1}))).verdict, Verdict::kRejected);
}

// w1 = z2/4 − 1 with z2 ≤ hi: bounded help counts with its largest value.
TEST(CertifyFarkas, CountsWhatFiniteBoundsCanGive) {
  BoxLcp box{(MatrixXd(2, 2) << 0, 0.25, 0, 1).finished(), vec({-1, 0}), vec({0, 0}), vec({kInf, 2})};
  EXPECT_EQ(certify_infeasible(box, farkas(vec({1, 0}))).verdict, Verdict::kInfeasible);
  box.hi(1) = 8.0;
  EXPECT_EQ(certify_infeasible(box, farkas(vec({1, 0}))).verdict, Verdict::kRejected);
}

// Whitened opposing rows; the spec's thresholds. An angle of 1e-6 is an answer at 1e6 times the speed.
TEST(CertifyFarkas, ChecksFactoredRows) {
  FactoredLcp lcp{(MatrixXd(2, 2) << 1, 0, -1, 0).finished(), vec({-1, -1}), vec({1, 1}), 1.0};
  EXPECT_EQ(certify_infeasible(lcp, farkas(vec({1, 1}))).verdict, Verdict::kInfeasible);
  EXPECT_EQ(certify_infeasible(lcp, farkas(vec({1, -1}))).verdict, Verdict::kRejected);
  EXPECT_EQ(certify_infeasible(lcp, farkas(vec({0, 0}))).verdict, Verdict::kRejected);
  FactoredLcp tilted = lcp;
  tilted.G(1, 1) = 1e-6;
  EXPECT_EQ(certify_infeasible(tilted, farkas(vec({1, 1}))).verdict, Verdict::kRejected);
  FactoredLcp slack = lcp;
  slack.q << -1, 1 - 1e-9;
  EXPECT_EQ(certify_infeasible(slack, farkas(vec({1, 1}))).verdict, Verdict::kRejected);
}

}  // namespace
}  // namespace tribo
