// Inverse dynamics: the force that makes a step end where it ends.
#include "tribo/contact/compliant_inverse.hpp"

#include "tribo/contact/solve.hpp"

#include "contact/compliant_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::RandomStep;
using testing::StepShape;

constexpr Compliant kInverseCone = {UnilateralLaw::kComplementarity, FrictionLaw::kConvexCone};

// From f to v1 by the solver and back by the laws: the digits that D (G v1 + β) leaves.
TEST(CompliantInverse, RoundTrips) {
  Random random(5);
  double worst = 0.0;
  int solved = 0;
  for (int k = 0; k < 1000; ++k) {
    StepShape shape{.planar = k % 3 == 0, .bodies = 2, .bilateral = 1, .unilateral = 2, .contacts = 3};
    shape.stiffest = 1e4;
    CompliantProblem problem = RandomStep(shape, random).make();
    problem.r.B *= 0.01;  // an error of v1 shows D times in f
    problem.s.B *= 0.01;
    for (const Compliant& model : {Compliant{}, kInverseCone}) {
      const CompliantAnswer answer = solve(problem, model);
      if (!is_solved(answer.status)) continue;
      ++solved;
      const auto inverse = solve_inverse(problem, model, answer.solution.v1);
      ASSERT_TRUE(inverse.has_value()) << inverse.error().text();
      const double size = (problem.mass.multiply(problem.v) / problem.h).norm() + problem.f.norm();
      worst = std::max(worst, (inverse->f - problem.f).norm() / size);
      EXPECT_EQ(inverse->solution.states, answer.solution.states);
    }
  }
  EXPECT_LE(worst, 1e-12);
  EXPECT_GE(solved, 1900);
}

// The references, whose forces are known to 50 digits.
TEST(CompliantInverse, FindsTheForcesOfTheReferences) {
  int seen = 0;
  for (const char* name : {"u1_particle", "u4_tilted_plate", "u7_with_bilateral", "f1_2d_particle_stick",
                           "f2_2d_particle_slide", "f5_3d_particle_slide", "f6_3d_anisotropic",
                           "f7_3d_stick_slide_open", "f8_3d_full_system", "f10_3d_separating_while_sliding"}) {
    const CompliantFile file = testing::compliant_reference(name);
    for (const CompliantReference& reference : file.solutions) {
      CompliantProblem problem = file.problem;
      Compliant model;
      testing::choose_model(reference.model, problem, model);
      if (reference.model == "qp" || reference.model == "paper_qcqp") {
        EXPECT_FALSE(solve_inverse(problem, model, reference.solution.v1).has_value());
        continue;
      }
      const auto inverse = solve_inverse(problem, model, reference.solution.v1);
      ASSERT_TRUE(inverse.has_value());
      const double size = (problem.mass.multiply(problem.v) / problem.h).norm() + problem.f.norm();
      EXPECT_LE((inverse->f - problem.f).norm(), 1e-9 * size) << name << " " << reference.model;
      ++seen;
    }
  }
  EXPECT_EQ(seen, 3 + 14);
}

// Tangents of different stiffness: friction opposes the slip beyond the compliance, and the solver agrees.
TEST(CompliantInverse, HandlesUnequalTangents) {
  Random random(6);
  for (int k = 0; k < 200; ++k) {
    CompliantProblem problem = RandomStep({.contacts = 2, .stiffest = 1e4}, random).make();
    problem.s.B *= 30.0;
    for (const Compliant& model : {Compliant{}, kInverseCone}) {
      const CompliantAnswer answer = solve(problem, model);
      if (!is_solved(answer.status)) continue;
      const auto inverse = solve_inverse(problem, model, answer.solution.v1);
      const double size = (problem.mass.multiply(problem.v) / problem.h).norm() + problem.f.norm();
      EXPECT_LE((inverse->f - problem.f).norm(), 1e-9 * size) << k;
    }
  }
}

// Bad data are refused with a reason.
TEST(CompliantInverse, RefusesBadData) {
  CompliantFile file = testing::compliant_reference("b3_pendulum_soft");
  EXPECT_FALSE(solve_inverse(file.problem, {}, VectorXd::Zero(2)).has_value());
  EXPECT_FALSE(solve_inverse(file.problem, {}, VectorXd::Constant(3, std::nan(""))).has_value());
  file.problem.product = VelocityProduct::kPaper;
  EXPECT_FALSE(solve_inverse(file.problem, {}, VectorXd::Zero(3)).has_value());
}

}  // namespace
}  // namespace tribo
