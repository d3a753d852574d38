// FoundationSolver: a face on an elastic layer, judged by the certificate of its rows and by the solver of rows.
#include "tribo/certify/compliant.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"
#include "tribo/solve/compliant/foundation_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/foundation_scenes.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

MatrixXd box_mass(double mass, double side) {
  MatrixXd M = mass * MatrixXd::Identity(6, 6);
  M.bottomRightCorner(3, 3) *= side * side / 6.0;
  return M;
}

// Pressed flat, every element carries the same, and together they are one spring.
TEST(Foundation, PressedFlatItIsOneSpring) {
  for (const Index side : {1, 5, 8, 13}) {
    FoundationProblem problem = testing::make_foundation(box_mass(8.0, 1.0), Vector3d::Zero(),
                                                         make_rectangular_layer(1.0, 1.0, side, side, 4e4, 0.0));
    problem.h = 0.01;
    problem.f(2) = -8.0 * 9.81;
    problem.gap(0) = -0.001;
    CompliantSolution solution;
    ASSERT_EQ(FoundationSolver().solve(problem, solution).status, Status::kSolved);
    // m v1 = h (f − k (φ + h v1))
    const double v1 = 0.01 * (40.0 - 8.0 * 9.81) / (8.0 + 4.0);
    EXPECT_NEAR(solution.v1(2), v1, 1e-14);
    const double force = 4e4 * (0.001 - 0.01 * v1) / static_cast<double>(side * side);
    for (Index i = 0; i < side * side; ++i) EXPECT_NEAR(solution.lambda_u(i), force, 1e-11 * force);
  }
}

// Every random problem certifies, in the first step and in the next ones of the same solver, and v1 is that of the rows.
TEST(Foundation, RandomProblemsAgreeWithTheirRows) {
  int fallbacks = 0, loaded = 0, lifted = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    FoundationProblem problem = testing::make_random_foundation(seed);
    ASSERT_TRUE(validate(problem)) << validate(problem).error().text();
    FoundationSolver solver;
    CompliantSolution solution;
    for (int step = 0; step < 4; ++step) {
      const SolveReport report = solver.solve(problem, solution);
      ASSERT_EQ(report.status, Status::kSolved);
      fallbacks += report.fallback ? 1 : 0;
      const Certificate certificate = certify(problem, solution);
      ASSERT_TRUE(certificate.passes(1e-9)) << certificate.worst;
      loaded += (solution.lambda_u.array() > 0.0).any() ? 1 : 0;
      lifted += (solution.lambda_u.array() == 0.0).any() ? 1 : 0;
      if (step == 0) {
        const CompliantProblem rows = to_rows(problem);
        CompliantSolution by_rows;
        ASSERT_EQ(CompliantSolver().solve(rows, {}, by_rows).status, Status::kSolved);
        const double scale = std::max({problem.v.norm(), by_rows.v1.norm(), 1e-12});
        // Where mass and stiffness leave v1 itself in doubt the certificate decides.
        ASSERT_LE((solution.v1 - by_rows.v1).norm(), 1e-7 * scale);
      }
      problem.v = solution.v1;
      for (Index i = 0; i < 3; ++i) problem.gap(i) += problem.h * problem.T.dot(i, solution.v1);
    }
  }
  EXPECT_LE(fallbacks, 150);  // of 12,000: flaps and faces far from their origin, the stiffest ones
  EXPECT_GE(loaded, 3000);
  EXPECT_GE(lifted, 3000);
}

// Sums are exact: what a solver saw before leaves no trace in the answer.
TEST(Foundation, ForgetsWhatItSawBefore) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const FoundationProblem problem = testing::make_random_foundation(seed);
    FoundationProblem other = problem;
    CompliantSolution fresh, after, ignored;
    ASSERT_EQ(FoundationSolver().solve(problem, fresh).status, Status::kSolved);
    FoundationSolver solver;
    for (const double tilt : {1.0, -1.0, 3.0}) {
      other.gap = Vector3d(0.1, tilt, -0.5 * tilt).cwiseProduct(problem.gap);
      ASSERT_EQ(solver.solve(other, ignored).status, Status::kSolved);
    }
    ASSERT_EQ(solver.solve(problem, after).status, Status::kSolved);
    // Which elements are loaded within rounding of zero may differ, and nothing else.
    const double scale = std::max(1e-300, fresh.v1.norm());
    EXPECT_LE((after.v1 - fresh.v1).norm(), 1e-15 * scale);
  }
}

