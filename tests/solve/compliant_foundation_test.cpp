// A box on an elastic foundation of many springs (spec E.4): many rows on six degrees of freedom.
#include "tribo/solve/compliant/compliant_solver.hpp"

#include <algorithm>
#include <cmath>

#include "solve/compliant_scenes.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// A cube of 1 m and 8 kg on side × side springs of a layer with Young's modulus E and 1 m depth, pressed by a load of 50 N that
// wanders along the circle of its upper face; small turns.
struct FoundationBox {
  int side = 30;
  double E = 1e11, depth = 0.0, turn_x = 0.0, turn_y = 0.0, momentum_error = 0.0;
  CompliantProblem problem;
  CompliantSolution solution;
  CompliantSolver solver;

  explicit FoundationBox(int elements_per_side, double modulus) : side(elements_per_side), E(modulus) {
    MatrixXd M = 8.0 * MatrixXd::Identity(6, 6);
    M.bottomRightCorner(3, 3) /= 6.0;
    problem = testing::make_compliant(M, VectorXd::Zero(6), VectorXd::Zero(6), 0.01);
    depth = -8.0 * 9.81 / E;
    const Index n = side * side;
    problem.unilateral.K.setConstant(n, E / static_cast<double>(n));
    problem.unilateral.B.setConstant(n, 1.0);
    problem.unilateral.phi.resize(n);
    for (Index i = 0; i < n; ++i) {
      const double G[6] = {0.0, 0.0, 1.0, y(i), -x(i), 0.0};
      problem.unilateral.G.add_row({0, {G, 6}});
    }
  }

  double x(Index i) const { return (static_cast<double>(i % side) + 0.5) / side - 0.5; }
  double y(Index i) const { return (static_cast<double>(i / side) + 0.5) / side - 0.5; }

  SolveReport step(int k) {
    const double angle = 10.0 * 0.01 * k;
    problem.f << 0.0, 0.0, -8.0 * 9.81 - 50.0, -25.0 * std::sin(angle), 25.0 * std::cos(angle), 0.0;
    for (Index i = 0; i < problem.unilateral.rows(); ++i)
      problem.unilateral.phi(i) = depth + y(i) * turn_x - x(i) * turn_y;
    const SolveReport report = solver.solve(problem, {}, solution);
    momentum_error = testing::calc_momentum_error(problem, solution);
    problem.v = solution.v1;
    depth += problem.h * solution.v1(2);
    turn_x += problem.h * solution.v1(3);
    turn_y += problem.h * solution.v1(4);
    return report;
  }
};

// Every step is solved with a few systems, whatever the number of springs, and springs that have lifted carry nothing.
TEST(CompliantFoundation, FewSystemsPerStepWhateverTheRows) {
  for (const int side : {10, 30, 60}) {
    for (const double E : {1e7, 1e11}) {
      SCOPED_TRACE(side);
      FoundationBox box(side, E);
      int systems = 0;
      for (int k = 0; k < 100; ++k) {
        const SolveReport report = box.step(k);
        ASSERT_EQ(report.status, Status::kSolved);
        systems += report.pivots;
        for (Index i = 0; i < box.problem.unilateral.rows(); ++i) {
          const double phi = box.problem.unilateral.phi(i) + 0.01 * box.problem.unilateral.G.dot(i, box.solution.v1);
          const double K = box.problem.unilateral.K(i), rate = box.problem.unilateral.G.dot(i, box.solution.v1);
          const double law = std::max(0.0, -K * phi - rate);
          ASSERT_NEAR(box.solution.lambda_u(i), law, 1e-6 * (50.0 + 8.0 * 9.81));
        }
        ASSERT_LE(box.momentum_error, 1e-12);
      }
      EXPECT_LE(systems, 400);
    }
  }
}

}  // namespace
}  // namespace tribo
