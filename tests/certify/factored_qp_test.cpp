#include "tribo/certify/certify.hpp"

#include <cmath>
#include <limits>

#include "certify/certify_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::kInf;
using testing::relative;

// Two walls at a right angle, speed 1: z = (2, 0), t = (2, 0), w = (0, 3).
FactoredLcp small_factored() {
  return {MatrixXd::Identity(2, 2), (VectorXd(2) << -2, 3).finished(), VectorXd::Ones(2), 3.0};
}
LcpSolution small_factored_answer() { return {(VectorXd(2) << 2, 0).finished(), (VectorXd(2) << 0, 3).finished(), {}}; }

// The exact answer has no residual.
TEST(CertifyFactoredLcp, AcceptsTheAnswer) { EXPECT_EQ(certify(small_factored(), small_factored_answer()).worst, 0.0); }

// A force of the wrong sign, a force too large, and a wrong report.
TEST(CertifyFactoredLcp, RefusesWrongAnswers) {
  LcpSolution pulling = small_factored_answer();
  pulling.z(1) = -3.0;
  pulling.w(1) = 0.0;
  EXPECT_EQ(relative(certify(small_factored(), pulling), "natural"), 1.0);
  LcpSolution strong = small_factored_answer();
  strong.z(0) = 2.3;
  strong.w(0) = 0.3;
  EXPECT_NEAR(relative(certify(small_factored(), strong), "natural"), 0.1, 1e-15);
  LcpSolution reported = small_factored_answer();
  reported.w(0) = 3e-6;
  EXPECT_EQ(relative(certify(small_factored(), reported), "natural"), 0.0);
  EXPECT_DOUBLE_EQ(relative(certify(small_factored(), reported), "consistency"), 1e-6);
}

// Opposing rows with forces of 1e8 that cancel: products formed in double precision would be off by 1e-8.
TEST(CertifyFactoredLcp, SeesThroughLargeInternalForces) {
  const double e = 0x1p-20;
  FactoredLcp jam{(MatrixXd(2, 1) << 1, -1).finished(), (VectorXd(2) << -e, e).finished(), VectorXd::Ones(2), 1.0};
  const LcpSolution answer{(VectorXd(2) << 1e8 + e, 1e8).finished(), VectorXd::Zero(2), {}};
  EXPECT_EQ(certify(jam, answer).worst, 0.0);
}

// Lengths in millimetres or masses in tons change G, q, z and w and not the certificate.
TEST(CertifyFactoredLcp, IsFreeOfUnits) {
  LcpSolution wrong = small_factored_answer();
  wrong.z(0) = 2.3;
  wrong.w(0) = 0.3;
  FactoredLcp scaled = small_factored();
  LcpSolution scaled_wrong = wrong;
  const double row = 1e-4, speed = 1e6;  // G ← row G, t ← speed t
  scaled.G *= row;
  scaled.row_norm *= row;
  scaled.q *= row * speed;
  scaled.speed *= speed;
  scaled_wrong.z *= speed / row;
  scaled_wrong.w *= row * speed;
  EXPECT_NEAR(certify(scaled, scaled_wrong).worst, certify(small_factored(), wrong).worst, 1e-15);
}

// A row of norm zero is a constant: satisfied when non-negative and unloaded, hopeless when negative.
TEST(CertifyFactoredLcp, JudgesRowsThatMoveNothing) {
  FactoredLcp lcp{MatrixXd::Zero(1, 2), VectorXd::Constant(1, 2.0), VectorXd::Zero(1), 1.0};
  EXPECT_EQ(certify(lcp, {VectorXd::Zero(1), VectorXd::Constant(1, 2.0), {}}).worst, 0.0);
  EXPECT_EQ(certify(lcp, {VectorXd::Constant(1, 1.0), VectorXd::Constant(1, 2.0), {}}).worst, 0.5);
  lcp.q(0) = -1e-20;
  EXPECT_EQ(certify(lcp, {VectorXd::Zero(1), VectorXd::Constant(1, -1e-20), {}}).worst, kInf);
}

// Sizes and finite numbers come first.
TEST(CertifyFactoredLcp, RefusesNonsense) {
  EXPECT_NE(certify(small_factored(), {VectorXd::Zero(3), VectorXd::Zero(2), {}}).find("size"), nullptr);
  EXPECT_NE(certify(small_factored(), {VectorXd::Constant(2, kInf), VectorXd::Zero(2), {}}).find("finite"), nullptr);
}

// min ½(x² + 4y²) − x  subject to  x + y = 2, x ≤ 1 (as −x ≥ −1):  x = 1, y = 1, nu = 4, lambda = 4.
Qp small_qp() {
  Qp qp;
  qp.H = (MatrixXd(2, 2) << 1, 0, 0, 4).finished();
  qp.g = (VectorXd(2) << -1, 0).finished();
  qp.E = (MatrixXd(1, 2) << 1, 1).finished();
  qp.b = VectorXd::Constant(1, 2.0);
  qp.G = (MatrixXd(1, 2) << -1, 0).finished();
  qp.d = VectorXd::Constant(1, -1.0);
  return qp;
}
QpSolution small_qp_answer() { return {VectorXd::Ones(2), VectorXd::Constant(1, 4.0), VectorXd::Constant(1, 4.0), {}}; }