// Elements across a gap are damped by nothing, however fast they close; those that touch are, also where there is no spring.
TEST(Foundation, DampsWhatTouches) {
  FoundationProblem problem = testing::make_foundation(box_mass(1.0, 1.0), Vector3d::Zero(),
                                                       make_rectangular_layer(1.0, 1.0, 10, 10, 0.0, 50.0));
  problem.h = 0.1;
  problem.v(2) = -1.0;
  CompliantSolution solution;
  problem.gap(0) = 1e-9;
  ASSERT_EQ(FoundationSolver().solve(problem, solution).status, Status::kSolved);
  EXPECT_EQ(solution.v1(2), -1.0);
  EXPECT_EQ(solution.lambda_u.sum(), 0.0);
  problem.gap(0) = 0.0;
  ASSERT_EQ(FoundationSolver().solve(problem, solution).status, Status::kSolved);
  EXPECT_NEAR(solution.v1(2), -1.0 / 6.0, 1e-14);
  EXPECT_NEAR(solution.lambda_u.sum(), 50.0 / 6.0, 1e-12);
  EXPECT_TRUE(certify(problem, solution).passes(1e-12));
}

// No element, no stiffness, elements that fill no tile or one and one more, all in one point.
TEST(Foundation, OddLayers) {
  for (const Index count : {0, 1, 2, 63, 64, 65, 129}) {
    for (const double stiffness : {0.0, 1e4, 1e15}) {
      SCOPED_TRACE(count);
      FoundationProblem problem =
          testing::make_foundation(box_mass(2.0, 0.5), Vector3d(0.1, -0.2, 0.0),
                                   make_rectangular_layer(0.5, 0.3, count, count > 0 ? 1 : 0, stiffness, 0.0));
      problem.f(2) = -20.0;
      problem.gap = {-1e-6, 1e-6, 3e-6};
      CompliantSolution solution;
      ASSERT_EQ(FoundationSolver().solve(problem, solution).status, Status::kSolved);
      EXPECT_EQ(solution.lambda_u.size(), count);
      const Certificate certificate = certify(problem, solution);
      EXPECT_TRUE(certificate.passes(1e-10)) << certificate.worst;
      if (stiffness == 0.0 || count == 0) {
        EXPECT_NEAR(solution.v1(2), -0.1, 1e-15);
      }
    }
  }
  // Sizes at the end of the range of numbers are left to the rows.
  for (const double size : {1e-160, 1e150}) {
    FoundationProblem problem = testing::make_foundation(box_mass(2.0, 0.5), Vector3d::Zero(),
                                                         make_rectangular_layer(size, size, 9, 9, 0.0, 0.0));
    problem.f(2) = -20.0;
    CompliantSolution solution;
    ASSERT_EQ(FoundationSolver().solve(problem, solution).status, Status::kSolved);
    EXPECT_NEAR(solution.v1(2), -0.1, 1e-15);
  }
  ElasticLayer point;
  point.x = point.y = VectorXd::Constant(5, 3.0);
  point.area = VectorXd::Constant(5, 0.1);
  point.stiffness = 1e6;
  FoundationProblem problem = testing::make_foundation(box_mass(2.0, 0.5), Vector3d::Zero(), std::move(point));
  problem.gap(0) = -1e-4;
  CompliantSolution solution;
  ASSERT_EQ(FoundationSolver().solve(problem, solution).status, Status::kSolved);
  EXPECT_TRUE(certify(problem, solution).passes(1e-12));
}

// A flap on a layer that reaches to its hinge: the elements there move nothing, and carry exactly nothing.
TEST(Foundation, ElementsOnAHinge) {
  ElasticLayer layer = make_rectangular_layer(0.4, 0.2, 9, 5, 1e6, 10.0);
  layer.x.array() -= layer.x.minCoeff();
  for (const double stiffness : {1e6, 1e9, 1e12}) {
    layer.stiffness = stiffness;
    FoundationProblem problem;
    problem.mass.append(MatrixXd::Constant(1, 1, 0.3));
    problem.v = problem.f = VectorXd::Zero(1);
    problem.layer = std::make_shared<ElasticLayer>(layer);
    problem.T = BlockRows(problem.mass.layout());
    for (const double rate : {0.0, 1.0, 0.0}) problem.T.add_row({0, {&rate, 1}});
    FoundationSolver solver;
    CompliantSolution solution;
    for (int k = 0; k < 300; ++k) {
      problem.f(0) = -20.0 + 30.0 * std::sin(0.1 * k);
      ASSERT_EQ(solver.solve(problem, solution).status, Status::kSolved);
      const Certificate certificate = certify(problem, solution);
      ASSERT_TRUE(certificate.passes(1e-9)) << certificate.worst;
      problem.v = solution.v1;
      problem.gap(1) += problem.h * solution.v1(0);
    }
  }
}

