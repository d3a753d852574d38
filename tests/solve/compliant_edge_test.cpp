// The edge cases of compliant rows: each has an answer known without a solver.
#include "tribo/solve/compliant/compliant_solver.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "solve/compliant_scenes.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::add_compliant_row;
using testing::add_particle_contact;
using testing::calc_free_velocity;
using testing::calc_momentum_error;
using testing::make_particle;

CompliantSolution solve_edge(const CompliantProblem& problem, FrictionLaw friction = FrictionLaw::kCoulomb) {
  EXPECT_TRUE(validate(problem));
  CompliantSolver solver;
  CompliantSolution solution;
  EXPECT_EQ(solver.solve(problem, {UnilateralLaw::kComplementarity, friction}, solution).status, Status::kSolved);
  return solution;
}

// Nothing acts: the free velocity, and no linear system.
TEST(CompliantEdge, NoRowsLeaveTheFreeVelocity) {
  const CompliantProblem problem = make_particle(2.0, Vector3d(1.0, 2.0, 3.0), 0.01);
  CompliantSolver solver;
  CompliantSolution solution;
  const SolveReport report = solver.solve(problem, {}, solution);
  EXPECT_EQ(report.status, Status::kSolved);
  EXPECT_EQ(report.pivots, 0);
  EXPECT_TRUE(solution.v1 == calc_free_velocity(problem));
}

// A row without stiffness and damping is not there.
TEST(CompliantEdge, RowsWithoutStiffnessAndDampingCarryNothing) {
  CompliantProblem problem = make_particle(1.0, Vector3d(0.0, 0.0, -1.0), 0.01);
  add_compliant_row(problem.bilateral, Vector3d::UnitX(), {0.0, 0.0, 0.5});
  add_compliant_row(problem.unilateral, Vector3d::UnitZ(), {0.0, 0.0, -0.5});
  add_particle_contact(problem, {1e5, 0.0, -1e-3}, 0.0, 0.5);
  const CompliantSolution solution = solve_edge(problem);
  EXPECT_EQ(solution.lambda_b(0), 0.0);
  EXPECT_EQ(solution.lambda_u(0), 0.0);
  EXPECT_EQ(solution.lambda_r(0), 0.0);
  EXPECT_EQ(solution.lambda_s(0), 0.0);
  EXPECT_GT(solution.lambda_n(0), 0.0);
}

// K = 0 is a pure damper: −B v1 whatever the violation.
TEST(CompliantEdge, DampersDoNotSeeTheViolation) {
  CompliantProblem problem = make_particle(1.0, Vector3d(3.0, 0.0, 0.0), 0.01);
  add_compliant_row(problem.bilateral, Vector3d::UnitX(), {0.0, 20.0, 7.0});
  const CompliantSolution solution = solve_edge(problem);
  EXPECT_NEAR(solution.v1(0), 3.0 / (1.0 + 0.01 * 20.0), 1e-15);
  EXPECT_NEAR(solution.lambda_b(0), -20.0 * solution.v1(0), 1e-12);
}

// One particle on one row is the implicit Euler step of a spring and damper.
TEST(CompliantEdge, OneRowIsImplicitEuler) {
  for (const double K : {1.0, 1e6, 1e15}) {
    CompliantProblem problem = make_particle(1.0, Vector3d(0.5, 0.0, 0.0), 1e-3);
    add_compliant_row(problem.bilateral, Vector3d::UnitX(), {K, 3.0, 0.02});
    const CompliantSolution solution = solve_edge(problem);
    const double h = problem.h, expected = (0.5 - h * K * 0.02) / (1.0 + h * 3.0 + h * h * K);
    EXPECT_NEAR(solution.v1(0), expected, 1e-14 * std::max(1.0, std::abs(expected)));
  }
}

