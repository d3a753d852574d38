// Many bodies in compliant contact: the sparse way must give the answer of the dense one.
#include "tribo/contact/solve.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"

#include <array>

#include <gtest/gtest.h>

namespace tribo {
namespace {

// A tower of `bodies` unit masses on the ground, each on the one below by a normal and two tangents at its foot.
CompliantProblem make_tower(Index bodies, double push) {
  CompliantProblem p;
  p.h = 0.01;
  for (Index b = 0; b < bodies; ++b) p.mass.append(MatrixXd::Identity(6, 6));
  const BlockLayout& layout = p.mass.layout();
  p.v.setZero(6 * bodies);
  p.f.setZero(6 * bodies);
  for (CompliantRows* rows : {&p.bilateral, &p.unilateral, &p.normal, &p.r, &p.s}) rows->G = BlockRows(layout);
  for (Index b = 0; b < bodies; ++b) {
    p.f(6 * b + 2) = -9.81;
    p.f(6 * b) = push * static_cast<double>(b % 3);
    const std::array<double, 6> up{0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, along{1.0, 0.0, 0.0, 0.0, -0.1, 0.0},
        across{0.0, 1.0, 0.0, 0.1, 0.0, 0.0}, down{0.0, 0.0, -1.0, 0.0, 0.0, 0.0}, back{-1.0, 0.0, 0.0, 0.0, -0.1, 0.0},
        aside{0.0, -1.0, 0.0, 0.1, 0.0, 0.0};
    const Index below = b - 1;
    p.normal.G.add_row({b, up}, below < 0 ? BlockRows::Segment{} : BlockRows::Segment{below, down});
    p.r.G.add_row({b, along}, below < 0 ? BlockRows::Segment{} : BlockRows::Segment{below, back});
    p.s.G.add_row({b, across}, below < 0 ? BlockRows::Segment{} : BlockRows::Segment{below, aside});
  }
  for (CompliantRows* rows : {&p.normal, &p.r, &p.s}) {
    const bool normal = rows == &p.normal;
    rows->K.setConstant(bodies, normal ? 1e7 : 0.0);
    rows->B.setConstant(bodies, normal ? 10.0 : 1e6);
    rows->phi.setConstant(bodies, normal ? -1e-6 : 0.0);
  }
  p.mu.setConstant(bodies, 0.3);
  return p;
}

// Coulomb's law with compliance is one law, whichever solver meets it.
TEST(CompliantBodies, SparseAndDenseAgree) {
  for (const double push : {0.0, 1.0, 20.0}) {
    const CompliantProblem problem = make_tower(25, push);
    const CompliantAnswer sparse = solve(problem, Compliant{});
    ASSERT_EQ(sparse.status, Status::kSolved);
    EXPECT_EQ(sparse.solver, "cone");
    CompliantSolution dense;
    ASSERT_EQ(CompliantSolver().solve(problem, Compliant{}, dense).status, Status::kSolved);
    EXPECT_LT((sparse.solution.v1 - dense.v1).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((sparse.solution.lambda_n - dense.lambda_n).cwiseAbs().maxCoeff(), 1e-6 * dense.lambda_n.maxCoeff());
  }
}

// Rows that the sparse solver has no place for are solved all the same.
TEST(CompliantBodies, JointsTakeTheDenseWay) {
  CompliantProblem problem = make_tower(25, 1.0);
  problem.bilateral.G.add_row({24, std::array<double, 6>{1.0, 0.0, 0.0, 0.0, 0.0, 0.0}});
  problem.bilateral.K.setConstant(1, 1e5);
  problem.bilateral.B.setConstant(1, 1.0);
  problem.bilateral.phi.setConstant(1, 1e-3);
  const CompliantAnswer answer = solve(problem, Compliant{});
  EXPECT_EQ(answer.status, Status::kSolved);
  EXPECT_EQ(answer.solver, "compliant");
}

}  // namespace
}  // namespace tribo
