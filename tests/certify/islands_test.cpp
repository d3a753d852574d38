#include "tribo/problem/islands.hpp"

#include "tribo/certify/certify.hpp"
#include "tribo/certify/contact_certifier.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>

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

ContactSolution answer_of_two(const Eigen::Vector2d& v_next, const Eigen::Vector2d& f_n) {
  ContactSolution solution;
  solution.v_next = v_next;
  solution.f_n = f_n;
  solution.f_j = VectorXd::Zero(0);
  return solution;
}

// The slow particle falls through its floor. That the other one is a million times faster is no excuse.
TEST(CertifyIslands, EveryIslandIsJudgedOnItsOwnScale) {
  const ContactProblem problem = two_particles(1e-6, 1e6);
  EXPECT_LT(certify(problem, Frictionless{}, answer_of_two({0, 0}, {1e-6, 1e6})).worst, 1e-15);
  const Certificate through = certify(problem, Frictionless{}, answer_of_two({-1e-6, 0}, {0, 1e6}));
  EXPECT_GT(through.find("normal")->relative, 0.1);
  EXPECT_EQ(through.worst, through.find("normal")->relative);
  const Certificate created = certify(problem, Frictionless{}, answer_of_two({1e-6, 0}, {0, 1e6}));
  EXPECT_GT(created.find("momentum")->relative, 0.1);
}

// The worst island counts, whichever place it has.
TEST(CertifyIslands, TheWorstIslandCounts) {
  const ContactProblem problem = two_particles(1.0, 1.0);
  const double first = certify(problem, Frictionless{}, answer_of_two({-0.5, 0}, {0.5, 1})).worst;
  const double second = certify(problem, Frictionless{}, answer_of_two({0, -0.5}, {1, 0.5})).worst;
  EXPECT_GT(first, 0.1);
  EXPECT_EQ(first, second);
}

// Answers of the wrong size are refused as before they are taken apart.
TEST(CertifyIslands, WrongSizesAreRefused) {
  ContactSolution wrong = answer_of_two({0, 0}, {1, 1});
  wrong.f_n.resize(1);
  EXPECT_NE(certify(two_particles(1.0, 1.0), Frictionless{}, wrong).find("size"), nullptr);
}

// One judge for many problems: what it keeps from one call must not show in the next.
TEST(CertifyIslands, AKeptCertifierSaysWhatAFreshOneSays) {
  Random random(17);
  const ContactModel models[] = {CoulombCone{},           NoSlip{},  Frictionless{}, CoulombPyramid{},
                                 CoulombPyramid{8, true}, Viscous{}, FrictionBox{}};
  ContactCertifier kept;
  for (int k = 0; k < 40; ++k) {
    const ContactProblem problem = random_bodies(random);
    ContactSolution solution;
    const auto fill = [&](VectorXd& x, Index size) {
      x.resize(size);
      for (Index i = 0; i < size; ++i) x(i) = random.uniform(-0.1, 1.0);
    };
    fill(solution.v_next, problem.dof());
    fill(solution.f_n, problem.size());
    fill(solution.f_s, problem.S.rows());
    fill(solution.f_t, problem.T.rows());
    fill(solution.f_j, problem.J.rows());
    for (const ContactModel& model : models) {
      const Certificate fresh = certify(problem, model, solution);
      const Certificate& again = kept(problem, model, solution);
      EXPECT_EQ(again.worst, fresh.worst);
      ASSERT_EQ(again.residuals.size(), fresh.residuals.size());
      for (std::size_t i = 0; i < fresh.residuals.size(); ++i) {
        EXPECT_EQ(again.residuals[i].name, fresh.residuals[i].name);
        EXPECT_EQ(again.residuals[i].unit, fresh.residuals[i].unit);
        EXPECT_EQ(again.residuals[i].relative, fresh.residuals[i].relative);
      }
    }
    solution.f_n.resize(problem.size() + 1);
    EXPECT_FALSE(kept(problem, NoSlip{}, solution).passes(1e300));
    EXPECT_EQ(kept(problem, NoSlip{}, solution).residuals.size(), 1u);
  }
}

// Many islands in one pass or one after the other, each cut out: the worst of every residual is the same but for rounding of
// the scales, which are sums over bodies.
TEST(CertifyIslands, TogetherAsApart) {
  Random random(23);
  ContactCertifier certifier;
  for (int k = 0; k < 60; ++k) {
    RandomBodies settings;
    settings.bodies = random.integer(4, 12);
    settings.contacts = random.integer(2, 8);
    settings.bilateral = random.integer(0, 2);
    settings.trees = k % 2 == 0;
    const ContactProblem problem = random_bodies(settings, random);
    ContactSolution solution;
    solution.v_next = VectorXd::Constant(problem.dof(), 0.3);
    solution.f_n = solution.f_s = solution.f_t = VectorXd::LinSpaced(problem.size(), 0.1, 1.0);
    solution.f_j = VectorXd::Constant(problem.bilateral(), 0.1);
    for (const ContactModel& model :
         {ContactModel(CoulombCone{}), ContactModel(NoSlip{}), ContactModel(FrictionBox{})}) {
      const Certificate whole = certifier(problem, model, solution);
      for (const Residual& residual : whole.residuals) {
        double worst = 0.0;
        for (const Island& island : split_islands(problem)) {
          const ContactSolution part = cut_island(problem, island, solution);
          worst = std::max(worst, certifier.island(island.problem, model, part).find(residual.name)->relative);
        }
        EXPECT_NEAR(residual.relative, worst, 1e-14 * worst) << k << " " << residual.name;
      }
    }
  }
}

}  // namespace
}  // namespace tribo