// Stiffness beyond any material, twice the same rows and a third that contradicts them: finite, and momentum balances.
TEST(CompliantEdge, ExtremeStiffnessStaysFiniteAtAnyStep) {
  for (const double h : {1e-6, 1e-4, 0.01, 1.0}) {
    for (const bool bilateral : {true, false}) {
      SCOPED_TRACE(h);
      MatrixXd M = MatrixXd::Identity(6, 6);
      M.bottomRightCorner(3, 3) *= 0.01;
      CompliantProblem problem =
          testing::make_compliant(M, VectorXd::Constant(6, -0.3), VectorXd::Constant(6, -9.0), h);
      CompliantRows& rows = bilateral ? problem.bilateral : problem.unilateral;
      for (int k = 0; k < 12; ++k) {
        VectorXd G = VectorXd::Zero(6);
        G(2) = 1.0;
        G(3) = 0.1 * (k % 4);
        G(4) = 0.1 * (k % 3);
        add_compliant_row(rows, G, {1e15, 1e12, k == 11 ? 1e-3 : 0.0});
      }
      const CompliantSolution solution = solve_edge(problem);
      EXPECT_TRUE(solution.v1.allFinite());
      EXPECT_TRUE(solution.lambda_b.allFinite());
      EXPECT_TRUE(solution.lambda_u.allFinite());
      EXPECT_LE(calc_momentum_error(problem, solution), 1e-12);
    }
  }
}

// As the step vanishes the force becomes −K φ0 − B φ0'.
TEST(CompliantEdge, VanishingStepsGiveTheForceOfTheStart) {
  CompliantProblem problem = make_particle(1.0, Vector3d(0.0, 0.0, -2.0), 1e-12);
  add_compliant_row(problem.unilateral, Vector3d::UnitZ(), {1e3, 5.0, -0.01});
  add_compliant_row(problem.unilateral, Vector3d::UnitZ(), {1e3, 5.0, 0.1});
  const CompliantSolution solution = solve_edge(problem);
  EXPECT_NEAR(solution.lambda_u(0), 1e3 * 0.01 + 5.0 * 2.0, 1e-6);
  EXPECT_EQ(solution.lambda_u(1), 0.0);
}

// Twice the same row is one row of twice the stiffness and damping.
TEST(CompliantEdge, DuplicateRowsShareTheForce) {
  for (const double K : {1e3, 1e9}) {
    CompliantProblem twice = make_particle(1.0, Vector3d(0.0, 0.0, -1.0), 0.01);
    add_compliant_row(twice.unilateral, Vector3d::UnitZ(), {K, 10.0, -1e-4});
    add_compliant_row(twice.unilateral, Vector3d::UnitZ(), {K, 10.0, -1e-4});
    CompliantProblem once = make_particle(1.0, Vector3d(0.0, 0.0, -1.0), 0.01);
    add_compliant_row(once.unilateral, Vector3d::UnitZ(), {2.0 * K, 20.0, -1e-4});
    const CompliantSolution a = solve_edge(twice), b = solve_edge(once);
    const double scale = b.lambda_u(0);
    EXPECT_NEAR(a.lambda_u(0), a.lambda_u(1), 1e-9 * scale);
    EXPECT_NEAR(a.lambda_u.sum(), scale, 1e-12 * scale);
    EXPECT_NEAR(a.v1(2), b.v1(2), 1e-14);
  }
}

// The same violation and different springs: forces in proportion to the stiffness.
TEST(CompliantEdge, ParallelSpringsShareByStiffness) {
  CompliantProblem problem = make_particle(1.0, Vector3d(0.0, 0.0, -1.0), 0.01);
  add_compliant_row(problem.unilateral, Vector3d::UnitZ(), {1e4, 0.0, -1e-4});
  add_compliant_row(problem.unilateral, Vector3d::UnitZ(), {3e4, 0.0, -1e-4});
  const CompliantSolution solution = solve_edge(problem);
  EXPECT_NEAR(solution.lambda_u(1), 3.0 * solution.lambda_u(0), 1e-12 * solution.lambda_u(1));
}

// Rows that contradict one another press against each other with K times what separates them; the body rests between.
TEST(CompliantEdge, ContradictoryRowsPrestress) {
  CompliantProblem problem = make_particle(1.0, Vector3d::Zero(), 0.01);
  problem.f.setZero();
  add_compliant_row(problem.bilateral, Vector3d::UnitX(), {1e9, 0.0, 1e-3});
  add_compliant_row(problem.bilateral, Vector3d::UnitX(), {1e9, 0.0, -1e-3});
  const CompliantSolution solution = solve_edge(problem);
  EXPECT_NEAR(solution.v1(0), 0.0, 1e-12);
  EXPECT_NEAR(solution.lambda_b(0), -1e6, 1.0);
  EXPECT_NEAR(solution.lambda_b(1), 1e6, 1.0);
}

