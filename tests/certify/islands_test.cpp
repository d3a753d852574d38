#include "tribo/certify/certify.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

// Two particles of 1 kg on a line each, both falling on a floor; nothing between them.
ContactProblem two_particles(double slow, double fast) {
  ContactProblem problem;
  problem.mass = BlockDiagonal({MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1)});
  const BlockLayout& layout = problem.mass.layout();
  problem.v = Eigen::Vector2d(-slow, -fast);
  problem.f = VectorXd::Zero(2);
  problem.N = BlockRows::from_dense(MatrixXd::Identity(2, 2), layout).value();
  problem.S = problem.T = problem.J = BlockRows(layout);
  problem.b_N = problem.a_N = VectorXd::Zero(2);
  problem.b_J = problem.a_J = VectorXd::Zero(0);
  problem.contacts.resize(2);
  return problem;
}

ContactSolution answer(const Eigen::Vector2d& v_next, const Eigen::Vector2d& f_n) {
  ContactSolution solution;
  solution.v_next = v_next;
  solution.f_n = f_n;
  solution.f_j = VectorXd::Zero(0);
  return solution;
}

// The slow particle falls through its floor. That the other one is a million times faster is no excuse.
TEST(CertifyIslands, EveryIslandIsJudgedOnItsOwnScale) {
  const ContactProblem problem = two_particles(1e-6, 1e6);
  EXPECT_LT(certify(problem, Frictionless{}, answer({0, 0}, {1e-6, 1e6})).worst, 1e-15);
  const Certificate through = certify(problem, Frictionless{}, answer({-1e-6, 0}, {0, 1e6}));
  EXPECT_GT(through.find("normal")->relative, 0.1);
  EXPECT_EQ(through.worst, through.find("normal")->relative);
  const Certificate created = certify(problem, Frictionless{}, answer({1e-6, 0}, {0, 1e6}));
  EXPECT_GT(created.find("momentum")->relative, 0.1);
}

// The worst island counts, whichever place it has.
TEST(CertifyIslands, TheWorstIslandCounts) {
  const ContactProblem problem = two_particles(1.0, 1.0);
  const double first = certify(problem, Frictionless{}, answer({-0.5, 0}, {0.5, 1})).worst;
  const double second = certify(problem, Frictionless{}, answer({0, -0.5}, {1, 0.5})).worst;
  EXPECT_GT(first, 0.1);
  EXPECT_EQ(first, second);
}

// Answers of the wrong size are refused as before they are taken apart.
TEST(CertifyIslands, WrongSizesAreRefused) {
  ContactSolution wrong = answer({0, 0}, {1, 1});
  wrong.f_n.resize(1);
  EXPECT_NE(certify(two_particles(1.0, 1.0), Frictionless{}, wrong).find("size"), nullptr);
}

}  // namespace
}  // namespace tribo
