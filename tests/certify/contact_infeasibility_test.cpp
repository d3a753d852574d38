#include "tribo/certify/infeasibility.hpp"

#include "certify/certify_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::vec;

// A particle between two walls along x, both asking for room, and a floor whose tangent row is x as well.
ContactProblem between_walls(double first, double second) {
  ContactProblem problem;
  problem.mass = BlockDiagonal({MatrixXd::Identity(3, 3) * 2.0});
  const BlockLayout& layout = problem.mass.layout();
  problem.v = problem.f = VectorXd::Zero(3);
  problem.N = BlockRows::from_dense((MatrixXd(2, 3) << 1, 0, 0, -1, 0, 0).finished(), layout).value();
  problem.S = BlockRows::from_dense((MatrixXd(2, 3) << 0, 1, 0, 0, 1, 0).finished(), layout).value();
  problem.T = BlockRows::from_dense((MatrixXd(2, 3) << 0, 0, 1, 0, 0, 1).finished(), layout).value();
  problem.J = BlockRows(layout);
  problem.b_N = problem.a_N = vec({first, second});
  problem.b_J = problem.a_J = VectorXd::Zero(0);
  problem.contacts.resize(2);
  return problem;
}
ContactSolution evidence_of(const VectorXd& y_n, const VectorXd& y_e) {
  ContactSolution solution;
  solution.y_n = y_n;
  solution.y_e = y_e;
  return solution;
}

// Whatever friction does, both walls cannot be left behind.
TEST(CertifyContactInfeasible, AcceptsTheJamForEveryModel) {
  const ContactProblem problem = between_walls(-0.1, -0.1);
  const ContactSolution proof = evidence_of(vec({1, 1}), VectorXd());
  for (const ContactModel& model : {ContactModel{Frictionless{}}, ContactModel{CoulombPyramid{}},
                                    ContactModel{NoSlip{}}, ContactModel{CoulombCone{}}}) {
    EXPECT_EQ(certify_infeasible(problem, model, proof).verdict, Verdict::kInfeasible);
  }
}

// One wall retreats as fast as the other comes: no proof. Nor with unequal or negative weights.
TEST(CertifyContactInfeasible, RejectsAlmostTheJam) {
  const ContactSolution proof = evidence_of(vec({1, 1}), VectorXd());
  EXPECT_EQ(certify_infeasible(between_walls(-0.1, 0.1), Frictionless{}, proof).verdict, Verdict::kRejected);
  const ContactProblem problem = between_walls(-0.1, -0.1);
  const auto verdict = [&](const ContactSolution& evidence) {
    return certify_infeasible(problem, Frictionless{}, evidence).verdict;
  };
  EXPECT_EQ(verdict(evidence_of(vec({1, 1 + 1e-6}), VectorXd())), Verdict::kRejected);
  EXPECT_EQ(verdict(evidence_of(vec({-1, -1}), VectorXd())), Verdict::kRejected);
  EXPECT_EQ(verdict(evidence_of(VectorXd(), VectorXd())), Verdict::kRejected);
  EXPECT_EQ(verdict(evidence_of(vec({1}), VectorXd())), Verdict::kRejected);
}

// A wall with compliance gives way: under the model that knows of it nothing is proved, under others it is rigid.
TEST(CertifyContactInfeasible, RejectsAProofThatLeansOnASoftContact) {
  ContactProblem problem = between_walls(-0.1, -0.1);
  problem.contacts[1].compliance = 1e-9;
  const ContactSolution proof = evidence_of(vec({1, 1}), VectorXd());
  const InfeasibilityCertificate soft = certify_infeasible(problem, CoulombCone{}, proof);
  EXPECT_EQ(soft.verdict, Verdict::kRejected);
  EXPECT_GT(soft.checks.find("compliant")->relative, 1.0);
  EXPECT_EQ(certify_infeasible(problem, CoulombPyramid{}, proof).verdict, Verdict::kInfeasible);
  // A soft contact that takes no part in the proof is no objection.
  problem.J = BlockRows::from_dense((MatrixXd(1, 3) << 1, 0, 0).finished(), problem.mass.layout()).value();
  problem.b_J = problem.a_J = vec({0.0});
  EXPECT_EQ(certify_infeasible(problem, CoulombCone{}, evidence_of(vec({1, 0}), vec({-1}))).verdict,
            Verdict::kInfeasible);
}

// Only the no-slip model may lean on the tangent rows: a floor that holds x still contradicts a wall that
// pushes.
TEST(CertifyContactInfeasible, UsesTangentRowsForNoSlipOnly) {
  ContactProblem problem = between_walls(-0.1, 0.0);
  problem.S = BlockRows::from_dense((MatrixXd(2, 3) << 0, 1, 0, 1, 0, 0).finished(), problem.mass.layout()).value();
  const ContactSolution proof = evidence_of(vec({1, 0}), vec({0, -1, 0, 0}));
  EXPECT_EQ(certify_infeasible(problem, NoSlip{}, proof).verdict, Verdict::kInfeasible);
  EXPECT_EQ(certify_infeasible(problem, Frictionless{}, proof).verdict, Verdict::kRejected);
}

// Two equal joints with different targets contradict one another without any contact.
TEST(CertifyContactInfeasible, AcceptsInconsistentJoints) {
  ContactProblem problem = between_walls(0.0, 0.0);
  problem.J = BlockRows::from_dense((MatrixXd(2, 3) << 0, 1, 0, 0, 2, 0).finished(), problem.mass.layout()).value();
  problem.b_J = problem.a_J = vec({0.5, 0.0});
  EXPECT_EQ(certify_infeasible(problem, Frictionless{}, evidence_of(VectorXd(), vec({-2, 1}))).verdict,
            Verdict::kInfeasible);
  EXPECT_EQ(certify_infeasible(problem, Frictionless{}, evidence_of(VectorXd(), vec({2, -1}))).verdict,
            Verdict::kRejected);
  problem.b_J(1) = 1.0;
  EXPECT_EQ(certify_infeasible(problem, Frictionless{}, evidence_of(VectorXd(), vec({-2, 1}))).verdict,
            Verdict::kRejected);
}

}  // namespace
}  // namespace tribo
