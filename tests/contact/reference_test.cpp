// The reference problems with their verified answers, through every solver that can take them.
#include "tribo/contact/solve.hpp"
#include "tribo/io/problem_file.hpp"
#include "tribo/solve/registry.hpp"

#include <algorithm>
#include <filesystem>

#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

ContactFile read(const std::string& path) {
  auto file = read_problem(path);
  EXPECT_TRUE(file.has_value()) << path;
  return std::get<ContactFile>(file->problem);
}

ContactFile reference(const std::string& name) {
  return read(testing::source_dir() + "/data/reference/" + name + ".json");
}

std::vector<std::string> solvers_for(const ContactFile& file) {
  std::vector<std::string> names{"auto"};
  for (const Capability& row : capabilities()) {
    const std::string name(row.name);
    const Index rows = file.problem.size() * (std::holds_alternative<CoulombPyramid>(file.model) ? 10 : 3);
    if (row.size_limit > 0 && rows > row.size_limit) continue;
    if (check_solver(file.problem, file.model, name)) names.push_back(name);
  }
  return names;
}

// What a stored answer says, every solver must find: status, and v⁺ where it is unique.
TEST(Reference, EverySolverFindsTheVerifiedAnswer) {
  const auto files = testing::reference_files();
  ASSERT_EQ(files.size(), 41u);
  for (const std::string& path : files) {
    const ContactFile file = read(path);
    const ExpectedAnswer& expected = *file.expected;
    for (const std::string& solver : solvers_for(file)) {
      const std::string what = std::filesystem::path(path).stem().string() + " by " + solver;
      const ContactAnswer answer = solve(file.problem, file.model, {.solver = solver});
      if (expected.status == "solved") {
        ASSERT_EQ(answer.status, Status::kSolved) << what << ": " << answer.report.detail;
        EXPECT_LE(answer.certificate.worst, 1e-8) << what;
        if (solver == "auto") {
          EXPECT_LE(answer.certificate.worst, 1e-11) << what;
        }
        // Under mu = 1000 the grasp may also slip by 7e-7 m/s (a certified answer): only `auto` promises that it sticks.
        const bool may_slip = what.starts_with("st407") && solver != "auto";
        if (expected.velocity_unique && !may_slip) {
          const double scale = 1.0 + expected.solution.v_next.norm();
          EXPECT_LT((answer.v_next - expected.solution.v_next).norm(), 1e-8 * scale) << what;
        }
        if (expected.forces_unique && expected.velocity_unique && solver == "auto" &&
            !std::holds_alternative<CoulombPyramid>(file.model) && !std::holds_alternative<FrictionBox>(file.model)) {
          EXPECT_LT((answer.solution.f_n - expected.solution.f_n).norm(), 1e-8 * (1.0 + expected.solution.f_n.norm()))
              << what;
        }
      } else if (solver == "auto" || find_capability(solver)->proves_infeasible) {
        EXPECT_EQ(to_string(answer.status), expected.status) << what;
        EXPECT_EQ(answer.infeasibility.verdict, Verdict::kInfeasible) << what;
      } else {
        EXPECT_FALSE(is_solved(answer.status)) << what;
      }
    }
  }
}

// Cross checks of data/reference/README.md.
TEST(Reference, FrictionWithoutFrictionIsFrictionless) {
  for (const char* name : {"st406_mu_zero", "bx05_zero_bound"}) {
    const ContactFile file = reference(name);
    const VectorXd frictionless = solve(file.problem, Frictionless{}).v_next;
    EXPECT_LT((solve(file.problem, file.model).v_next - frictionless).norm(), 1e-12) << name;
  }
}

TEST(Reference, HugeFrictionIsNoSlipWhereEveryContactStaysLoaded) {
  const VectorXd no_slip = solve(reference("ns04_grasp_2boxes").problem, NoSlip{}).v_next;
  const ContactFile grasp = reference("st407_grasp_mu1000");
  EXPECT_LT((solve(grasp.problem, grasp.model).v_next - no_slip).norm(), 1e-12);
}

TEST(Reference, StiffViscosityComesNearNoSlip) {
  const ContactFile file = reference("vi02_block_implicit_stiff");
  EXPECT_LT((solve(file.problem, file.model).v_next - solve(file.problem, NoSlip{}).v_next).norm(), 1e-4);
}

TEST(Reference, TheCyclingProblemIsFinishedByTheFallback) {
  const ContactFile file = reference("fr09_ppm1_cycles");
  const ContactAnswer answer = solve(file.problem, file.model, {.solver = "ppm"});
  EXPECT_EQ(answer.status, Status::kSolved);
  EXPECT_TRUE(answer.report.fallback);
}

}  // namespace
}  // namespace tribo
