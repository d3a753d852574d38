// Newton's method under an energy (energy_newton.hpp) and its operator (reduced_operator.hpp): what closed loops, dry friction and
// redundant feet ask for.
#include "tribo/core/random.hpp"
#include "tribo/solve/cone/cone_solver.hpp"

#include <algorithm>
#include <cmath>

#include "solve/cone/reduced_operator.hpp"
#include "solve/cone_problems.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

double random_power(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

MatrixXd random_rows(Random& random, Index rows, Index columns) {
  MatrixXd H(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < columns; ++k) H(i, k) = random.uniform(-1.0, 1.0);
  }
  return H;
}

// 30 degrees of freedom with dry friction in most of them, bounds over five decades, closed loops of which every third row nearly
// repeats the two before it, and `feet` contacts of D components whose rows are redundant.
ConeProblem make_robot(std::uint64_t seed, int D, Index feet, bool rests) {
  constexpr Index kFreedom = 30, kDry = 22, kLoops = 4;
  Random random(seed);
  const Index n = feet + kDry + kLoops;
  MatrixXd H = MatrixXd::Zero(D * n, kFreedom);
  VectorXd v(kFreedom), mu = VectorXd::Zero(n), R = VectorXd::Zero(D * n), bound = VectorXd::Zero(n);
  for (Index k = 0; k < kFreedom; ++k) v(k) = random.uniform(-1.0, 1.0);
  const MatrixXd common = random_rows(random, 8, kFreedom);  // what moves the feet
  for (Index i = 0; i < feet; ++i) {
    H.middleRows(D * i, D) = random_rows(random, D, 8) * common;
    if (D > 3) H.middleRows(D * i + 3, D - 3) *= 0.05;
    mu(i) = random.uniform(0.3, 1.0);
  }
  for (Index i = feet; i < feet + kDry; ++i) {
    H.row(D * i + 1) = random_power(random, 1.0, 30.0) * random_rows(random, 1, kFreedom);
    bound(i) = random_power(random, 1e-4, 1.0);
    mu(i) = 1.0;
    R(D * i) = H.row(D * i + 1).squaredNorm();
    for (int k = 2; k < D; ++k) R(D * i + k) = R(D * i);
  }
  for (Index i = feet + kDry; i < n; ++i) {
    H.middleRows(D * i, 3) = random_rows(random, 3, kFreedom);
    H.row(D * i + 2) = H.row(D * i) - H.row(D * i + 1) + 1e-6 * H.row(D * i + 2);
    for (int k = 3; k < D; ++k) R(D * i + k) = 1.0;
  }
  // At rest: a motion that impulses within their bounds, many of them at these, nearly undo.
  VectorXd r = VectorXd::Zero(D * n);
  for (Index i = 0; i < feet; ++i) {
    r(D * i) = random_power(random, 1e-2, 1.0);
    VectorXd friction = random_rows(random, D - 1, 1).col(0).normalized();
    r.segment(D * i + 1, D - 1) = (random.chance(0.5) ? 1.0 : random.uniform(0.0, 1.0)) * mu(i) * r(D * i) * friction;
  }
  for (Index i = feet; i < feet + kDry; ++i)
    r(D * i + 1) = bound(i) * (random.chance(0.5) ? 1.0 : random.uniform(-1.0, 1.0));
  if (rests) v = 1e-4 * v - H.transpose() * r;
  VectorXd q = H * v;
  for (Index i = feet; i < feet + kDry; ++i) q(D * i) = -R(D * i) * bound(i);
  ConeProblem problem = make_by_bodies(D, H, q, mu);
  problem.R = R;
  problem.bilateral.assign(static_cast<std::size_t>(n), 0);
  std::fill(problem.bilateral.end() - kLoops, problem.bilateral.end(), std::uint8_t{1});
  return problem;
}

// In motion and near rest, where friction is at its bounds or close to them and velocities are small: every one is solved.
TEST(EnergyNewton, SolvesRobotsWithDryFrictionLoopsAndRedundantFeet) {
  int count = 0;
  double steps = 0.0;
  for (const int D : {3, 4, 6}) {
    for (const Index feet : {0, 4, 8}) {
      for (const bool rests : {false, true}) {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
          SCOPED_TRACE(std::to_string(D) + " " + std::to_string(feet) + " " + std::to_string(seed));
          const ConeProblem problem = make_robot(seed, D, feet, rests);
          ConeSolution solution;
          const SolveReport report = ConeSolver().solve(problem, {}, solution);
          EXPECT_EQ(report.status, Status::kSolved);
          EXPECT_TRUE(report.methods.has(Method::kEnergy) || report.pivots <= 10);  // asked after the tenth step
          EXPECT_FALSE(report.fallback);                                            // and what it is asked it answers
          steps += report.pivots;
          ++count;
        }
      }
    }
  }
  EXPECT_LT(steps, 100.0 * count);
}

// The bilateral rows hold for every r, with the impulses that calc_bilateral() gives.
TEST(ReducedOperator, ObeysBilateralRowsFromTheOutset) {
  Random random(5);
  constexpr int D = 3;
  const MatrixXd rows = random_rows(random, 4 * D, 12);
  MatrixXd bilateral = random_rows(random, 6, 12);
  bilateral.row(5) = bilateral.row(0) + bilateral.row(1);
  const VectorXd q_b = bilateral * random_rows(random, 12, 1).col(0);
  cone::ReducedOperator<D> op;
  ASSERT_TRUE(op.assign(rows, VectorXd::Zero(4 * D), bilateral, q_b, 1e-8, 1e-12));
  EXPECT_EQ(op.freedom(), 7);
  cone::LaneVector r(4 * cone::kLanes<D>, 0.0), u(r.size(), 0.0);
  VectorXd impulses(4 * D);
  for (Index k = 0; k < impulses.size(); ++k) {
    impulses(k) = random.uniform(-1.0, 1.0);
    r[static_cast<std::size_t>(k / D * cone::kLanes<D> + k % D)] = impulses(k);
  }
  VectorXd r_b;
  op.calc_bilateral(r.data(), r_b);
  const VectorXd motion = rows.transpose() * impulses + bilateral.transpose() * r_b;
  EXPECT_LT((bilateral * motion + q_b).norm(), 1e-12);
  op.multiply(r.data(), u.data());
  const VectorXd expected = rows * motion;
  for (Index k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(u[static_cast<std::size_t>(k / D * cone::kLanes<D> + k % D)] + op.offset()(k), expected(k), 1e-12);
  }
}

TEST(ReducedOperator, RefusesBilateralRowsThatContradictOneAnother) {
  Random random(6);
  MatrixXd bilateral = random_rows(random, 2, 5);
  bilateral.row(1) = bilateral.row(0);
  const VectorXd q_b = (VectorXd(2) << 1.0, 1.001).finished();
  cone::ReducedOperator<3> op;
  EXPECT_FALSE(op.assign(random_rows(random, 3, 5), VectorXd::Zero(3), bilateral, q_b, 1e-8, 1e-6));
  EXPECT_TRUE(op.assign(random_rows(random, 3, 5), VectorXd::Zero(3), bilateral, q_b, 1e-8, 1e-2));
}

}  // namespace
}  // namespace tribo
