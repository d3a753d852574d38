#include "tribo/certify/certify.hpp"

#include <cmath>
#include <limits>

#include "certify/certify_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::expect_refused_by;
using testing::kInf;
using testing::rows_of;

// A particle of 2 kg above a floor, v = (3, 0, −1), no force: one contact with tangents x and y.
ContactProblem particle(double mu = 0.0) {
  ContactProblem problem;
  problem.mass = BlockDiagonal({MatrixXd::Identity(3, 3) * 2.0});
  const BlockLayout& layout = problem.mass.layout();
  problem.v = Vector3d(3.0, 0.0, -1.0);
  problem.f = VectorXd::Zero(3);
  problem.N = rows_of(Vector3d::UnitZ().transpose(), layout);
  problem.S = rows_of(Vector3d::UnitX().transpose(), layout);
  problem.T = rows_of(Vector3d::UnitY().transpose(), layout);
  problem.J = BlockRows(layout);
  problem.b_N = problem.a_N = VectorXd::Zero(1);
  problem.b_J = problem.a_J = VectorXd::Zero(0);
  problem.contacts.resize(1);
  problem.contacts[0].mu = mu;
  return problem;
}

ContactSolution answer(const Vector3d& v_next, double f_n, double f_s = 0.0, double f_t = 0.0) {
  ContactSolution solution;
  solution.v_next = v_next;
  solution.f_n = VectorXd::Constant(1, f_n);
  solution.f_s = VectorXd::Constant(1, f_s);
  solution.f_t = VectorXd::Constant(1, f_t);
  solution.f_j = VectorXd::Zero(0);
  return solution;
}

// The normal impulse stops the fall and nothing else changes.
TEST(CertifyContact, AcceptsTheFrictionlessAnswer) {
  EXPECT_LT(certify(particle(), Frictionless{}, answer({3, 0, 0}, 2)).worst, 1e-15);
  ContactSolution without_tangents = answer({3, 0, 0}, 2);
  without_tangents.f_s.resize(0);
  without_tangents.f_t.resize(0);
  EXPECT_LT(certify(particle(), Frictionless{}, without_tangents).worst, 1e-15);
}

// v⁺ off by 1e-6 along a direction without constraint: momentum is not conserved, all else is in order.
TEST(CertifyContact, RefusesAVelocityOffByAMicrometrePerSecond) {
  expect_refused_by(certify(particle(), Frictionless{}, answer({3, 1e-6, 0}, 2)), {"momentum"});
}

// Too small an impulse leaves the particle falling into the floor.
TEST(CertifyContact, RefusesPenetration) {
  expect_refused_by(certify(particle(), Frictionless{}, answer({3, 0, -0.5}, 1)), {"normal"});
}

// A contact cannot hold back a particle that leaves.
TEST(CertifyContact, RefusesAPullingForce) {
  ContactProblem leaving = particle();
  leaving.v(2) = 1.0;
  expect_refused_by(certify(leaving, Frictionless{}, answer({3, 0, 0}, -2)), {"normal"});
}

// A force on a contact that separates is no contact force.
TEST(CertifyContact, RefusesAForceAtADistance) {
  expect_refused_by(certify(particle(), Frictionless{}, answer({3, 0, 0.5}, 3)), {"normal"});
}

// Friction in a model that has none.
TEST(CertifyContact, RefusesFrictionWhereThereIsNone) {
  expect_refused_by(certify(particle(), Frictionless{}, answer({2.5, 0, 0}, 2, -1)), {"friction law"});
}

// A rail along x: motion across it has to vanish.
TEST(CertifyContact, RefusesABrokenJoint) {
  ContactProblem rail = particle();
  rail.v(1) = 1.0;
  rail.J = rows_of(Vector3d::UnitY().transpose(), rail.mass.layout());
  rail.b_J = rail.a_J = VectorXd::Zero(1);
  ContactSolution right = answer({3, 0, 0}, 2);
  right.f_j = VectorXd::Constant(1, -2.0);
  EXPECT_LT(certify(rail, Frictionless{}, right).worst, 1e-15);
  ContactSolution wrong = answer({3, 1, 0}, 2);
  wrong.f_j = VectorXd::Zero(1);
  expect_refused_by(certify(rail, Frictionless{}, wrong), {"bilateral"});
}

