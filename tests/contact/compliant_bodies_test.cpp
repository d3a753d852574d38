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
    CompliantSettings settings;
    settings.dense_dofs = problem.dof();
    ASSERT_EQ(CompliantSolver(settings).solve(problem, Compliant{}, dense).status, Status::kSolved);
    EXPECT_LT((sparse.solution.v1 - dense.v1).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((sparse.solution.lambda_n - dense.lambda_n).cwiseAbs().maxCoeff(), 1e-6 * dense.lambda_n.maxCoeff());
  }
}

// Joints, rows without stiffness and the convex cone go by the graph of the bodies, to the same answer.
TEST(CompliantBodies, JointsAndTheConvexConeAgreeToo) {
  CompliantProblem problem = make_tower(25, 1.0);
  const auto add_joint = [&](Index body, double K, double B) {
    problem.bilateral.G.add_row({body, std::array<double, 6>{1.0, 0.0, 0.0, 0.0, 0.0, 0.0}});
    for (VectorXd* x : {&problem.bilateral.K, &problem.bilateral.B, &problem.bilateral.phi}) {
      x->conservativeResize(x->size() + 1);
    }
    problem.bilateral.K(problem.bilateral.rows() - 1) = K;
    problem.bilateral.B(problem.bilateral.rows() - 1) = B;
    problem.bilateral.phi(problem.bilateral.rows() - 1) = 1e-3;
  };
  add_joint(24, 1e5, 1.0);
  add_joint(12, 1e9, 0.0);
  add_joint(3, 0.0, 0.0);
  for (const FrictionLaw friction : {FrictionLaw::kCoulomb, FrictionLaw::kConvexCone}) {
    const Compliant model{UnilateralLaw::kComplementarity, friction};
    const CompliantAnswer sparse = solve(problem, model);
    ASSERT_EQ(sparse.status, Status::kSolved);
    EXPECT_EQ(sparse.solver, "compliant");
    CompliantSettings settings;
    settings.dense_dofs = problem.dof();
    CompliantSolution dense;
    ASSERT_EQ(CompliantSolver(settings).solve(problem, model, dense).status, Status::kSolved);
    EXPECT_LT((sparse.solution.v1 - dense.v1).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((sparse.solution.lambda_n - dense.lambda_n).cwiseAbs().maxCoeff(), 1e-6 * dense.lambda_n.maxCoeff());
    EXPECT_LT((sparse.solution.lambda_b - dense.lambda_b).cwiseAbs().maxCoeff(), 1e-6 * dense.lambda_n.maxCoeff());
    EXPECT_EQ(sparse.solution.lambda_b(2), 0.0);
  }
}

}  // namespace
}  // namespace tribo
