// A compliant step like the last allocates nothing.
#include "tribo/solve/compliant/compliant_solver.hpp"
#include "tribo/solve/compliant/foundation_solver.hpp"

#include <cmath>

#include "guard.hpp"
#include "solve/compliant_scenes.hpp"
#include "solve/foundation_scenes.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// `stiffest`: no row is stiffer, nor more damped.
void expect_no_allocations(Index dense_dofs, double stiffest) {
  CompliantSettings settings;
  settings.dense_dofs = dense_dofs;
  for (const FrictionLaw friction : {FrictionLaw::kCoulomb, FrictionLaw::kConvexCone}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(seed);
      CompliantProblem problem = testing::make_random_compliant(seed, 0.0);
      for (CompliantRows* rows : {&problem.bilateral, &problem.unilateral, &problem.normal, &problem.r, &problem.s}) {
        rows->K = rows->K.cwiseMin(stiffest);
        rows->B = rows->B.cwiseMin(stiffest);
      }
      const Compliant model{UnilateralLaw::kComplementarity, friction};
      CompliantSolver solver(settings);
      CompliantSolution solution;
      SolveReport report = solver.solve(problem, model, solution);
      problem.v *= 0.9;
      report = solver.solve(problem, model, solution);
      problem.v *= 0.9;
      const int count = testing::count_allocations([&] { report = solver.solve(problem, model, solution); });
      EXPECT_TRUE(solution.v1.allFinite());
      EXPECT_EQ(count, 0);
      const int again = testing::count_allocations([&] { report = solver.solve(problem, model, solution); });
      EXPECT_EQ(again, 0);
    }
  }
}

// Problems with rows of every kind, solved again from their answer and from another start.
TEST(CompliantAllocation, StepsLikeTheLastAllocateNothing) { expect_no_allocations(120, 1e15); }

// Many bodies likewise, while rows join the same ones and are not too stiff for blocks.
TEST(CompliantAllocation, FactorsByBodiesAllocateNothing) { expect_no_allocations(0, 1e4); }

// Many rows on one body, of which others lift in every step.
TEST(CompliantAllocation, ManyRowsOnOneBodyAllocateNothing) {
  CompliantProblem problem = testing::make_particle(1.0, Vector3d(0.3, 0.2, -1.0), 0.01);
  for (int i = 0; i < 300; ++i) {
    const double angle = 0.1 * i;
    testing::add_compliant_row(problem.unilateral, Vector3d(std::cos(angle), std::sin(angle), 1.0),
                               {1e3, 1.0, 1e-5 * (i % 7)});
  }
  CompliantSolver solver;
  CompliantSolution solution;
  SolveReport report = solver.solve(problem, {}, solution);
  report = solver.solve(problem, {}, solution);
  for (int k = 0; k < 20; ++k) {
    problem.v = Vector3d(std::cos(0.7 * k), std::sin(0.7 * k), -0.5);
    EXPECT_EQ(testing::count_allocations([&] { report = solver.solve(problem, {}, solution); }), 0);
    EXPECT_EQ(report.status, Status::kSolved);
  }
}

// The same in the mode that feeds the velocity product forward.
TEST(CompliantAllocation, PaperModeAllocatesNothing) {
  CompliantProblem problem = testing::make_particle(1.0, Vector3d(1.0, 2.0, 3.0), 0.01);
  testing::add_compliant_row(problem.bilateral, Vector3d::UnitX(), {1e6, 1.0, 1e-4});
  testing::add_compliant_row(problem.bilateral, Vector3d(1.0, 1.0, 0.0), {1e6, 1.0, 1e-4});
  problem.bilateral.drift = VectorXd::Constant(2, 0.3);
  problem.product = VelocityProduct::kPaper;
  CompliantSolver solver;
  CompliantSolution solution;
  SolveReport report = solver.solve(problem, {}, solution);
  report = solver.solve(problem, {}, solution);
  EXPECT_EQ(testing::count_allocations([&] { report = solver.solve(problem, {}, solution); }), 0);
  EXPECT_EQ(report.status, Status::kSolved);
}

// Steps on one layer, of which other elements lift in every step.
TEST(CompliantAllocation, StepsOnALayerAllocateNothing) {
  FoundationProblem problem = testing::make_foundation(MatrixXd::Identity(6, 6), Vector3d::Zero(),
                                                       make_rectangular_layer(1.0, 1.0, 20, 20, 1e5, 10.0));
  FoundationSolver solver;
  CompliantSolution solution;
  SolveReport report = solver.solve(problem, solution);
  for (int k = 0; k < 20; ++k) {
    problem.f << 0.0, 0.0, -20.0, 8.0 * std::cos(0.7 * k), 8.0 * std::sin(0.7 * k), 0.0;
    EXPECT_EQ(testing::count_allocations([&] { report = solver.solve(problem, solution); }), 0);
    EXPECT_EQ(report.status, Status::kSolved);
    EXPECT_TRUE((solution.lambda_u.array() == 0.0).any());
  }
}

}  // namespace
}  // namespace tribo
