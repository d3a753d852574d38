// Contacts that may slip under the no-slip model, and the viscous law of impacts.
#include "tribo/certify/certify.hpp"
#include "tribo/certify/infeasibility.hpp"

#include "certify/certify_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::relative;
using testing::rows_of;

// A particle of 2 kg, v = (3, 0, v_z), over a floor with one contact; tangents x and y.
ContactProblem falling_particle(double v_z) {
  ContactProblem problem;
  problem.mass = BlockDiagonal({MatrixXd::Identity(3, 3) * 2.0});
  const BlockLayout& layout = problem.mass.layout();
  problem.v = Vector3d(3.0, 0.0, v_z);
  problem.f = VectorXd::Zero(3);
  problem.N = rows_of(Vector3d::UnitZ().transpose(), layout);
  problem.S = rows_of(Vector3d::UnitX().transpose(), layout);
  problem.T = rows_of(Vector3d::UnitY().transpose(), layout);
  problem.J = BlockRows(layout);
  problem.b_N = problem.a_N = VectorXd::Zero(1);
  problem.b_J = problem.a_J = VectorXd::Zero(0);
  problem.contacts.resize(1);
  return problem;
}

ContactSolution released_answer(const Vector3d& v_next, double f_n, double f_s) {
  ContactSolution solution;
  solution.v_next = v_next;
  solution.f_n = VectorXd::Constant(1, f_n);
  solution.f_s = VectorXd::Constant(1, f_s);
  solution.f_t = VectorXd::Zero(1);
  solution.f_j = VectorXd::Zero(0);
  return solution;
}

// Released, the particle flies on; held, the same answer slips.
TEST(CertifyReleased, ForceVanishesInsteadOfSlip) {
  ContactProblem problem = falling_particle(1.0);
  const ContactSolution flies = released_answer({3, 0, 1}, 0, 0), sticks = released_answer({0, 0, 1}, 0, -6);
  EXPECT_LT(certify(problem, NoSlip{}, sticks).worst, 1e-15);
  EXPECT_GT(relative(certify(problem, NoSlip{}, flies), "tangential velocity"), 0.1);
  EXPECT_EQ(certify(problem, NoSlip{}, flies).find("friction law"), nullptr);
  problem.contacts[0].released = true;
  EXPECT_LT(certify(problem, NoSlip{}, flies).worst, 1e-15);
  const Certificate braked = certify(problem, NoSlip{}, sticks);
  EXPECT_GT(relative(braked, "friction law"), 0.1);
  EXPECT_EQ(relative(braked, "tangential velocity"), 0.0);
}

// Slipping is allowed, falling through the floor is not.
TEST(CertifyReleased, PenetrationIsStillRefused) {
  ContactProblem problem = falling_particle(-1.0);
  problem.contacts[0].released = true;
  EXPECT_LT(certify(problem, NoSlip{}, released_answer({3, 0, 0}, 2, 0)).worst, 1e-15);
  EXPECT_GT(relative(certify(problem, NoSlip{}, released_answer({3, 0, -1}, 0, 0)), "normal"), 0.1);
}

// The other models do not know the mark.
TEST(CertifyReleased, OtherModelsIgnoreIt) {
  ContactProblem problem = falling_particle(-1.0);
  problem.contacts[0].mu_v = 100.0;
  problem.contacts[0].released = true;
  EXPECT_LT(certify(problem, Viscous{}, released_answer({2, 0, 0}, 2, -2)).worst, 1e-15);
}

