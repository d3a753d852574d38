// The stepper of the grasp: its first problem is the generator's, it measures what it is moved by, and rest is rest.
#include "studies/drumwright_2015/grasp.hpp"

#include "tribo/problem/generate.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

VectorXd still(const Grasp& grasp) { return VectorXd::Zero(grasp.problem().dof()); }

// The stepper and the generator describe the same scene, so that tests of one speak for the other.
TEST(Grasp, StartsAsTheGeneratorsGrasp) {
  const ContactProblem ours = Grasp(GraspSettings{}).problem(), theirs = grasp_row(2, 12);
  ASSERT_TRUE(validate(ours).has_value());
  EXPECT_EQ(ours.size(), 36);
  EXPECT_EQ(ours.mass.to_dense(), theirs.mass.to_dense());
  EXPECT_EQ(ours.f, theirs.f);
  EXPECT_EQ(ours.v, theirs.v);
  EXPECT_LT((ours.N.to_dense() - theirs.N.to_dense()).cwiseAbs().maxCoeff(), 1e-16);
  EXPECT_LT((ours.S.to_dense() - theirs.S.to_dense()).cwiseAbs().maxCoeff(), 1e-16);
  EXPECT_LT((ours.T.to_dense() - theirs.T.to_dense()).cwiseAbs().maxCoeff(), 1e-16);
  EXPECT_EQ(ours.J.to_dense(), theirs.J.to_dense());
  EXPECT_EQ(ours.b_N, VectorXd::Zero(36));
}

// A stepper that moves by itself would be taken for a creeping model.
TEST(Grasp, DoesNotMoveWithoutVelocity) {
  Grasp grasp{GraspSettings{}};
  const ContactProblem before = grasp.problem();
  for (int step = 0; step < 1000; ++step) grasp.advance(still(grasp));
  EXPECT_TRUE(equal(before, grasp.problem()));
  EXPECT_EQ(grasp.max_slip(), 0.0);
  EXPECT_EQ(grasp.max_gap(), 0.0);
}

// One box that sinks by a known way has slipped by just that.
TEST(Grasp, MeasuresTheSlipOfABoxThatSinks) {
  Grasp grasp{GraspSettings{}};
  VectorXd v = still(grasp);
  v(6 * 2 + 2) = -0.5;  // the first box, along z
  grasp.advance(v);
  EXPECT_NEAR(grasp.max_slip(), 0.5 * 0.01, 1e-16);
  EXPECT_NEAR(grasp.max_gap(), 0.0, 1e-16);
}

// A gripper that withdraws opens a gap, which the next problem allows to close, and nothing slips.
TEST(Grasp, MeasuresTheGapBehindAGripper) {
  Grasp grasp{GraspSettings{}};
  VectorXd v = still(grasp);
  v(0) = -0.1;  // the left gripper
  grasp.advance(v);
  EXPECT_NEAR(grasp.max_gap(), 1e-3, 1e-16);
  EXPECT_NEAR(grasp.max_slip(), 0.0, 1e-16);
  EXPECT_NEAR(grasp.problem().b_N.maxCoeff(), 0.1, 1e-13);
  EXPECT_EQ(grasp.problem().b_N.tail(24).cwiseAbs().maxCoeff(), 0.0);
}

// An overlap must not be pushed out: kappa is zero, so b_N is never negative.
TEST(Grasp, DoesNotPushAgainstAnOverlap) {
  Grasp grasp{GraspSettings{}};
  VectorXd v = still(grasp);
  v(0) = 0.1;
  grasp.advance(v);
  EXPECT_NEAR(grasp.max_gap(), 1e-3, 1e-16);
  EXPECT_EQ(grasp.problem().b_N.minCoeff(), 0.0);
}

// All bodies turning together about one axis is a rigid motion up to h²: material points stay on each other.
TEST(Grasp, FollowsARigidTurn) {
  Grasp grasp{GraspSettings{}};
  const double rate = 0.1;  // rad/s, about x through the row: no body leaves its place
  VectorXd v = still(grasp);
  for (Index body = 0; body < 4; ++body) v(6 * body + 3) = rate;
  for (int step = 0; step < 100; ++step) grasp.advance(v);
  EXPECT_LT(grasp.max_slip(), 1e-15);
  EXPECT_LT(grasp.max_gap(), 1e-15);
  const ContactProblem turned = grasp.problem();
  EXPECT_NEAR(turned.contacts.front().frame(2, 0), std::sin(rate * 1.0), 1e-13);  // tangent s was along y
}

// Ten trials that were all the same would be one trial.
TEST(Grasp, TrialsDependOnTheSeedAlone) {
  Random one(1), again(1), two(2);
  const ContactProblem a = Grasp(perturbed_grasp(one)).problem();
  EXPECT_TRUE(equal(a, Grasp(perturbed_grasp(again)).problem()));
  EXPECT_FALSE(equal(a, Grasp(perturbed_grasp(two)).problem()));
}

}  // namespace
}  // namespace tribo
