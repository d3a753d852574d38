// The methods of the comparison: they must solve the same problem, or the comparison means nothing.
#include "studies/drumwright_2015/methods.hpp"

#include "tribo/problem/generate.hpp"

#include "studies/drumwright_2015/drumwright_shell.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

double kinetic_energy(const ContactProblem& problem, const VectorXd& v) {
  return 0.5 * v.dot(problem.mass.multiply(v));
}

// Every method answers the paper's grasp, and where its velocity is unique the grasp at rest stays at rest. The two QPs of
// Drumwright and Shell are off by their regularization; answers of the friction LCP are not unique.
TEST(Methods, AgreeThatTheGraspHolds) {
  const ContactProblem grasp = grasp_row(2, 12);
  for (const MethodInfo& info : methods()) {
    const auto method = info.make();
    ContactSolution solution;
    ASSERT_EQ(method->solve(grasp, solution).status, Status::kSolved) << info.name;
    EXPECT_LE(method->certificate(grasp, solution), 1e-8) << info.name;
    if (info.name == "stewart-trinkle") continue;
    const double tolerance = info.name == "drumwright-shell" ? 1e-6 : 1e-12;
    EXPECT_LT(solution.v_next.cwiseAbs().maxCoeff(), tolerance) << info.name;
  }
}

// The sizes are what the paper's speed-up comes from: six unknowns per contact against one.
TEST(Methods, HaveThePapersSizes) {
  const ContactProblem grasp = grasp_row(2, 12);
  ContactSolution solution;
  const auto coulomb = make_stewart_trinkle(4);
  static_cast<void>(coulomb->solve(grasp, solution));
  EXPECT_EQ(coulomb->rows(), grasp.size() * (1 + 4 + 1));
  const auto no_slip = make_normal_method(NoSlip{}, PivotRule::kPrincipalPivoting);
  static_cast<void>(no_slip->solve(grasp, solution));
  EXPECT_EQ(no_slip->rows(), grasp.size());
}

// The velocity of the no-slip model is unique: three solvers must find the same one, moving or not.
TEST(Methods, FindTheSameVelocityWithoutSlip) {
  Random random(3);
  const ContactProblem block = block_on_face(20, 0.4, random);
  ContactSolution ppm, dual, qp;
  ASSERT_EQ(make_normal_method(NoSlip{}, PivotRule::kPrincipalPivoting)->solve(block, ppm).status, Status::kSolved);
  ASSERT_EQ(make_normal_method(NoSlip{}, PivotRule::kDualActiveSet)->solve(block, dual).status, Status::kSolved);
  ASSERT_EQ(make_no_slip_qp()->solve(block, qp).status, Status::kSolved);
  EXPECT_GT(block.v.norm(), 0.1);
  EXPECT_LT((ppm.v_next - dual.v_next).norm(), 1e-12);
  EXPECT_LT((ppm.v_next - qp.v_next).norm(), 1e-12);
}

// A step loop at rest must not pay for pivots: started from its own active set a solve makes none.
TEST(Methods, AWarmStartAtRestMakesNoPivot) {
  const ContactProblem grasp = grasp_row(2, 12);
  const auto method = make_normal_method(NoSlip{}, PivotRule::kDualActiveSet, true);
  ContactSolution solution;
  EXPECT_GT(method->solve(grasp, solution).pivots, 0);
  EXPECT_EQ(method->solve(grasp, solution).pivots, 0);
  Random random(3);
  const ContactProblem other = block_on_face(20, 0.4, random);  // another size: the old set is of no use
  EXPECT_EQ(method->solve(other, solution).status, Status::kSolved);
}

// A single sphere has one normal impulse whatever friction does, so maximum dissipation and Coulomb's law coincide: rolling
// with mu = 0.4, sliding with the edge of the polygon used up with mu = 0.1.
TEST(DrumwrightShell, IsCoulombsLawForASphere) {
  for (const double mu : {0.4, 0.1}) {
    SphereSettings settings;
    settings.mu = mu;
    const ContactProblem sphere = sphere_on_plane(settings);
    ContactSolution shell, coulomb;
    ASSERT_EQ(make_drumwright_shell()->solve(sphere, shell).status, Status::kSolved);
    ASSERT_EQ(make_stewart_trinkle(4)->solve(sphere, coulomb).status, Status::kSolved);
    EXPECT_LT((shell.v_next - coulomb.v_next).cwiseAbs().maxCoeff(), 1e-5) << mu;
    const double used = std::abs(shell.f_s(0)) + std::abs(shell.f_t(0));
    if (mu == 0.1) {
      EXPECT_NEAR(used, mu * shell.f_n(0), 1e-6);
    } else {
      EXPECT_LT(used, mu * shell.f_n(0));
    }
  }
}

// What the model promises: no contact is penetrated, friction stays in its polygon, and no more energy is left than without
// friction.
TEST(DrumwrightShell, DissipatesInsideThePolygon) {
  Random random(5);
  for (int i = 0; i < 20; ++i) {
    const ContactProblem block = block_on_face(8, 0.3, random);
    ContactSolution shell, frictionless;
    const auto method = make_drumwright_shell();
    ASSERT_EQ(method->solve(block, shell).status, Status::kSolved);
    EXPECT_LE(method->certificate(block, shell), 1e-8);
    ASSERT_EQ(make_normal_method(Frictionless{}, PivotRule::kDualActiveSet)->solve(block, frictionless).status,
              Status::kSolved);
    EXPECT_GT((block.N.multiply(shell.v_next) + block.b_N).minCoeff(), -1e-7);
    EXPECT_LE(shell.f_n.sum(), frictionless.f_n.sum() * (1.0 + 1e-6));
    for (Index k = 0; k < block.size(); ++k) {
      const double used = std::abs(shell.f_s(k)) + std::abs(shell.f_t(k));
      EXPECT_LE(used, block.contacts[static_cast<std::size_t>(k)].mu * shell.f_n(k) + 1e-7);
    }
    EXPECT_LE(kinetic_energy(block, shell.v_next), kinetic_energy(block, frictionless.v_next) + 1e-7);
  }
}

// Joints are eliminated before the QP is posed; the answer must keep them, and balance the momentum with their impulses.
TEST(DrumwrightShell, KeepsTheJoints) {
  const ContactProblem grasp = grasp_row(1, 4);
  ContactSolution shell;
  ASSERT_EQ(make_drumwright_shell()->solve(grasp, shell).status, Status::kSolved);
  EXPECT_LT((grasp.J.multiply(shell.v_next) + grasp.b_J).cwiseAbs().maxCoeff(), 1e-12);
  const VectorXd momentum = grasp.mass.multiply(shell.v_next - grasp.v) - grasp.h * grasp.f -
                            grasp.N.multiply_transposed(shell.f_n) - grasp.S.multiply_transposed(shell.f_s) -
                            grasp.T.multiply_transposed(shell.f_t) - grasp.J.multiply_transposed(shell.f_j);
  EXPECT_LT(momentum.cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace tribo