// A wall that pushes along x contradicts a floor that holds x still, and no longer once the floor is released.
TEST(CertifyReleased, ProofsMayNotUseItsTangents) {
  ContactProblem problem = falling_particle(0.0);
  const BlockLayout& layout = problem.mass.layout();
  problem.N = rows_of((MatrixXd(2, 3) << 1, 0, 0, 0, 0, 1).finished(), layout);
  problem.S = rows_of((MatrixXd(2, 3) << 0, 1, 0, 1, 0, 0).finished(), layout);
  problem.T = rows_of((MatrixXd(2, 3) << 0, 0, 1, 0, 1, 0).finished(), layout);
  problem.b_N = problem.a_N = Eigen::Vector2d(-0.1, 0.0);
  problem.contacts.resize(2);
  ContactSolution proof;
  proof.y_n = Eigen::Vector2d(1.0, 0.0);
  proof.y_e = Eigen::Vector4d(0.0, -1.0, 0.0, 0.0);
  EXPECT_EQ(certify_infeasible(problem, NoSlip{}, proof).verdict, Verdict::kInfeasible);
  problem.contacts[0].released = true;  // not the row that the proof uses
  EXPECT_EQ(certify_infeasible(problem, NoSlip{}, proof).verdict, Verdict::kInfeasible);
  problem.contacts[1].released = true;
  const InfeasibilityCertificate refused = certify_infeasible(problem, NoSlip{}, proof);
  EXPECT_EQ(refused.verdict, Verdict::kRejected);
  EXPECT_GT(relative(refused.checks, "released"), 1.0);
}

// A jam is one, however fast something far away is: the proof is measured by its own island.
TEST(CertifyContactInfeasible, IsNotSpoiledByAFastBodyElsewhere) {
  for (const double speed : {1.0, 1e12}) {
    ContactProblem problem;
    problem.mass = BlockDiagonal({MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1)});
    const BlockLayout& layout = problem.mass.layout();
    problem.v = Eigen::Vector2d(0.0, speed);
    problem.f = VectorXd::Zero(2);
    problem.N = rows_of((MatrixXd(3, 2) << 1, 0, -1, 0, 0, 1).finished(), layout);
    problem.S = problem.T = problem.J = BlockRows(layout);
    problem.b_N = problem.a_N = Vector3d(-0.1, -0.1, 0.0);
    problem.contacts.resize(3);
    problem.b_J = problem.a_J = VectorXd::Zero(0);
    ContactSolution proof;
    proof.y_n = Vector3d(1.0, 1.0, 0.0);
    EXPECT_EQ(certify_infeasible(problem, Frictionless{}, proof).verdict, Verdict::kInfeasible) << speed;
    proof.y_n(2) = 1e-6;  // now it speaks of the fast one too, and is not balanced there
    EXPECT_EQ(certify_infeasible(problem, Frictionless{}, proof).verdict, Verdict::kRejected) << speed;
  }
}

// c = 4 kg, whatever the step is: 2 (v − 3) = −4 v gives 1 m/s and an impulse of −4 N·s.
TEST(CertifyImpact, ImpulseFollowsTheSlipAfterwards) {
  ContactProblem problem = falling_particle(-1.0);
  problem.contacts[0].impact_damping = 4.0;
  problem.contacts[0].mu_v = 17.0;  // another law's number
  const Viscous impact{.impact = true};
  for (const double h : {1e-4, 0.01, 1.0}) {
    problem.h = h;
    EXPECT_LT(certify(problem, impact, released_answer({1, 0, 0}, 2, -4)).worst, 1e-15) << h;
  }
  EXPECT_GT(relative(certify(problem, impact, released_answer({3, 0, 0}, 2, 0)), "friction law"), 0.1);
  EXPECT_GT(relative(certify(problem, impact, released_answer({1 + 1e-6, 0, 0}, 2, -4 + 2e-6)), "friction law"), 1e-8);
  ContactSolution implied = released_answer({1, 0, 0}, 2, 0);
  implied.f_s.resize(0);
  implied.f_t.resize(0);
  EXPECT_LT(certify(problem, impact, implied).worst, 1e-15);
}

// An impact has no accelerations: whatever the answer, it does not obey the law.
TEST(CertifyImpact, HasNoPlaceAtAccelerationLevel) {
  ContactProblem problem = falling_particle(0.0);
  problem.level = Level::kAcceleration;
  EXPECT_LT(certify(problem, Viscous{}, released_answer({0, 0, 0}, 0, 0)).worst, 1e-15);
  const Certificate refused = certify(problem, Viscous{.impact = true}, released_answer({0, 0, 0}, 0, 0));
  EXPECT_EQ(relative(refused, "friction law"), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(refused.passes(0.5));
}

}  // namespace
}  // namespace tribo