// No-slip stops the tangential motion as well; sliding on is what it forbids.
TEST(CertifyContact, HoldsNoSlipToItsWord) {
  EXPECT_LT(certify(particle(), NoSlip{}, answer({0, 0, 0}, 2, -6)).worst, 1e-15);
  expect_refused_by(certify(particle(), NoSlip{}, answer({3, 0, 0}, 2)), {"tangential velocity"});
}

// c = h mu_v = 1: implicit 2 (v − 3) = −v gives 2 m/s, explicit 2 (v − 3) = −3 gives 1.5 m/s.
TEST(CertifyContact, TellsImplicitFromExplicitViscosity) {
  ContactProblem problem = particle();
  problem.contacts[0].mu_v = 100.0;
  const ContactSolution implicit = answer({2, 0, 0}, 2, -2), explicit_ = answer({1.5, 0, 0}, 2, -3);
  EXPECT_LT(certify(problem, Viscous{true}, implicit).worst, 1e-15);
  EXPECT_LT(certify(problem, Viscous{false}, explicit_).worst, 1e-15);
  expect_refused_by(certify(problem, Viscous{true}, explicit_), {"friction law"});
  expect_refused_by(certify(problem, Viscous{false}, implicit), {"friction law"});
  ContactSolution silent = explicit_;  // without forces the law supplies them, and momentum does not balance
  silent.f_s.resize(0);
  silent.f_t.resize(0);
  EXPECT_LT(certify(problem, Viscous{false}, silent).worst, 1e-15);
  expect_refused_by(certify(problem, Viscous{true}, silent), {"momentum"});
}

// At acceleration level the viscous force belongs to the given velocity: 2 a = −mu_v v = −6.
TEST(CertifyContact, ChecksAccelerations) {
  ContactProblem problem = particle();
  problem.level = Level::kAcceleration;
  problem.v(2) = 0.0;
  problem.f(2) = -20.0;
  problem.contacts[0].mu_v = 2.0;
  EXPECT_LT(certify(problem, Viscous{}, answer({-3, 0, 0}, 20, -6)).worst, 1e-15);
  expect_refused_by(certify(problem, Viscous{}, answer({-3, 0, -1}, 18, -6)), {"normal"});
  expect_refused_by(certify(problem, Viscous{}, answer({0, 0, 0}, 20, 0)), {"friction law"});
  problem.a_N(0) = 0.5;  // the path curves away: the floor need not push so hard
  EXPECT_LT(certify(problem, Viscous{}, answer({-3, 0, -0.5}, 19, -6)).worst, 1e-15);
}

// Sliding with friction mu f_n against the slip; sticking below it.
TEST(CertifyPyramid, AcceptsSlidingAndSticking) {
  for (const int sides : {4, 8, 16}) {
    EXPECT_LT(certify(particle(0.5), CoulombPyramid{sides}, answer({2.5, 0, 0}, 2, -1)).worst, 1e-15);
    EXPECT_LT(certify(particle(10), CoulombPyramid{sides}, answer({0, 0, 0}, 2, -6)).worst, 1e-15);
  }
}

// More friction than mu f_n, in the right direction: only the cone is violated.
TEST(CertifyPyramid, RefusesForcesOutsideTheCone) {
  expect_refused_by(certify(particle(0.5), CoulombPyramid{4}, answer({2.25, 0, 0}, 2, -1.5)), {"cone"});
}

// Less friction than mu f_n while slipping: the law of maximal dissipation is violated.
TEST(CertifyPyramid, RefusesTooLittleFriction) {
  expect_refused_by(certify(particle(0.5), CoulombPyramid{4}, answer({2.75, 0, 0}, 2, -0.5)), {"friction law"});
}

// Friction along the slip is inside the cone and adds energy.
TEST(CertifyPyramid, RefusesFrictionThatDrives) {
  const Certificate certificate = certify(particle(0.5), CoulombPyramid{4}, answer({3.5, 0, 0}, 2, 1));
  expect_refused_by(certificate, {"friction law", "dissipation"});
}

