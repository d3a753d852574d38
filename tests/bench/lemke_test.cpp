// The problems and the peers of `bench lemke`, and one quick run read as a program reads it. Times are not judged here: they
// belong to an optimised build on a quiet machine.
#include "tribo/contact/solve.hpp"
#include "tribo/problem/generate.hpp"

#include <set>
#include <sstream>

#include "lemke_parts.hpp"
#include "lemke_problems.hpp"
#include "other_lemke.hpp"
#include "quick_bench.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// A failure is reported as (seed, index): making that one problem again must give the same numbers.
TEST(LemkeProblems, DependOnSeedAndIndexAlone) {
  for (std::uint64_t index = 0; index < 2 * kLemkeKinds; ++index) {
    const LemkeTrial trial = make_lemke_trial(3, index), again = make_lemke_trial(3, index);
    EXPECT_TRUE(equal(trial.problem, again.problem)) << index;
    EXPECT_EQ(trial.sides, again.sides) << index;
  }
  EXPECT_FALSE(equal(make_lemke_trial(3, 0).problem, make_lemke_trial(4, 0).problem));
}

// Only what the spec's condition covers may be promised an answer, and both sorts must be there.
TEST(LemkeProblems, SolvableMeansNoOffsetThatPushes) {
  std::set<std::string> kinds, solvable, others;
  for (std::uint64_t index = 0; index < 8 * kLemkeKinds; ++index) {
    const LemkeTrial trial = make_lemke_trial(1, index);
    EXPECT_TRUE(validate(trial.problem).has_value()) << index;
    EXPECT_EQ(trial.solvable, trial.problem.b_J.isZero(0.0) && !(trial.problem.b_N.array() < 0.0).any()) << index;
    kinds.insert(trial.kind);
    (trial.solvable ? solvable : others).insert(trial.kind);
  }
  EXPECT_EQ(kinds.size(), kLemkeKinds);
  EXPECT_GE(solvable.size(), kLemkeKinds - 2);
  EXPECT_TRUE(others.contains("b_N of both signs"));
  EXPECT_TRUE(others.contains("b_J and b_N"));
}

// The comparison names five blocks and 32 contacts.
TEST(LemkeProblems, TheStackHasFiveBlocksAndThirtyTwoContacts) {
  Random random(1), same(1);
  const ContactProblem stack = stack_of_five(random), all = box_stack(5, 8, same);
  ASSERT_TRUE(validate(stack).has_value());
  EXPECT_EQ(stack.size(), 32);
  EXPECT_EQ(stack.mass.blocks(), 5);
  EXPECT_EQ(stack.N.to_dense().row(7), all.N.to_dense().row(8));
  EXPECT_EQ(stack.T.to_dense().row(31), all.T.to_dense().row(37));
  EXPECT_EQ(stack.contacts[31], all.contacts[37]);
}

// Numbers change with their units, physics does not: kinetic energy by mass · length², power of a wrench likewise.
TEST(LemkeProblems, OtherUnitsAreTheSameBodies) {
  Random random(2);
  const ContactProblem here = random_bodies({.bodies = 2, .contacts = 6}, random);
  const ContactProblem there = in_other_units(here, 8.0, 4.0);
  ASSERT_TRUE(validate(there).has_value());
  const double energy = here.v.dot(here.mass.multiply(here.v));
  EXPECT_NEAR(there.v.dot(there.mass.multiply(there.v)), 256.0 * energy, 1e-9 * energy);
  EXPECT_NEAR(there.f.dot(there.v), 256.0 * here.f.dot(here.v), 1e-9 * std::abs(here.f.dot(here.v)));
  EXPECT_LT((there.N.multiply(there.v) - 8.0 * here.N.multiply(here.v)).norm(), 1e-12 * here.N.multiply(here.v).norm());
  EXPECT_LT((there.S.multiply(there.v) - 8.0 * here.S.multiply(here.v)).norm(), 1e-12 * here.S.multiply(here.v).norm());
}