// H x + g = (0, 4) = nu (1, 1) + lambda (−1, 0).
TEST(CertifyQp, AcceptsTheAnswer) { EXPECT_EQ(certify(small_qp(), small_qp_answer()).worst, 0.0); }

// A multiplier off by a little moves nothing but the balance of forces.
TEST(CertifyQp, RefusesWrongMultipliersByStationarityAlone) {
  QpSolution wrong = small_qp_answer();
  wrong.lambda(0) += 1e-6;
  const Certificate certificate = certify(small_qp(), wrong);
  EXPECT_GT(relative(certificate, "stationarity"), 1e-8);
  for (const char* name : {"primal equality", "primal inequality", "dual sign", "complementarity"}) {
    EXPECT_EQ(relative(certificate, name), 0.0) << name;
  }
}

// x = (0.9, 1.1) with matching nu and lambda misses nothing but complementarity: the bound is not touched.
TEST(CertifyQp, RefusesAForceAtADistanceByComplementarityAlone) {
  QpSolution wrong;
  wrong.x = (VectorXd(2) << 0.875, 1.125).finished();
  wrong.nu = VectorXd::Constant(1, 4.5);
  wrong.lambda = VectorXd::Constant(1, 4.5 + 0.125);
  const Certificate certificate = certify(small_qp(), wrong);
  EXPECT_GT(relative(certificate, "complementarity"), 1e-3);
  for (const char* name : {"stationarity", "primal equality", "primal inequality", "dual sign"}) {
    EXPECT_EQ(relative(certificate, name), 0.0) << name;
  }
}

// Beyond the bound with a positive multiplier.
TEST(CertifyQp, RefusesAPointOutsideByInequalityAlone) {
  QpSolution wrong;
  wrong.x = (VectorXd(2) << 1.125, 0.875).finished();
  wrong.nu = VectorXd::Constant(1, 3.5);
  wrong.lambda = VectorXd::Constant(1, 3.5 - 0.125);
  const Certificate certificate = certify(small_qp(), wrong);
  EXPECT_GT(relative(certificate, "primal inequality"), 1e-3);
  for (const char* name : {"stationarity", "primal equality", "dual sign", "complementarity"}) {
    EXPECT_EQ(relative(certificate, name), 0.0) << name;
  }
}

// With the constraint x ≥ 1 instead, the same point needs a multiplier of the wrong sign.
TEST(CertifyQp, RefusesAPullByDualSignAlone) {
  Qp qp = small_qp();
  qp.G *= -1.0;
  qp.d *= -1.0;
  QpSolution wrong = small_qp_answer();
  wrong.lambda *= -1.0;
  const Certificate certificate = certify(qp, wrong);
  EXPECT_GT(relative(certificate, "dual sign"), 1e-3);
  for (const char* name : {"stationarity", "primal equality", "primal inequality", "complementarity"}) {
    EXPECT_EQ(relative(certificate, name), 0.0) << name;
  }
}

// The optimum without the equality, multiplier zero.
TEST(CertifyQp, RefusesABrokenEqualityAlone) {
  QpSolution wrong;
  wrong.x = (VectorXd(2) << 1, 0).finished();
  wrong.nu = VectorXd::Zero(1);
  wrong.lambda = VectorXd::Zero(1);
  const Certificate certificate = certify(small_qp(), wrong);
  EXPECT_GT(relative(certificate, "primal equality"), 1e-3);
  for (const char* name : {"stationarity", "primal inequality", "dual sign", "complementarity"}) {
    EXPECT_EQ(relative(certificate, name), 0.0) << name;
  }
}

// x and y may have different units, and the objective any.
TEST(CertifyQp, IsFreeOfUnits) {
  QpSolution wrong = small_qp_answer();
  wrong.x(1) += 0.25;
  wrong.lambda(0) -= 0.5;
  Qp scaled = small_qp();
  QpSolution scaled_wrong = wrong;
  const VectorXd unit = (VectorXd(2) << 1e3, 1e-5).finished();  // x = unit · x'
  const double objective = 1e4;
  scaled.H = objective * unit.asDiagonal() * scaled.H * unit.asDiagonal();
  scaled.g = objective * unit.cwiseProduct(scaled.g);
  scaled.E = scaled.E * unit.asDiagonal();
  scaled.G = scaled.G * unit.asDiagonal();
  scaled_wrong.x = wrong.x.cwiseQuotient(unit);
  scaled_wrong.nu *= objective;
  scaled_wrong.lambda *= objective;
  const Certificate before = certify(small_qp(), wrong), after = certify(scaled, scaled_wrong);
  ASSERT_EQ(before.residuals.size(), after.residuals.size());
  // The scale of a row, ρ X, carries √objective twice: in 1/ρ and in X. Rows themselves do not change.
  for (std::size_t i = 0; i < before.residuals.size(); ++i) {
    EXPECT_NEAR(before.residuals[i].relative, after.residuals[i].relative, 1e-12) << before.residuals[i].name;
  }
}

}  // namespace
}  // namespace tribo