// Friction across the slip pushes the particle aside.
TEST(CertifyPyramid, RefusesFrictionAcrossTheSlip) {
  const Certificate certificate = certify(particle(0.5), CoulombPyramid{4}, answer({3, 0.5, 0}, 2, 0, 1));
  expect_refused_by(certificate, {"friction law", "dissipation"});
}

// In the middle of an edge the polygon is narrower than the circle by cos(π/d): both neighbours share the
// force.
TEST(CertifyPyramid, MeasuresTheEdgeAndNotTheCircle) {
  const double angle = M_PI / 8, full = 0.5 * 2.0;
  const Vector3d direction(std::cos(angle), std::sin(angle), 0.0);
  ContactProblem problem = particle(0.5);
  problem.v = 3.0 * direction - Vector3d::UnitZ();
  const auto braked = [&](double friction) {
    return answer((3.0 - friction / 2.0) * direction, 2, -friction * direction.x(), -friction * direction.y());
  };
  EXPECT_LT(certify(problem, CoulombPyramid{8}, braked(full * std::cos(angle))).worst, 1e-15);
  expect_refused_by(certify(problem, CoulombPyramid{8}, braked(full)), {"cone"});
  expect_refused_by(certify(problem, CoulombPyramid{8}, braked(0.9 * full * std::cos(angle))), {"friction law"});
}

// mu = 0 is the frictionless model, and huge mu has no scale of its own to hide behind.
TEST(CertifyPyramid, MakesSenseAtTheEndsOfMu) {
  EXPECT_LT(certify(particle(0), CoulombPyramid{8}, answer({3, 0, 0}, 2)).worst, 1e-15);
  expect_refused_by(certify(particle(0), CoulombPyramid{8}, answer({2.5, 0, 0}, 2, -1)), {"cone"});
  EXPECT_LT(certify(particle(1e6), CoulombPyramid{8}, answer({0, 0, 0}, 2, -6)).worst, 1e-15);
  // Sliding although mu f_n = 2e6: friction is far from exhausted.
  expect_refused_by(certify(particle(1e6), CoulombPyramid{8}, answer({2.5, 0, 0}, 2, -1)), {"friction law"});
  // Leaving the floor without normal force, and yet braked.
  for (const double mu : {1e6, 1e8, 1e20}) {
    ContactProblem leaving = particle(mu);
    leaving.v(2) = 1.0;
    expect_refused_by(certify(leaving, CoulombPyramid{8}, answer({0, 0, 1}, 0, -6)), {"cone"});
  }
}

// A pulling normal force has no cone.
TEST(CertifyPyramid, RefusesAPullingForce) {
  ContactProblem leaving = particle(0.5);
  leaving.v = Vector3d(0, 0, 1);
  const Certificate certificate = certify(leaving, CoulombPyramid{4}, answer({0, 0, 0}, -2));
  expect_refused_by(certificate, {"normal", "cone"});
}

// In the plane the polygon is a pair of directions, for any number of sides.
TEST(CertifyPyramid, ChecksPlanarProblems) {
  ContactProblem problem = particle(0.5);
  problem.T = BlockRows(problem.mass.layout());
  ContactSolution sliding = answer({2.5, 0, 0}, 2, -1);
  sliding.f_t.resize(0);
  EXPECT_LT(certify(problem, CoulombPyramid{8}, sliding).worst, 1e-15);
  ContactSolution driven = answer({3.5, 0, 0}, 2, 1);
  driven.f_t.resize(0);
  expect_refused_by(certify(problem, CoulombPyramid{8}, driven), {"friction law", "dissipation"});
}

// Bound 1: full friction while slipping, at most that when sticking, never more.
TEST(CertifyBox, HoldsForcesToTheirBounds) {
  ContactProblem problem = particle();
  problem.contacts[0].friction_bound = 1.0;
  EXPECT_LT(certify(problem, FrictionBox{}, answer({2.5, 0, 0}, 2, -1)).worst, 1e-15);
  expect_refused_by(certify(problem, FrictionBox{}, answer({2.4, 0, 0}, 2, -1.2)), {"friction law"});
  expect_refused_by(certify(problem, FrictionBox{}, answer({2.75, 0, 0}, 2, -0.5)), {"friction law"});
  expect_refused_by(certify(problem, FrictionBox{}, answer({3.5, 0, 0}, 2, 1)), {"friction law", "dissipation"});
  problem.contacts[0].friction_bound = 10.0;
  EXPECT_LT(certify(problem, FrictionBox{}, answer({0, 0, 0}, 2, -6)).worst, 1e-15);
}

