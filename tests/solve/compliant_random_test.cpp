// Compliant steps at random, over ten orders of magnitude of stiffness: properties that hold for every problem.
#include "tribo/certify/compliant.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"

#include <string>

#include "solve/compliant_scenes.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr int kProblems = 20000;

// Kinetic energy and that of the springs never exceed those of v* and of the springs at the start (spec B.2), momentum balances,
// nothing pulls, friction stays within its cone.
void expect_physics(const CompliantProblem& problem, const CompliantSolution& x) {
  EXPECT_TRUE(x.v1.allFinite());
  EXPECT_LE(testing::calc_momentum_error(problem, x), 1e-12);
  const VectorXd v_star = testing::calc_free_velocity(problem), at_rest = VectorXd::Zero(problem.dof());
  const double before = testing::calc_energy(problem, v_star, at_rest),
               after = testing::calc_energy(problem, x.v1, x.v1);
  EXPECT_LE(after, before * (1.0 + 1e-9));
  double largest = 0.0;
  for (const VectorXd* part : {&x.lambda_u, &x.lambda_n}) {
    if (part->size() == 0) continue;
    EXPECT_GE(part->minCoeff(), 0.0);
    largest = std::max(largest, part->maxCoeff());
  }
  for (Index i = 0; i < problem.contacts(); ++i) {
    const double s = problem.s.rows() > 0 ? x.lambda_s(i) : 0.0;
    EXPECT_LE(std::hypot(x.lambda_r(i), s), problem.mu(i) * x.lambda_n(i) + 1e-9 * largest);
  }
}

bool is_refused(const CompliantProblem& problem, const Compliant& model, const CompliantSolution& x) {
  const Certificate certificate = certify(problem, model, x);
  EXPECT_FALSE(std::isnan(certificate.worst));
  return !certificate.passes(1e-8);
}

// The convex cone is the guaranteed alternative: every step has an answer, it is found, and it certifies.
TEST(CompliantRandom, ConvexConeIsPassiveAndBalanced) {
  const Compliant model{UnilateralLaw::kComplementarity, FrictionLaw::kConvexCone};
  int unsolved = 0, refused = 0;
  for (int k = 0; k < kProblems; ++k) {
    SCOPED_TRACE(k);
    const CompliantProblem problem =
        testing::make_random_compliant(static_cast<std::uint64_t>(k), k % 2 == 0 ? 0.0 : 0.4);
    ASSERT_TRUE(validate(problem));
    CompliantSolver solver;
    CompliantSolution solution;
    const SolveReport report = solver.solve(problem, model, solution);
    if (report.status != Status::kSolved) {
      EXPECT_EQ(report.status, Status::kIterationLimit);
      EXPECT_TRUE(solution.v1.allFinite());
      ++unsolved;
      continue;
    }
    if (is_refused(problem, model, solution)) {
      ++refused;
    } else {
      expect_physics(problem, solution);
    }
  }
  EXPECT_EQ(unsolved, 0);
  EXPECT_EQ(refused, 0);
}

// Coulomb's law may have no answer; what is claimed to be one certifies.
TEST(CompliantRandom, CoulombIsPassiveAndBalancedWhereSolved) {
  int unsolved = 0, frictional = 0, refused = 0;
  for (int k = 0; k < kProblems; ++k) {
    SCOPED_TRACE(k);
    const CompliantProblem problem =
        testing::make_random_compliant(static_cast<std::uint64_t>(k), k % 2 == 0 ? 0.0 : 0.4);
    CompliantSolver solver;
    CompliantSolution solution;
    const SolveReport report = solver.solve(problem, {}, solution);
    frictional += problem.contacts() > 0 ? 1 : 0;
    if (report.status != Status::kSolved) {
      EXPECT_EQ(report.status, Status::kIterationLimit);
      EXPECT_TRUE(report.methods.has(Method::kDiscs));
      EXPECT_NE(std::string(report.detail), "");
      EXPECT_TRUE(solution.v1.allFinite());
      EXPECT_LE(testing::calc_momentum_error(problem, solution), 1e-12);
      ++unsolved;
      continue;
    }
    if (is_refused(problem, {}, solution)) {
      ++refused;
    } else {
      expect_physics(problem, solution);
    }
  }
  EXPECT_EQ(refused, 0);
  EXPECT_LE(unsolved, frictional / 500);  // steep normals and mu up to 1.2
}