// Rows between bodies that cannot move: the law alone, finite because compliance is.
TEST(CompliantEdge, RowsOfZerosFollowTheLawAlone) {
  CompliantProblem problem = make_particle(1.0, Vector3d::Zero(), 0.01);
  add_compliant_row(problem.unilateral, Vector3d::Zero(), {1e5, 3.0, -1e-3});
  add_compliant_row(problem.unilateral, Vector3d::Zero(), {1e5, 3.0, 1e-3});
  const CompliantSolution solution = solve_edge(problem);
  EXPECT_NEAR(solution.lambda_u(0), 1e5 * 1e-3, 1e-10);
  EXPECT_EQ(solution.lambda_u(1), 0.0);
  EXPECT_TRUE(solution.v1 == calc_free_velocity(problem));
}

// Without friction coefficients the tangents are not there: a contact is a unilateral row.
TEST(CompliantEdge, ContactsWithoutFrictionAreUnilateralRows) {
  CompliantProblem contact = make_particle(1.0, Vector3d(1.0, 0.0, -1.0), 0.01);
  add_particle_contact(contact, {1e6, 10.0, -1e-5}, 1e4, 0.0);
  CompliantProblem row = make_particle(1.0, Vector3d(1.0, 0.0, -1.0), 0.01);
  add_compliant_row(row.unilateral, Vector3d::UnitZ(), {1e6, 10.0, -1e-5});
  const CompliantSolution a = solve_edge(contact), b = solve_edge(row);
  EXPECT_TRUE(a.v1 == b.v1);
  EXPECT_EQ(a.lambda_n(0), b.lambda_u(0));
  EXPECT_EQ(a.lambda_r(0), 0.0);
  EXPECT_EQ(a.states[0], ContactState::kSlide);
}

// A very large coefficient is a contact that sticks, to full accuracy.
TEST(CompliantEdge, VeryLargeFrictionSticks) {
  for (const FrictionLaw friction : {FrictionLaw::kCoulomb, FrictionLaw::kConvexCone}) {
    CompliantProblem problem = make_particle(1.0, Vector3d(0.3, 0.1, 0.0), 0.01);
    add_particle_contact(problem, {1e6, 10.0, -1e-6}, 1e4, 1e6);
    const CompliantSolution solution = solve_edge(problem, friction);
    EXPECT_EQ(solution.states[0], ContactState::kStick);
    EXPECT_NEAR(solution.v1(0), 0.3 / (1.0 + 0.01 * 1e4), 1e-15);
    EXPECT_NEAR(solution.lambda_r(0), -1e4 * solution.v1(0), 1e-10);
  }
}

// Nothing pulls sideways: friction is exactly zero, not zero divided by zero.
TEST(CompliantEdge, NoDemandNoFriction) {
  for (const FrictionLaw friction : {FrictionLaw::kCoulomb, FrictionLaw::kConvexCone}) {
    CompliantProblem problem = make_particle(1.0, Vector3d::Zero(), 0.01);
    add_particle_contact(problem, {1e6, 10.0, 0.0}, 1e4, 0.5);
    const CompliantSolution solution = solve_edge(problem, friction);
    EXPECT_GT(solution.lambda_n(0), 0.0);
    EXPECT_EQ(solution.lambda_r(0), 0.0);
    EXPECT_EQ(solution.lambda_s(0), 0.0);
  }
}

// A contact that opens carries exactly nothing, friction included, and pulls nobody back by its damper.
TEST(CompliantEdge, OpeningContactsCarryNothing) {
  for (const FrictionLaw friction : {FrictionLaw::kCoulomb, FrictionLaw::kConvexCone}) {
    CompliantProblem problem = make_particle(1.0, Vector3d(0.2, 0.0, 2.0), 0.01);
    add_particle_contact(problem, {1e3, 100.0, -1e-6}, 1e4, 0.5);
    const CompliantSolution solution = solve_edge(problem, friction);
    EXPECT_EQ(solution.lambda_n(0), 0.0);
    EXPECT_EQ(solution.lambda_r(0), 0.0);
    EXPECT_EQ(solution.states[0], ContactState::kOpen);
    EXPECT_TRUE(solution.v1 == calc_free_velocity(problem));
  }
}

