// The compliant solver on the 22 reference problems: answers certified with 50 digits elsewhere.
#include "tribo/io/problem_file.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "solve/compliant_scenes.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

struct ReferenceCase {
  std::string file, model;
  CompliantProblem problem;
  Compliant law;
  CompliantSolution expected;
};

std::vector<ReferenceCase> read_reference_cases() {
  std::vector<ReferenceCase> cases;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() + "/data/reference-first-order")) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    const CompliantFile file = std::get<CompliantFile>(read_problem(path.string()).value().problem);
    for (const CompliantReference& reference : file.solutions) {
      ReferenceCase made{path.stem().string(), reference.model, file.problem, {}, reference.solution};
      if (made.model == "qp" || made.model == "paper_qcqp") continue;  // programs of their own, tested beside them
      if (made.model == "none") made.problem.product = VelocityProduct::kNone;
      if (made.model == "spring") made.problem.product = VelocityProduct::kSpring;
      if (made.model == "paper") made.problem.product = VelocityProduct::kPaper;
      if (made.model == "convex_cone") made.law.friction = FrictionLaw::kConvexCone;
      cases.push_back(made);
    }
  }
  return cases;
}

double largest_force(const CompliantSolution& x) {
  double largest = 0.0;
  for (const VectorXd* part : {&x.lambda_b, &x.lambda_u, &x.lambda_n, &x.lambda_r, &x.lambda_s}) {
    if (part->size() > 0) largest = std::max(largest, part->cwiseAbs().maxCoeff());
  }
  return largest;
}

void expect_forces(const VectorXd& got, const VectorXd& expected, double largest) {
  if (expected.size() == 0) return;
  ASSERT_EQ(got.size(), expected.size());
  EXPECT_LE((got - expected).cwiseAbs().maxCoeff(), 1e-8 * largest);
}

// The bar of the reference problems: v1 to 1e-10, forces to 1e-8 of the largest, whatever the stiffness.
TEST(CompliantReference, AnswersAgreeWithTheCertifiedOnes) {
  const std::vector<ReferenceCase> cases = read_reference_cases();
  EXPECT_EQ(cases.size(), 38u);
  for (const ReferenceCase& c : cases) {
    SCOPED_TRACE(c.file + " " + c.model);
    CompliantSolver solver;
    CompliantSolution solution;
    const SolveReport report = solver.solve(c.problem, c.law, solution);
    EXPECT_EQ(report.status, Status::kSolved);
    EXPECT_LE((solution.v1 - c.expected.v1).cwiseAbs().maxCoeff(), 1e-10);
    const double largest = largest_force(c.expected);
    expect_forces(solution.lambda_b, c.expected.lambda_b, largest);
    expect_forces(solution.lambda_u, c.expected.lambda_u, largest);
    expect_forces(solution.lambda_n, c.expected.lambda_n, largest);
    expect_forces(solution.lambda_r, c.expected.lambda_r, largest);
    expect_forces(solution.lambda_s, c.expected.lambda_s, largest);
    // In mode kPaper the force fed forward is part of the force, and momentum balances all the same.
    EXPECT_LE(testing::calc_momentum_error(c.problem, solution), 1e-12);
  }
}

// States say what the certified answer says; a contact without friction that carries load slides.
TEST(CompliantReference, StatesAgreeWithTheCertifiedOnes) {
  for (const ReferenceCase& c : read_reference_cases()) {
    if (c.model != "coulomb") continue;
    SCOPED_TRACE(c.file);
    CompliantSolver solver;
    CompliantSolution solution;
    EXPECT_EQ(solver.solve(c.problem, c.law, solution).status, Status::kSolved);
    EXPECT_EQ(solution.states, c.expected.states);
  }
}

// A step whose answer is the last one is confirmed by one linear system.
TEST(CompliantReference, WarmStartAtTheAnswerCostsOneSystem) {
  for (const ReferenceCase& c : read_reference_cases()) {
    SCOPED_TRACE(c.file + " " + c.model);
    CompliantSolver solver;
    CompliantSolution solution;
    EXPECT_EQ(solver.solve(c.problem, c.law, solution).status, Status::kSolved);
    const VectorXd first = solution.v1;
    const SolveReport again = solver.solve(c.problem, c.law, solution);
    EXPECT_EQ(again.status, Status::kSolved);
    EXPECT_EQ(again.pivots, 1);
    EXPECT_LE((solution.v1 - first).cwiseAbs().maxCoeff(), 1e-12);
  }
}

}  // namespace
}  // namespace tribo
