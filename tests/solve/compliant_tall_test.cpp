// Many rows without friction on few degrees of freedom, which have a way of their own, beside the factor of many bodies, which
// knows nothing of it.
#include "tribo/certify/compliant.hpp"
#include "tribo/core/random.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/compliant/tall_step.hpp"
#include "solve/compliant_scenes.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// Up to four bodies in space with full inertia, rows at one or two of them: held, pushing, and contacts without tangents. One in
// ten does not act.
CompliantProblem make_tall_problem(std::uint64_t seed, Index rows, double stiffest) {
  Random random(seed);
  const auto vector = [&] { return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)); };
  const auto bodies = static_cast<Index>(1 + seed % 4);
  CompliantProblem problem;
  problem.h = 0.01;
  problem.product = seed % 3 == 0 ? VelocityProduct::kSpring : VelocityProduct::kNone;
  for (Index b = 0; b < bodies; ++b) {
    MatrixXd A(6, 6);
    for (Index i = 0; i < 36; ++i) A(i / 6, i % 6) = random.uniform(-1, 1);
    problem.mass.append(A * A.transpose() + MatrixXd::Identity(6, 6));
  }
  problem.v.resize(problem.dof());
  problem.f.resize(problem.dof());
  for (Index i = 0; i < problem.dof(); ++i) {
    problem.v(i) = random.uniform(-1, 1);
    problem.f(i) = random.uniform(-50, 50);
  }
  for (CompliantRows* part : {&problem.bilateral, &problem.unilateral, &problem.normal, &problem.r, &problem.s}) {
    part->G = BlockRows(problem.mass.layout());
  }
  for (Index i = 0; i < rows; ++i) {
    const double kind = random.uniform(0, 1);
    CompliantRows& part = kind < 0.05 ? problem.bilateral : kind < 0.7 ? problem.unilateral : problem.normal;
    const Vector3d direction = vector().normalized(), turn = vector().cross(direction);
    double at[6] = {direction.x(), direction.y(), direction.z(), turn.x(), turn.y(), turn.z()};
    const Index a = i % bodies, b = (i / 7) % (bodies + 1);
    if (b == a || b == bodies) {
      part.G.add_row({a, {at, 6}});
    } else {
      part.G.add_row({a, {at, 6}}, {b, {at, 6}});
    }
    const bool acts = random.uniform(0, 1) > 0.1;
    testing::append_number(part.K, acts ? std::exp(random.uniform(0.0, std::log(stiffest))) : 0.0);
    testing::append_number(part.B, acts ? random.uniform(0, 10) : 0.0);
    testing::append_number(part.phi, random.uniform(-0.01, 0.01));
  }
  for (CompliantRows* part : {&problem.bilateral, &problem.unilateral}) {
    part->drift.resize(part->rows());
    for (Index i = 0; i < part->rows(); ++i) part->drift(i) = random.uniform(-5, 5);
  }
  problem.mu = VectorXd::Zero(problem.contacts());
  problem.rate_scale.resize(problem.contacts());
  for (Index i = 0; i < problem.contacts(); ++i) problem.rate_scale(i) = random.uniform(0.5, 2.0);
  return problem;
}

double largest_difference(const CompliantSolution& x, const CompliantSolution& y) {
  double largest = (x.v1 - y.v1).cwiseAbs().maxCoeff();
  const auto compare = [&](const VectorXd& a, const VectorXd& b) {
    if (a.size() > 0)
      largest = std::max(largest, (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff()));
  };
  compare(x.lambda_b, y.lambda_b);
  compare(x.lambda_u, y.lambda_u);
  compare(x.lambda_n, y.lambda_n);
  return largest;
}