// Deep penetration is pushed out at most with the speed that closes it within the step.
TEST(CompliantEdge, DeepPenetrationLeavesWithinTheStep) {
  CompliantProblem problem = make_particle(1.0, Vector3d::Zero(), 0.01);
  add_compliant_row(problem.unilateral, Vector3d::UnitZ(), {1e12, 0.0, -0.05});
  const CompliantSolution solution = solve_edge(problem);
  EXPECT_LE(solution.v1(2), 0.05 / 0.01);
  EXPECT_NEAR(solution.v1(2), 5.0, 1e-6);
}

// A gap that closes within the step lands at the depth −λ/K of its force.
TEST(CompliantEdge, GapsThatCloseLandAtTheirDepth) {
  CompliantProblem problem = make_particle(1.0, Vector3d(0.0, 0.0, -1.0), 0.01);
  add_compliant_row(problem.unilateral, Vector3d::UnitZ(), {1e7, 0.0, 0.004});
  const CompliantSolution solution = solve_edge(problem);
  const double depth = 0.004 + 0.01 * solution.v1(2);
  EXPECT_GT(solution.lambda_u(0), 0.0);
  EXPECT_NEAR(depth, -solution.lambda_u(0) / 1e7, 1e-15);
}

// Friction in a turned frame of tangents is the same vector.
TEST(CompliantEdge, TangentFrameDoesNotMatter) {
  for (const FrictionLaw friction : {FrictionLaw::kCoulomb, FrictionLaw::kConvexCone}) {
    for (const double mu : {0.05, 0.9}) {
      MatrixXd M = Eigen::Vector3d(1.0, 2.0, 1.5).asDiagonal();
      M(0, 2) = M(2, 0) = 0.3;
      CompliantProblem problem = testing::make_compliant(M, Vector3d(0.4, -0.2, -0.3), Vector3d(1.0, 0.5, -9.81), 0.01);
      add_particle_contact(problem, {1e8, 10.0, -1e-6}, 1e4, mu);
      CompliantProblem turned = problem;
      turned.r.G.clear();
      turned.s.G.clear();
      const Vector3d t(std::cos(0.7), std::sin(0.7), 0.0), s(-std::sin(0.7), std::cos(0.7), 0.0);
      turned.r.G.add_row({0, {t.data(), 3}});
      turned.s.G.add_row({0, {s.data(), 3}});
      const CompliantSolution a = solve_edge(problem, friction), b = solve_edge(turned, friction);
      EXPECT_LE((a.v1 - b.v1).norm(), 1e-12);
      const Vector3d force = t * b.lambda_r(0) + s * b.lambda_s(0);
      const double scale = std::abs(a.lambda_n(0));
      EXPECT_NEAR(force(0), a.lambda_r(0), 1e-12 * scale);
      EXPECT_NEAR(force(1), a.lambda_s(0), 1e-12 * scale);
    }
  }
}

// A rod of 2 m at 55 degrees whose tip is dragged over the ground, in Painlevé's range: sliding has no solution with finite force,
// the tip jams at once, without a collision. Passes diverge there; the answer must still fulfil both laws.
TEST(CompliantEdge, DraggedRodJams) {
  const double x = std::cos(0.96), z = std::sin(0.96), mu = 2.5;
  const MatrixXd M = Vector3d(1.0, 1.0, 1.0 / 3.0).asDiagonal();
  CompliantProblem problem = testing::make_compliant(M, Vector3d(-2.0, 0.0, 0.0), Vector3d(0.0, -9.81, 0.0), 1e-3);
  add_compliant_row(problem.normal, Vector3d(0.0, 1.0, -x), {1e8, 0.0, 0.0});
  add_compliant_row(problem.r, Vector3d(1.0, 0.0, z), {0.0, 1e6, 0.0});
  problem.mu = VectorXd::Constant(1, mu);
  const CompliantSolution solution = solve_edge(problem);
  EXPECT_EQ(solution.states[0], ContactState::kStick);
  EXPECT_LE(std::abs(solution.lambda_r(0)), mu * solution.lambda_n(0));
  EXPECT_NEAR(solution.lambda_n(0), -1e8 * 1e-3 * problem.normal.G.dot(0, solution.v1), 1e-6 * solution.lambda_n(0));
  EXPECT_NEAR(solution.lambda_r(0), -1e6 * problem.r.G.dot(0, solution.v1), 1e-6 * solution.lambda_n(0));
}

