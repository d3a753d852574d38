#include "tribo/certify/certify.hpp"
#include "tribo/core/random.hpp"

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace tribo {
namespace {

SparseMatrix sparse(const MatrixXd& dense) { return dense.sparseView(); }

// One contact with W = 2 I, mu = ½.
LocalFriction one_contact(const VectorXd& q) {
  LocalFriction problem;
  problem.dimension = static_cast<int>(q.size());
  problem.W = sparse(2.0 * MatrixXd::Identity(q.size(), q.size()));
  problem.q = q;
  problem.mu = VectorXd::Constant(1, 0.5);
  return problem;
}

FrictionSolution reaction(const VectorXd& r, const VectorXd& u = VectorXd()) { return {r, u, {}}; }

// Separating, sticking and sliding, in space and in the plane.
TEST(CertifyLocalFriction, AcceptsTheThreeStates) {
  EXPECT_EQ(certify(one_contact(Vector3d(1, 4, 0)), reaction(Vector3d::Zero())).worst, 0.0);
  EXPECT_LT(certify(one_contact(Vector3d(-1, 0.2, 0)), reaction(Vector3d(0.5, -0.1, 0))).worst, 1e-15);
  EXPECT_LT(certify(one_contact(Vector3d(-1, 4, 0)), reaction(Vector3d(0.5, -0.25, 0))).worst, 1e-15);
  EXPECT_LT(certify(one_contact(Eigen::Vector2d(-1, 4)), reaction(Eigen::Vector2d(0.5, -0.25))).worst, 1e-15);
}

// Beside reactions of 1e17 a velocity of one is below rounding; no such point is an answer to anything.
TEST(CertifyLocalFriction, RefusesReactionsThatDrownTheVelocity) {
  LocalFriction jam = one_contact(Eigen::Vector2d(-1, 0.5));
  MatrixXd W(2, 2);
  W << 0.01, 0.07, 0.07, 0.49;
  jam.W = sparse(W);
  EXPECT_GT(certify(jam, reaction(Eigen::Vector2d(4.7e17, -4.7e17 / 7.0))).worst, 1e-3);
}

// With a large mu a hair of pulling force must not hide that the bodies approach, nor a slip divide the approach by mu.
TEST(CertifyLocalFriction, RefusesAnApproachWhateverMuIs) {
  for (const double mu : {2.0, 100.0, 1e6, 1e9}) {
    LocalFriction problem = one_contact(Vector3d(-1, 0.3, 0));
    problem.mu(0) = mu;
    EXPECT_GT(certify(problem, reaction(Vector3d(-2e-9, 0, 0))).worst, 0.1) << mu;
    EXPECT_GT(certify(problem, reaction(Vector3d::Zero())).worst, 0.1) << mu;
    EXPECT_LT(certify(problem, reaction(Vector3d(0.5, -0.15, 0))).worst, 1e-9) << mu;  // sticks
  }
}

// The convex relaxation lets a sliding contact lift off at speed mu |u_T|; it is not Coulomb's law.
TEST(CertifyLocalFriction, RefusesTheConvexRelaxation) {
  EXPECT_GT(certify(one_contact(Vector3d(-1, 4, 0)), reaction(Vector3d(1.2, -0.6, 0))).worst, 0.1);
}

// Outside the cone, pulling, too weak, across the slip.
TEST(CertifyLocalFriction, RefusesWrongReactions) {
  const LocalFriction sliding = one_contact(Vector3d(-1, 4, 0));
  EXPECT_GT(certify(sliding, reaction(Vector3d(0.5, -0.4, 0))).worst, 1e-2);
  EXPECT_GT(certify(sliding, reaction(Vector3d(0.5, -0.1, 0))).worst, 1e-2);
  EXPECT_GT(certify(sliding, reaction(Vector3d(0.5, 0, 0.25))).worst, 1e-2);
  EXPECT_GT(certify(sliding, reaction(Vector3d::Zero())).worst, 0.1);
  EXPECT_GT(certify(one_contact(Vector3d(1, 0, 0)), reaction(Vector3d(-0.5, 0, 0))).worst, 0.1);
}

// Without friction the cone is a half line; a force that pulls lies outside of it though it has no tangential part.
TEST(CertifyLocalFriction, RefusesAPullingForceWithoutFriction) {
  LocalFriction smooth = one_contact(Vector3d(1, 4, 0));
  smooth.mu(0) = 0.0;
  const Certificate pulling = certify(smooth, reaction(Vector3d(-0.5, 0, 0)));  // u_N = 0
  EXPECT_GT(pulling.find("coulomb")->relative, 0.1);
  EXPECT_GT(pulling.find("cone")->relative, 0.1);
}

// cone, penetration and direction say what is wrong, each for itself.
TEST(CertifyLocalFriction, SaysWhatIsWrong) {
  const LocalFriction sliding = one_contact(Vector3d(-1, 4, 0));
  const auto shows = [&](const Vector3d& r, const char* name) {
    return certify(sliding, reaction(r)).find(name)->relative > 1e-3;
  };
  const Vector3d right(0.5, -0.25, 0), outside(0.5, -0.4, 0), through(0.4, -0.2, 0), turned(0.5, -0.2, 0.15);
  for (const char* name : {"cone", "penetration", "direction"}) EXPECT_FALSE(shows(right, name)) << name;
  EXPECT_TRUE(shows(outside, "cone"));
  EXPECT_FALSE(shows(outside, "penetration"));
  EXPECT_FALSE(shows(outside, "direction"));
  EXPECT_TRUE(shows(through, "penetration"));
  EXPECT_FALSE(shows(through, "cone"));
  EXPECT_FALSE(shows(through, "direction"));
  EXPECT_TRUE(shows(turned, "direction"));
  EXPECT_FALSE(shows(turned, "cone"));
}

// They never decide: none is larger than "coulomb", whatever the answer is.
TEST(CertifyLocalFriction, NothingIsLargerThanTheNaturalMap) {
  Random random(3);
  for (int k = 0; k < 2000; ++k) {
    const int d = k % 2 == 0 ? 3 : 2;
    LocalFriction problem;
    problem.dimension = d;
    MatrixXd A(2 * d, 2 * d);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = random.uniform(-1.0, 1.0);
    problem.W = sparse(A * A.transpose());
    problem.q.resize(2 * d);
    VectorXd r(2 * d);
    const double size = std::pow(10.0, random.uniform(-3.0, 3.0));
    for (Index i = 0; i < 2 * d; ++i) problem.q(i) = random.uniform(-1.0, 1.0);
    for (Index i = 0; i < 2 * d; ++i) r(i) = size * random.uniform(-1.0, 1.0);
    const double mu = std::pow(10.0, random.uniform(-3.0, 3.0));
    problem.mu = Eigen::Vector2d(mu, k % 5 == 0 ? 0.0 : 1.0 / mu);
    const Certificate certificate = certify(problem, reaction(r));
    EXPECT_EQ(certificate.worst, certificate.find("coulomb")->relative) << k;
  }
}

// u is recomputed; one reported otherwise is inconsistent, one not reported is not missed.
TEST(CertifyLocalFriction, ComparesReportedVelocities) {
  const LocalFriction sliding = one_contact(Vector3d(-1, 4, 0));
  EXPECT_LT(certify(sliding, reaction(Vector3d(0.5, -0.25, 0), Vector3d(0, 3.5, 0))).worst, 1e-15);
  const Certificate wrong = certify(sliding, reaction(Vector3d(0.5, -0.25, 0), Vector3d(1e-3, 3.5, 0)));
  EXPECT_LT(wrong.find("coulomb")->relative, 1e-15);
  EXPECT_GT(wrong.find("consistency")->relative, 1e-5);
  EXPECT_NE(certify(sliding, reaction(Vector3d::Zero(), VectorXd::Zero(2))).find("size"), nullptr);
  EXPECT_NE(certify(sliding, reaction(Vector3d(0.5, std::nan(""), 0))).find("finite"), nullptr);
}

// In other units of impulse (r ← c r, W ← W/c) and of velocity the residual is the same.
TEST(CertifyLocalFriction, IsFreeOfUnits) {
  const LocalFriction problem = one_contact(Vector3d(-1, 4, 0));
  const Vector3d wrong(0.5, -0.1, 0.05);
  LocalFriction scaled = problem;
  const double impulse = 1e5, speed = 1e3;
  scaled.W *= speed / impulse;
  scaled.q *= speed;
  EXPECT_NEAR(certify(scaled, reaction(impulse * wrong)).worst, certify(problem, reaction(wrong)).worst, 1e-14);
}

// A nonsymmetric mass matrix, two contacts. The condensed local problem is the same problem.
GlobalFriction two_contacts() {
  GlobalFriction problem;
  MatrixXd M(4, 4), H(4, 6);
  M << 2, 0.1, 0, 0, -0.1, 2, 0, 0.2, 0, 0, 1, 0, 0.3, 0, 0, 3;
  H << 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0.5, 0, 0, 0, 0, -0.5;
  problem.M = sparse(M);
  problem.H = sparse(H);
  problem.f = (VectorXd(4) << -1, 2, 0.5, -3).finished();
  problem.w = (VectorXd(6) << 0, 0, 0, 0.1, 0, 0).finished();
  problem.G = SparseMatrix(4, 0);
  problem.mu = VectorXd::Constant(2, 0.3);
  return problem;
}

// Eliminating v by hand must not change the verdict on any reaction.
TEST(CertifyGlobalFriction, AgreesWithTheCondensedProblem) {
  const GlobalFriction global = two_contacts();
  const MatrixXd M(global.M), H(global.H);
  const MatrixXd inverse = M.inverse();
  LocalFriction local;
  local.W = sparse(H.transpose() * inverse * H);
  local.q = H.transpose() * inverse * global.f + global.w;
  local.mu = global.mu;
  for (const double size : {0.0, 0.3, 1.0}) {
    const VectorXd r = size * (VectorXd(6) << 1, -0.3, 0.1, 0.5, 0, 0.2).finished();
    EXPECT_NEAR(certify(global, reaction(r)).worst, certify(local, reaction(r)).worst, 1e-13);
    EXPECT_GT(certify(global, reaction(r)).worst, 1e-3);
  }
}

// Bodies of one to six unknowns, elastic ones of more, in any order of their rows: the blocks that M falls into are
// found, and the verdict is that of the condensed problem.
TEST(CertifyGlobalFriction, FindsTheBodiesInTheMassMatrix) {
  Random random(8);
  const IndexList sizes = {6, 1, 20, 3, 6, 13};
  const Index m = 49;
  IndexList order(static_cast<std::size_t>(m));
  for (Index i = 0; i < m; ++i) order[i] = (i * 11) % m;
  MatrixXd M = MatrixXd::Zero(m, m), H = MatrixXd::Zero(m, 12);
  Index start = 0;
  for (const Index size : sizes) {
    for (Index i = 0; i < size; ++i) {
      M(order[start + i], order[start + i]) = 2.0 + 0.1 * static_cast<double>(i);
      if (i == 0) continue;
      M(order[start + i], order[start + i - 1]) = -0.5;
      M(order[start + i - 1], order[start + i]) = -0.4;
    }
    start += size;
  }
  for (Index j = 0; j < 12; ++j) {
    for (Index k = 0; k < 5; ++k) H((j * 7 + k * 13) % m, j) = random.uniform(-1.0, 1.0);
  }
  GlobalFriction global;
  global.M = sparse(M);
  global.H = sparse(H);
  global.G = SparseMatrix(m, 0);
  global.f.resize(m);
  for (Index i = 0; i < m; ++i) global.f(i) = random.uniform(-1.0, 1.0);
  global.w = VectorXd::Constant(12, -0.1);
  global.mu = VectorXd::Constant(4, 0.4);
  LocalFriction local;
  local.W = sparse(H.transpose() * M.inverse() * H);
  local.q = H.transpose() * M.inverse() * global.f + global.w;
  local.mu = global.mu;
  VectorXd r(12);
  for (Index i = 0; i < 12; ++i) r(i) = random.uniform(-1.0, 1.0);
  const Certificate one = certify(global, reaction(r)), other = certify(local, reaction(r));
  for (const char* name : {"coulomb", "cone", "penetration", "direction"}) {
    EXPECT_NEAR(one.find(name)->relative, other.find(name)->relative, 1e-13) << name;
  }
  EXPECT_GT(one.worst, 1e-3);
}

// Reported v and u belong to r; a wrong v is inconsistent.
TEST(CertifyGlobalFriction, ComparesReportedVelocities) {
  GlobalFriction free = two_contacts();
  free.w(0) = free.w(3) = 100.0;  // everything separates
  const VectorXd v = MatrixXd(free.M).inverse() * free.f;
  FrictionSolution solution{VectorXd::Zero(6), VectorXd(free.H.transpose() * v) + free.w, v};
  EXPECT_LT(certify(free, solution).worst, 1e-14);
  solution.v(2) += 1e-3;
  EXPECT_GT(certify(free, solution).find("consistency")->relative, 1e-5);
}

// Bilateral columns act before the contact law: a joint that stops the fall leaves nothing for the contact.
// Redundant columns change nothing; contradictory ones are seen.
TEST(CertifyGlobalFriction, AppliesBilateralColumns) {
  GlobalFriction problem;
  problem.M = sparse(2.0 * MatrixXd::Identity(3, 3));
  problem.H = sparse(MatrixXd::Identity(3, 3));
  problem.f = (VectorXd(3) << -2, 1, 0).finished();
  problem.w = VectorXd::Zero(3);
  problem.mu = VectorXd::Constant(1, 0.0);
  problem.G = sparse((MatrixXd(3, 2) << 1, 2, 0, 0, 0, 0).finished());
  problem.b = VectorXd::Zero(2);
  EXPECT_LT(certify(problem, reaction(VectorXd::Zero(3))).worst, 1e-14);
  problem.b(1) = 1.0;
  EXPECT_GT(certify(problem, reaction(VectorXd::Zero(3))).find("bilateral")->relative, 0.1);
}

// A mass matrix that cannot be inverted says nothing about velocities.
TEST(CertifyGlobalFriction, RefusesASingularMass) {
  GlobalFriction problem = two_contacts();
  problem.M = SparseMatrix(4, 4);
  EXPECT_NE(certify(problem, reaction(VectorXd::Zero(6))).find("mass"), nullptr);
}

}  // namespace
}  // namespace tribo
