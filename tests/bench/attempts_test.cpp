// Every row of the tables of attempts is needed: one committed problem each, which the rows before it do not solve and which fails
// without it (src/contact/attempt_loop.hpp).
#include "tribo/contact/solve.hpp"
#include "tribo/problem/contact_builder.hpp"
#include "tribo/problem/generate.hpp"

#include <cmath>
#include <string>

#include "cone_problems.hpp"
#include "lemke_problems.hpp"
#include "robustness_problems.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// The row that decided, as long as the answer (or the proof) passes its own check.
template <typename Answer>
std::string decided_by(const Answer& answer) {
  if (!is_solved(answer.status) && answer.status != Status::kInfeasible) return "none";
  return answer.history.back().name;
}

ContactAnswer solve_whole(const ContactProblem& problem, const ContactModel& model) {
  return solve(problem, model, {.islands = false});
}

// Two boxes on one another, the corners of their faces not coplanar by `tilt` m; the upper one is `pushed` at its top.
ContactProblem crooked_column(double tilt, double pushed) {
  ContactBuilder builder;
  for (int k = 0; k < 2; ++k)
    builder.add_body(1.0, box_inertia(1.0, Vector3d(0.2, 0.2, 0.2)), Vector3d(0, 0, 0.1 + 0.2 * k));
  builder.add_gravity(Vector3d(0.0, 0.0, -9.81));
  builder.add_force(1, (VectorXd(6) << pushed, 0, 0, 0, 0.1 * pushed, 0).finished());
  for (int k = 0; k < 2; ++k) {
    for (int corner = 0; corner < 4; ++corner) {
      const double x = corner % 2 == 0 ? -0.1 : 0.1, y = corner / 2 == 0 ? -0.1 : 0.1;
      builder.add_contact(k, k - 1, Vector3d(x, y, 0.2 * k + (x * y > 0.0 ? tilt : 0.0) + tilt * x), Vector3d::UnitZ());
    }
  }
  builder.set_step(0.01);
  return builder.build();
}

// At rest the tangents that are nearly combinations of others are left out, and forces are of the size of the load; where a box tips, slip
// at them is more than the certificate lets pass, and they are imposed.
TEST(Attempts, NoSlipLeavesNearlyDependentTangentsOutAndThenNeedsThem) {
  const ContactAnswer rest = solve_whole(crooked_column(1e-8, 0.0), NoSlip{});
  EXPECT_EQ(decided_by(rest), "dual-active-set");
  EXPECT_LT(rest.solution.f_n.lpNorm<Eigen::Infinity>() + rest.solution.f_s.lpNorm<Eigen::Infinity>(), 9.81 * 0.01 * 2);
  const ContactAnswer tips = solve_whole(crooked_column(1e-7, 20.0), NoSlip{});
  EXPECT_EQ(decided_by(tips), "every tangent");
  EXPECT_EQ(tips.history.size(), 2u);
}

TEST(Attempts, PyramidNeedsOtherPathsAndTheNormalsAlone) {
  const auto trial = [](std::uint64_t index) {
    const LemkeTrial made = make_lemke_trial(1, index);
    return solve_whole(made.problem, CoulombPyramid{made.sides});
  };
  EXPECT_EQ(decided_by(trial(0)), "lemke/reduced");
  // Each alone: the second covering vector; the structural method, lexicographic.
  const ContactAnswer second = trial(3935), third = trial(8094);
  EXPECT_EQ(decided_by(second), "other paths");
  EXPECT_EQ(second.history.back().note, "another covering vector");
  EXPECT_EQ(decided_by(third), "other paths");
  EXPECT_EQ(third.history.back().note, "structural, lexicographic");
  EXPECT_EQ(decided_by(solve_whole(jam(true), CoulombPyramid{8})), "normals alone");
}

TEST(Attempts, ConeNeedsPolygonsUpToThoseWith512CornersAndTheNormalsAlone) {
  struct Case {
    std::uint64_t index;
    const char* corners;
  };
  for (const Case& one :
       {Case{6796, "8 corners"}, Case{12428, "32 corners"}, Case{4508, "128 corners"}, Case{15860, "512 corners"}}) {
    const ConeTrial trial = make_cone_trial(1, one.index);
    ASSERT_TRUE(trial.contact.has_value());
    const ContactAnswer answer = solve_whole(*trial.contact, CoulombCone{});
    EXPECT_EQ(decided_by(answer), "cone from polygons") << one.index;
    EXPECT_EQ(answer.history.back().note, one.corners) << one.index;
  }
  EXPECT_EQ(decided_by(solve_whole(jam(true), CoulombCone{})), "normals alone");
}

TEST(Attempts, PyramidNeedsLowerCoefficients) {
  const ContactAnswer answer = solve(grasp_row(2, 4, 1e20), CoulombPyramid{4}, {.selection = {.sticking = false}});
  EXPECT_EQ(decided_by(answer), "other paths");
  EXPECT_EQ(answer.history.back().note, "structural, lexicographic, mu <= 10");
}

TEST(Attempts, BoxesNeedThreeSolvers) {
  const auto by = [](std::uint64_t index) {
    LemkeTrial trial = make_lemke_trial(1, index);
    for (Contact& contact : trial.problem.contacts) contact.friction_bound = contact.mu;
    return decided_by(solve_whole(trial.problem, FrictionBox{}));
  };
  EXPECT_EQ(by(0), "dantzig");
  EXPECT_EQ(by(245), "pgs-sm");
  EXPECT_EQ(by(1096), "lemke/standard");
  EXPECT_EQ(decided_by(solve(make_box_trial(1, 415).problem)), "pgs-sm");
}

// The solvers with bounds of their own want a symmetric matrix.
TEST(Attempts, BoxesWithoutSymmetryNeedTheMixedForm) {
  BoxLcp box;
  box.M = MatrixXd{{2.0, 1.0}, {0.0, 2.0}};
  box.q = VectorXd::Constant(2, -1.0);
  box.lo = VectorXd::Zero(2);
  box.hi = VectorXd::Constant(2, 0.4);
  const BoxLcpAnswer answer = solve(box);
  EXPECT_EQ(decided_by(answer), "lemke/standard");
  EXPECT_NEAR(answer.solution.z(0), 0.3, 1e-14);  // 2 z₀ + z₁ = 1, z₁ at its bound
  EXPECT_NEAR(answer.solution.z(1), 0.4, 1e-14);
}

TEST(Attempts, MatricesNeedAnotherCoveringVectorAndTheOracle) {
  const auto by = [](std::uint64_t index) { return decided_by(solve(make_lcp_trial(1, index).problem)); };
  EXPECT_EQ(by(0), "lemke/standard");
  EXPECT_EQ(by(719), "lemke/standard, another cover");
  EXPECT_EQ(by(79), "enumerate");
}

TEST(Attempts, FrictionAsMatricesNeedsPolygons) {
  Random random(1000003ULL * 1004 + 17);
  ContactProblem problem =
      random_bodies({.bodies = random.integer(1, 4), .contacts = random.integer(2, 24), .redundant = 0.5}, random);
  for (Contact& contact : problem.contacts) contact.mu = std::pow(10.0, random.uniform(-3.0, 6.0));
  const FrictionAnswer answer = solve(make_local(problem));
  EXPECT_EQ(decided_by(answer), "cone from polygons");
  EXPECT_EQ(answer.history.back().note, "32 corners");
}

}  // namespace
}  // namespace tribo