// Too few steps to find Coulomb's answer: said so, with what was returned, and momentum balances all the same.
TEST(CompliantEdge, UnfinishedFrictionIsReported) {
  MatrixXd M = Vector3d(1.0, 2.0, 1.5).asDiagonal();
  M(0, 2) = M(2, 0) = 0.9;
  CompliantProblem problem = testing::make_compliant(M, Vector3d(0.4, -0.2, -0.3), Vector3d(1.0, 0.5, -9.81), 0.01);
  add_particle_contact(problem, {1e8, 10.0, -1e-6}, 1e4, 0.3);
  CompliantSettings settings;
  settings.max_passes = 1;
  settings.max_iterations = 1;
  CompliantSolver solver(settings);
  CompliantSolution solution;
  const SolveReport report = solver.solve(problem, {}, solution);
  EXPECT_EQ(report.status, Status::kIterationLimit);
  EXPECT_TRUE(report.methods.has(Method::kDiscs));
  EXPECT_NE(std::string(report.detail), "");
  EXPECT_LE(calc_momentum_error(problem, solution), 1e-12);
}

// What cannot be solved is refused before, with the entry named.
TEST(CompliantEdge, BadDataIsRefused) {
  const CompliantProblem good = [] {
    CompliantProblem problem = make_particle(1.0, Vector3d::Zero(), 0.01);
    add_particle_contact(problem, {1e6, 10.0, 0.0}, 1e4, 0.5);
    return problem;
  }();
  ASSERT_TRUE(validate(good));
  const auto refused = [&](const auto& spoil) {
    CompliantProblem bad = good;
    spoil(bad);
    return !validate(bad);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(refused([](CompliantProblem& p) { p.h = 0.0; }));
  EXPECT_TRUE(refused([&](CompliantProblem& p) { p.h = nan; }));
  EXPECT_TRUE(refused([](CompliantProblem& p) { p.normal.K(0) = -1.0; }));
  EXPECT_TRUE(refused([](CompliantProblem& p) { p.normal.B(0) = -1.0; }));
  EXPECT_TRUE(refused([](CompliantProblem& p) { p.mu(0) = -0.1; }));
  EXPECT_TRUE(refused([&](CompliantProblem& p) { p.v(1) = nan; }));
  EXPECT_TRUE(refused([](CompliantProblem& p) { p.f(1) = std::numeric_limits<double>::infinity(); }));
  EXPECT_TRUE(refused([](CompliantProblem& p) { p.mass.block(0)(2, 2) = 0.0; }));
  EXPECT_TRUE(refused([](CompliantProblem& p) {
    p.normal.K(0) = 1e308;
    p.h = 1e3;
  }));
  EXPECT_TRUE(refused([](CompliantProblem& p) { p.normal.phi.resize(0); }));
  EXPECT_TRUE(refused([](CompliantProblem& p) { p.rate_scale = VectorXd::Constant(1, 0.0); }));
  EXPECT_TRUE(refused([](CompliantProblem& p) { p.mu.resize(0); }));
}

// Numbers that overflow inside are a breakdown that says so, not a NaN.
TEST(CompliantEdge, OverflowIsABreakdown) {
  CompliantProblem problem = make_particle(1.0, Vector3d(1.0, 0.0, -1.0), 1.0);
  add_compliant_row(problem.unilateral, 1e300 * Vector3d::UnitZ(), {1e300, 0.0, -1.0});
  ASSERT_TRUE(validate(problem));
  CompliantSolver solver;
  CompliantSolution solution;
  const SolveReport report = solver.solve(problem, {}, solution);
  EXPECT_EQ(report.status, Status::kBreakdown);
  EXPECT_TRUE(solution.v1.allFinite());
  EXPECT_NE(std::string(report.detail), "");
}

}  // namespace
}  // namespace tribo