// A body that leaves a stiff layer over an edge is free, and the solver knows it.
TEST(Foundation, LetsGoOfAFaceThatLeaves) {
  FoundationProblem problem =
      testing::make_foundation(box_mass(2.0, 0.5), Vector3d::Zero(), make_rectangular_layer(0.5, 0.5, 8, 8, 1e14, 0.0));
  problem.gap = {1e-4, 4.5e-4, 1e-5};
  problem.v << 0.0, 0.0, -0.3, 0.1, 2.0, 0.0;
  FoundationSolver solver;
  CompliantSolution solution;
  int last_fallback = 0;
  for (int k = 0; k < 200; ++k) {
    const SolveReport report = solver.solve(problem, solution);
    ASSERT_EQ(report.status, Status::kSolved);
    ASSERT_TRUE(certify(problem, solution).passes(1e-9));
    if (report.fallback) last_fallback = k;
    problem.v = solution.v1;
    for (Index i = 0; i < 3; ++i) problem.gap(i) += problem.h * problem.T.dot(i, solution.v1);
  }
  EXPECT_LE(last_fallback, 20);
}

// Another layer is another start; the old one may be gone by then.
TEST(Foundation, LayersMayChange) {
  FoundationSolver solver;
  CompliantSolution solution;
  for (const Index side : {20, 7, 31}) {
    FoundationProblem problem = testing::make_foundation(box_mass(2.0, 0.5), Vector3d::Zero(),
                                                         make_rectangular_layer(1.0, 1.0, side, side, 1e6, 10.0));
    problem.f << 0.0, 0.0, -20.0, 8.0, 0.0, 0.0;
    ASSERT_EQ(solver.solve(problem, solution).status, Status::kSolved);
    ASSERT_EQ(solution.lambda_u.size(), side * side);
    EXPECT_TRUE(certify(problem, solution).passes(1e-10));
  }
}

// What is not finite ends as the solver of rows ends it: said, not crashed.
TEST(Foundation, SaysSoWhereNumbersAreNotFinite) {
  FoundationProblem problem =
      testing::make_foundation(box_mass(2.0, 0.5), Vector3d::Zero(), make_rectangular_layer(1.0, 1.0, 5, 5, 1e6, 10.0));
  problem.v(2) = std::numeric_limits<double>::quiet_NaN();
  CompliantSolution solution;
  const SolveReport report = FoundationSolver().solve(problem, solution);
  EXPECT_FALSE(is_solved(report.status));
  EXPECT_TRUE(report.fallback);
  problem.layer.reset();
  EXPECT_THROW(static_cast<void>(FoundationSolver().solve(problem, solution)), ContractError);
  EXPECT_THROW(static_cast<void>(certify(problem, solution)), ContractError);
}

// A box that rocks on many elements needs few systems a step, loads what is under it and nothing that has lifted.
TEST(Foundation, RockingNeedsFewSystems) {
  FoundationProblem problem = testing::make_foundation(box_mass(8.0, 1.0), Vector3d::Zero(),
                                                       make_rectangular_layer(1.0, 1.0, 60, 60, 1e9, 100.0));
  problem.h = 0.01;
  FoundationSolver solver;
  CompliantSolution solution;
  int systems = 0;
  Index lifted = 0;
  for (int k = 0; k < 200; ++k) {
    problem.f << 0.0, 0.0, -130.0, -25.0 * std::sin(0.1 * k), 25.0 * std::cos(0.1 * k), 0.0;
    const SolveReport report = solver.solve(problem, solution);
    ASSERT_EQ(report.status, Status::kSolved);
    ASSERT_FALSE(report.fallback);
    systems += report.pivots;
    const Certificate certificate = certify(problem, solution);
    ASSERT_TRUE(certificate.passes(1e-11)) << certificate.worst;
    problem.v = solution.v1;
    for (Index i = 0; i < 3; ++i) problem.gap(i) += problem.h * problem.T.dot(i, solution.v1);
    lifted = std::max(lifted, (solution.lambda_u.array() == 0.0).count());
  }
  EXPECT_LE(systems, 800);
  EXPECT_GE(lifted, 100);
}

}  // namespace
}  // namespace tribo