// The time from points counts only if the rows made there are the problem's own.
TEST(LemkeProblems, RowsFromPointsAreTheRowsOfThePeg) {
  Random random(3);
  const ContactProblem peg = peg_in_hole(10, random);
  ContactProblem again = peg;
  again.N = again.S = again.T = BlockRows(peg.mass.layout());
  make_one_body_rows(again, Vector3d::Zero());
  ASSERT_EQ(again.N.rows(), 10);
  EXPECT_LT((again.N.to_dense() - peg.N.to_dense()).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((again.S.to_dense() - peg.S.to_dense()).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((again.T.to_dense() - peg.T.to_dense()).cwiseAbs().maxCoeff(), 1e-15);
}

// Three ways through three formulations of one problem: each must arrive at an answer to the contact problem itself.
TEST(LemkeSolve, EveryMethodIsCertified) {
  Random random(4);
  const ContactProblem problem = box_stack(2, 5, random);
  for (const char* solver : {"lemke/reduced", "lemke/structural", "lemke/standard"}) {
    const ContactAnswer answer = solve(problem, CoulombPyramid{8}, {.solver = solver});
    ASSERT_TRUE(is_solved(answer.status)) << solver;
    EXPECT_LT(answer.certificate.worst, 1e-12) << solver;
    EXPECT_EQ(answer.history.size(), 1u) << solver;
  }
}

// A peer that is handed the matrix the wrong way round, or whose answer is read from the wrong place, would be slandered: on
// an unsymmetric problem with one known answer, z = (1, 0.5), both must be right.
TEST(LemkePeers, AreHandedTheProblemAsItIs) {
  Lcp lcp;
  lcp.M.resize(2, 2);
  lcp.M << 2.0, -1.0, 0.5, 3.0;
  lcp.q = -lcp.M * Eigen::Vector2d(1.0, 0.5);
  if (has_bullet()) {
    const OtherAnswer answer = solve_with_bullet(lcp);
    EXPECT_TRUE(answer.claimed);
    EXPECT_LT((answer.z - Eigen::Vector2d(1.0, 0.5)).norm(), 1e-12);
  } else {
    EXPECT_FALSE(solve_with_bullet(lcp).claimed);
  }
  if (has_dart()) {
    const OtherAnswer answer = solve_with_dart(lcp);
    EXPECT_TRUE(answer.claimed);
    EXPECT_LT((answer.z - Eigen::Vector2d(1.0, 0.5)).norm(), 1e-12);
  } else {
    EXPECT_FALSE(solve_with_dart(lcp).claimed);
  }
}

const QuickBench& quick_lemke_run() {
  static const QuickBench run(run_lemke_bench);
  return run;
}

// Answers are right on every machine; only promises about time may fail on a slow or busy one.
TEST(LemkeBench, KeepsEveryPromiseThatIsNotAboutTime) {
  quick_lemke_run().expect_promises("lemke");
  EXPECT_GE(quick_lemke_run().times, 6);
  EXPECT_GE(quick_lemke_run().promises - quick_lemke_run().times, 20);
}

// Every part of the report is there, also in the short form.
TEST(LemkeBench, EveryPartReports) {
  std::set<std::string> kinds;
  for (const Json& line : quick_lemke_run().lines) kinds.insert(line.at("kind"));
  for (const char* kind :
       {"peg", "peg-exponent", "peer", "mixed", "mixed-ending", "edge", "few-contacts", "warm", "promise"}) {
    EXPECT_TRUE(kinds.contains(kind)) << kind;
  }
}

// A number without a unit is read wrongly sooner or later: the key says what it is.
TEST(LemkeBench, EveryNumberHasItsUnitInTheKey) {
  const std::set<std::string> plain = {"seed", "index"};
  for (const Json& line : quick_lemke_run().lines) {
    for (const auto& [key, value] : line.items()) {
      if (!value.is_number() || plain.contains(key)) continue;
      bool known = false;
      for (const char* unit : {"_count", "_us", "_relative", "_ratio", "pivots_mean", "pivots_max"}) {
        known = known || key.ends_with(unit);
      }
      EXPECT_TRUE(known) << key;
    }
  }
}

}  // namespace
}  // namespace tribo
