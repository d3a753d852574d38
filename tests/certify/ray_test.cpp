#include "tribo/certify/infeasibility.hpp"

#include "certify/certify_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::vec;

// Row 0 starts the path; its own column lets z0 grow for ever. And yet z = (0, 1) is an answer.
Lcp rayed() { return {(MatrixXd(2, 2) << -1, 3, 0, 1).finished(), vec({-2, -1})}; }
Evidence ray() {
  Evidence evidence;
  evidence.kind = Evidence::Kind::kRay;
  evidence.cover = vec({1, 1});
  evidence.z = vec({0, 0});
  evidence.z0 = 2.0;
  evidence.dz = vec({1, 0});
  evidence.dz0 = 1.0;
  return evidence;
}

// A genuine ray of a solvable problem proves that the path ended and no more.
TEST(CertifyRay, DoesNotTakeARayForInfeasibility) {
  EXPECT_EQ(certify_infeasible(rayed(), ray()).verdict, Verdict::kRay);
}

// With w0 = −z0 − 2 out of reach, the same ray is also a Farkas proof.
TEST(CertifyRay, ProvesInfeasibilityWhereTheDirectionDoes) {
  Lcp lcp = rayed();
  lcp.M(0, 1) = 0.0;
  EXPECT_EQ(certify_infeasible(lcp, ray()).verdict, Verdict::kInfeasible);
}

// Each condition of the ray is broken in turn.
TEST(CertifyRay, RejectsWhatIsNoRay) {
  const auto verdict = [](const Evidence& evidence) { return certify_infeasible(rayed(), evidence).verdict; };
  Evidence primary = ray();
  primary.dz.setZero();
  EXPECT_EQ(verdict(primary), Verdict::kRejected);
  Evidence negative_direction = ray();
  negative_direction.dz << -1, 0;
  EXPECT_EQ(verdict(negative_direction), Verdict::kRejected);
  Evidence below = ray();
  below.z0 = 1.9;  // w0 < 0 at the base
  EXPECT_EQ(verdict(below), Verdict::kRejected);
  Evidence above = ray();
  above.z0 = 2.1;  // w0 > 0 where dz0 > 0
  EXPECT_EQ(verdict(above), Verdict::kRejected);
  Evidence steep = ray();
  steep.dz0 = 1.0 + 1e-6;  // dw0 > 0 where dz0 > 0
  EXPECT_EQ(verdict(steep), Verdict::kRejected);
  Evidence both = ray();
  both.z << 0, 1;  // w1 > 0 where z1 > 0
  EXPECT_EQ(verdict(both), Verdict::kRejected);
  Evidence uncovered = ray();
  uncovered.cover << 1, -1;
  EXPECT_EQ(verdict(uncovered), Verdict::kRejected);
  Evidence shorter = ray();
  shorter.cover.resize(1);
  EXPECT_EQ(verdict(shorter), Verdict::kRejected);
  Lcp falling = rayed();
  falling.M(1, 0) = -2.0;  // dw1 < 0 along the ray
  EXPECT_EQ(certify_infeasible(falling, ray()).verdict, Verdict::kRejected);
}

// Where the artificial variable is zero the base point is an answer, the opposite of a proof.
TEST(CertifyRay, RejectsABasePointThatIsAnAnswer) {
  const Lcp lcp{MatrixXd::Zero(1, 1), vec({0})};
  Evidence evidence;
  evidence.kind = Evidence::Kind::kRay;
  evidence.cover = vec({1});
  evidence.z = vec({0});
  evidence.dz = vec({1});
  EXPECT_EQ(certify_infeasible(lcp, evidence).verdict, Verdict::kRejected);
}

// The same ray behind a free unknown u that copies z0: u − z0 = 0 must hold at the base and along the ray.
TEST(CertifyRay, FollowsFreeUnknowns) {
  MixedLcp mixed{MatrixXd::Zero(3, 3), vec({0, -2, -1}), 1};
  mixed.M << 1, -1, 0, -1, 0, 3, 0, 0, 1;
  Evidence evidence = ray();
  evidence.u = vec({0});
  evidence.du = vec({1});
  EXPECT_EQ(certify_infeasible(mixed, evidence).verdict, Verdict::kRay);
  evidence.du = vec({1 + 1e-6});
  EXPECT_EQ(certify_infeasible(mixed, evidence).verdict, Verdict::kRejected);
}

}  // namespace
}  // namespace tribo