// Whatever the bodies, the kinds of rows and their number (panels that are full, nearly full and nearly empty): the answer is that of
// the other method, from no start, from the last step and from a wrong one; nothing is left to Newton's method in general.
TEST(CompliantTall, AgreesWithTheFactorOfManyBodies) {
  CompliantSettings by_bodies;
  by_bodies.dense_dofs = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    CompliantProblem problem = make_tall_problem(seed, seed % 2 == 0 ? 128 + static_cast<Index>(seed) : 700, 1e6);
    ASSERT_TRUE(validate(problem));
    compliant::TallStep tall;
    CompliantSolution solution;
    for (int k = 0; k < 4; ++k) {
      ASSERT_TRUE(tall.solve(problem, {}, solution));
      CompliantSolver other(by_bodies);
      CompliantSolution expected;
      ASSERT_EQ(other.solve(problem, {}, expected).status, Status::kSolved);
      EXPECT_LE(largest_difference(solution, expected), 1e-9);
      EXPECT_EQ(solution.states, expected.states);
      EXPECT_LE(certify(problem, {}, solution).worst, 1e-10);
      EXPECT_LE(testing::calc_momentum_error(problem, solution), 1e-13);
      problem.v = k == 2 ? VectorXd(-3.0 * solution.v1) : solution.v1;  // the last start is a bad one
    }
  }
}

// At the answer, one system finds that it is one.
TEST(CompliantTall, TheAnswerAsAStartCostsOneSystem) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const CompliantProblem problem = make_tall_problem(seed, 500, 1e6);
    CompliantSolver solver;
    CompliantSolution solution;
    ASSERT_EQ(solver.solve(problem, {}, solution).status, Status::kSolved);
    const VectorXd v1 = solution.v1;
    const SolveReport report = solver.solve(problem, {}, solution);
    EXPECT_EQ(report.status, Status::kSolved);
    EXPECT_EQ(report.pivots, 1);
    EXPECT_LE((solution.v1 - v1).cwiseAbs().maxCoeff(), 1e-12 * v1.cwiseAbs().maxCoeff());
  }
}

// Rows so stiff that the square of them has no digits left are the business of the other method, and still solved.
TEST(CompliantTall, VeryStiffRowsAreSolvedAllTheSame) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const CompliantProblem problem = make_tall_problem(seed, 300, 1e17);
    CompliantSolver solver;
    CompliantSolution solution;
    ASSERT_EQ(solver.solve(problem, {}, solution).status, Status::kSolved);
    EXPECT_TRUE(certify(problem, {}, solution).passes(1e-8));
    EXPECT_LE(testing::calc_momentum_error(problem, solution), 1e-12);
  }
}

// From speeds a million times too large the first step leaves an error that many digits of the corrections go into: momentum is
// balanced all the same, though what u is rounded to is worth 1e-5 of the impulse of a stiff row among soft ones.
TEST(CompliantTall, AStartFarOffLeavesNoErrorInTheForces) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    CompliantProblem problem = testing::make_particle(1.0, Vector3d(0.3, -0.2, 1.0), 0.01);
    for (int i = 0; i < 40; ++i) {
      const Vector3d direction(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      const bool stiff = i == 0;
      testing::add_compliant_row(problem.bilateral, direction, {stiff ? 1e15 : random.uniform(10, 1e3), 0.0, 0.0});
    }
    CompliantSolution solution;
    solution.v1 = Vector3d(1e6, -2e6, 3e6);
    solution.lambda_b.setZero(problem.bilateral.rows());
    CompliantSolver solver;
    ASSERT_EQ(solver.solve(problem, {}, solution).status, Status::kSolved);
    EXPECT_LE(testing::calc_momentum_error(problem, solution), 1e-13);
    EXPECT_LE(certify(problem, {}, solution).worst, 1e-12);
  }
}

// Where Newton's method does not settle between rows of very different stiffness, softer ones lead there: without friction, too.
TEST(CompliantTall, RowsWithoutFrictionAreReachedByWayOfSofterOnes) {
  CompliantProblem problem = make_tall_problem(2975, 130, 1e17);
  problem.h = 0.1;
  CompliantSolver solver;
  CompliantSolution solution;
  ASSERT_EQ(solver.solve(problem, {}, solution).status, Status::kSolved);
  EXPECT_TRUE(certify(problem, {}, solution).passes(1e-8));
}

// A number that is not finite is no row that carries nothing.
TEST(CompliantTall, ANumberThatIsNotFiniteIsTold) {
  CompliantProblem problem = make_tall_problem(3, 300, 1e6);
  problem.unilateral.phi(7) = std::numeric_limits<double>::quiet_NaN();
  problem.unilateral.K(7) = 1e3;
  CompliantSolver solver;
  CompliantSolution solution;
  EXPECT_EQ(solver.solve(problem, {}, solution).status, Status::kBreakdown);
}

}  // namespace
}  // namespace tribo
