// Every row of the tables of attempts is needed: one committed problem each, which the rows before it do not solve and which fails
// without it (src/contact/attempt_loop.hpp).
#include "tribo/contact/solve.hpp"
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

TEST(Attempts, PyramidNeedsOtherPathsAndTheNormalsAlone) {
  const auto trial = [](std::uint64_t index) {
    const LemkeTrial made = make_lemke_trial(1, index);
    return solve_whole(made.problem, CoulombPyramid{made.sides});
  };
  EXPECT_EQ(decided_by(trial(0)), "lemke/reduced");
  // The second covering vector; the structural method, lexicographic, alone among the three.
  const ContactAnswer second = trial(3935), third = trial(8094);
  EXPECT_EQ(decided_by(second), "lemke/reduced, other paths");
  EXPECT_EQ(second.history.back().note, "1 path");
  EXPECT_EQ(decided_by(third), "lemke/reduced, other paths");
  EXPECT_EQ(third.history.back().note, "3 paths");
  EXPECT_EQ(decided_by(solve_whole(jam(true), CoulombPyramid{8})), "normals alone");
}

TEST(Attempts, ConeNeedsPolygonsUpToThoseWith512CornersAndTheNormalsAlone) {
  struct Case {
    std::uint64_t index;
    const char* corners;
  };
  for (const Case& one : {Case{6796, "8 corners"}, Case{12428, "8, 32 corners"}, Case{4508, "8, 32, 128 corners"},
                          Case{15860, "8, 32, 128, 512 corners"}}) {
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
  EXPECT_EQ(decided_by(answer), "lemke/reduced, mu <= 10");
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

TEST(Attempts, MatricesNeedOtherCoveringVectorsAndTheOracle) {
  const auto by = [](std::uint64_t index) { return decided_by(solve(make_lcp_trial(1, index).problem)); };
  EXPECT_EQ(by(0), "lemke/standard");
  EXPECT_EQ(by(719), "lemke/standard, other covers");
  EXPECT_EQ(by(79), "enumerate");
}

TEST(Attempts, FrictionAsMatricesNeedsPolygons) {
  Random random(1000003ULL * 1004 + 17);
  ContactProblem problem =
      random_bodies({.bodies = random.integer(1, 4), .contacts = random.integer(2, 24), .redundant = 0.5}, random);
  for (Contact& contact : problem.contacts) contact.mu = std::pow(10.0, random.uniform(-3.0, 6.0));
  EXPECT_EQ(decided_by(solve(make_local(problem))), "cone from polygons");
}

}  // namespace
}  // namespace tribo
