// The experiment with the paper's covering vector: it must be a correct Lemke method before its
// failures mean something.
#include "tribo/certify/certify.hpp"
#include "tribo/problem/generate.hpp"

#include "studies/lloyd_2005/methods.hpp"
#include "studies/lloyd_2005/printed_reduced.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// A sphere that lands and slides has one contact and a unique answer: both methods must find it.
TEST(PrintedReduced, AgreesOnOneContact) {
  SphereSettings settings;
  settings.mu = 0.3;
  const ContactProblem problem = sphere_on_plane(settings);
  ContactSolution printed, ours;
  EXPECT_EQ(solve_printed_reduced(problem, kSides, {}, printed).status, Status::kSolved);
  LemkeStep step(LemkeMethod::kReduced);
  EXPECT_EQ(step.solve(problem, ours).status, Status::kSolved);
  EXPECT_LT(certify(problem, CoulombPyramid{kSides}, printed).worst, 1e-12);
  EXPECT_LT((printed.v_next - ours.v_next).norm(), 1e-12);
}

// A body that leaves needs no pivot: z = 0 is the answer before the first one.
TEST(PrintedReduced, NeedsNoPivotWhenEverythingOpens) {
  SphereSettings settings;
  settings.velocity = {0.2, 0.0, 1.0};
  const ContactProblem problem = sphere_on_plane(settings);
  ContactSolution solution;
  const SolveReport report = solve_printed_reduced(problem, kSides, {}, solution);
  EXPECT_EQ(report.status, Status::kSolved);
  EXPECT_EQ(report.pivots, 0);
  EXPECT_LT(certify(problem, CoulombPyramid{kSides}, solution).worst, 1e-12);
}

// Ended where z₀ is rounding, it solves pegs with many contacts, and takes more pivots the more there are: the growth
// that the study reports is the method's and not that of its failures.
TEST(PrintedReduced, SolvesPegsWithPivotsThatGrow) {
  double few = 0.0, many = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const Index n : {8, 32}) {
      Random random(seed);
      const ContactProblem problem = peg_in_hole(n, random);
      ContactSolution solution;
      const SolveReport report = solve_printed_reduced(problem, kSides, {.of_step = 0.0, .of_start = 1e-11}, solution);
      ASSERT_EQ(report.status, Status::kSolved) << n << " " << seed;
      EXPECT_LT(certify(problem, CoulombPyramid{kSides}, solution).worst, 1e-9) << n << " " << seed;
      (n == 8 ? few : many) += report.pivots;
    }
  }
  EXPECT_GT(many, 1.5 * few);
}

}  // namespace
}  // namespace tribo