// The answer as a start is confirmed by one system, whatever the stiffness; under Coulomb's law that system may be singular in
// all but the last digits, and then it is not.
TEST(CompliantRandom, WarmStartAtTheAnswerCostsOneSystem) {
  int singular = 0;
  for (int k = 0; k < kProblems / 3; ++k) {
    const CompliantProblem problem = testing::make_random_compliant(static_cast<std::uint64_t>(k), 0.0);
    for (const FrictionLaw friction : {FrictionLaw::kCoulomb, FrictionLaw::kConvexCone}) {
      SCOPED_TRACE(k);
      const Compliant model{UnilateralLaw::kComplementarity, friction};
      CompliantSolver solver;
      CompliantSolution solution;
      if (solver.solve(problem, model, solution).status != Status::kSolved) continue;
      const SolveReport again = solver.solve(problem, model, solution);
      EXPECT_EQ(again.status, Status::kSolved);
      if (again.pivots <= 1) continue;
      EXPECT_EQ(friction, FrictionLaw::kCoulomb);
      ++singular;
    }
  }
  EXPECT_LE(singular, kProblems / 10000);
}

// Systems of bodies and systems of all degrees of freedom have one answer, joints and rows of every stiffness included.
TEST(CompliantRandom, FactorsByBodiesGiveTheSameAnswer) {
  CompliantSettings by_bodies;
  by_bodies.dense_dofs = 0;
  for (int k = 0; k < kProblems / 10; ++k) {
    SCOPED_TRACE(k);
    const CompliantProblem problem = testing::make_random_compliant(static_cast<std::uint64_t>(k), 0.4);
    const Compliant model{UnilateralLaw::kComplementarity, FrictionLaw::kConvexCone};
    CompliantSolution dense, sparse;
    ASSERT_EQ(CompliantSolver().solve(problem, model, dense).status, Status::kSolved);
    ASSERT_EQ(CompliantSolver(by_bodies).solve(problem, model, sparse).status, Status::kSolved);
    EXPECT_TRUE(certify(problem, model, sparse).passes(1e-8));
    const double scale = std::max({1.0, problem.v.norm(), dense.v1.norm()});
    EXPECT_LE((sparse.v1 - dense.v1).norm(), 1e-8 * scale);
  }
}

// A start from somewhere else, or of a wrong size, changes the way and not the answer.
TEST(CompliantRandom, StartsDoNotChangeTheConvexAnswer) {
  for (int k = 0; k < 500; ++k) {
    SCOPED_TRACE(k);
    const CompliantProblem problem = testing::make_random_compliant(static_cast<std::uint64_t>(k), 0.4);
    const Compliant model{UnilateralLaw::kComplementarity, FrictionLaw::kConvexCone};
    CompliantSolver solver;
    CompliantSolution cold, warm;
    if (solver.solve(problem, model, cold).status != Status::kSolved) continue;
    warm = cold;
    warm.v1 = 2.0 * warm.v1 + VectorXd::Constant(problem.dof(), 0.1);
    warm.lambda_n *= 0.0;
    if (solver.solve(problem, model, warm).status != Status::kSolved) continue;
    const double scale = std::max({1.0, problem.v.norm(), cold.v1.norm()});
    EXPECT_LE((warm.v1 - cold.v1).norm(), 1e-8 * scale);
  }
}

}  // namespace
}  // namespace tribo