// Millimetres, tons and minutes: every relative residual of a wrong answer stays what it was.
TEST(CertifyContact, IsFreeOfUnits) {
  const double length = 1e3, mass = 1e-3, time = 1.0 / 60.0;
  const double speed = length / time, impulse = mass * speed;
  ContactProblem problem = particle(0.5);
  problem.contacts[0].friction_bound = 0.8;
  problem.contacts[0].mu_v = 70.0;
  problem.b_N(0) = 0.1;
  const ContactSolution wrong = answer({2.6, 0.1, -0.2}, 1.9, -1.3, 0.3);
  ContactProblem scaled = problem;
  scaled.mass = BlockDiagonal({problem.mass.block(0) * mass});
  scaled.v *= speed;
  scaled.b_N *= speed;
  scaled.h *= time;
  scaled.f *= impulse / time;
  scaled.contacts[0].friction_bound *= impulse;
  scaled.contacts[0].mu_v *= impulse / time / speed;
  ContactSolution scaled_wrong = wrong;
  scaled_wrong.v_next *= speed;
  for (VectorXd* f : {&scaled_wrong.f_n, &scaled_wrong.f_s, &scaled_wrong.f_t}) *f *= impulse;
  const std::vector<ContactModel> models = {Frictionless{}, NoSlip{},          Viscous{true},
                                            Viscous{false}, CoulombPyramid{8}, FrictionBox{}};
  for (const ContactModel& model : models) {
    const Certificate before = certify(problem, model, wrong), after = certify(scaled, model, scaled_wrong);
    ASSERT_EQ(before.residuals.size(), after.residuals.size());
    for (std::size_t i = 0; i < before.residuals.size(); ++i) {
      EXPECT_NEAR(before.residuals[i].relative, after.residuals[i].relative, 1e-12) << before.residuals[i].name;
    }
  }
}

// The whole problem at a millionth of the speed: doing nothing is just as wrong.
TEST(CertifyContact, RefusesDoingNothingAtLowSpeed) {
  ContactProblem slow = particle();
  slow.v *= 1e-12;
  expect_refused_by(certify(slow, Frictionless{}, answer(slow.v, 0)), {"normal"});
}

// Nothing moves, nothing pushes: zero over zero is an answer, and any force is none.
TEST(CertifyContact, JudgesRest) {
  ContactProblem rest = particle(0.5);
  rest.v.setZero();
  EXPECT_EQ(certify(rest, CoulombPyramid{8}, answer({0, 0, 0}, 0)).worst, 0.0);
  EXPECT_EQ(certify(rest, CoulombPyramid{8}, answer({0, 0, 0}, 1e-9)).worst, kInf);
}

// Sizes, numbers, model and mass are looked at before anything is computed.
TEST(CertifyContact, RefusesNonsense) {
  ContactSolution wrong = answer({3, 0, 0}, 2);
  wrong.f_s.resize(0);
  EXPECT_NE(certify(particle(), NoSlip{}, wrong).find("size"), nullptr);
  wrong = answer({3, 0, 0}, 2);
  wrong.f_j = VectorXd::Zero(1);
  EXPECT_EQ(certify(particle(), Frictionless{}, wrong).worst, kInf);
  wrong = answer({3, 0, std::nan("")}, 2);
  EXPECT_NE(certify(particle(), Frictionless{}, wrong).find("finite"), nullptr);
  EXPECT_NE(certify(particle(), CoulombPyramid{5}, answer({3, 0, 0}, 2)).find("model"), nullptr);
  ContactProblem weightless = particle();
  weightless.mass = BlockDiagonal({MatrixXd::Zero(3, 3)});
  EXPECT_NE(certify(weightless, Frictionless{}, answer({3, 0, 0}, 2)).find("mass"), nullptr);
}

}  // namespace
}  // namespace tribo
