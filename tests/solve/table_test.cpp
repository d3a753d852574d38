// Every solver of the table on every kind of problem it claims, judged by certify.
#include "tribo/certify/certify.hpp"
#include "tribo/certify/infeasibility.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/registry.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

constexpr MatrixClass kClasses[] = {MatrixClass::kSpd, MatrixClass::kPsd, MatrixClass::kRankDeficient, MatrixClass::kP,
                                    MatrixClass::kCopositive};

bool is_symmetric_class(MatrixClass c) {
  return c == MatrixClass::kSpd || c == MatrixClass::kPsd || c == MatrixClass::kRankDeficient;
}

bool claims(const Capability& solver, MatrixClass c, Index n) {
  return solver.lcp && (solver.matrices == Matrices::kAny || is_symmetric_class(c)) &&
         (solver.size_limit == 0 || n <= solver.size_limit);
}

class EverySolver : public ::testing::TestWithParam<const Capability*> {
 protected:
  const Capability& solver() const { return *GetParam(); }

  // Solves and demands an answer that certifies.
  LcpSolution solved(const Lcp& lcp, const WarmStart& warm = {}, SolveReport* report_out = nullptr) const {
    LcpSolution solution;
    const SolveReport report = solver().make()->solve(lcp, warm, solution);
    EXPECT_EQ(report.status, Status::kSolved) << solver().name << ": " << report.detail;
    EXPECT_LE(certify(lcp, solution).worst, 1e-8) << solver().name;
    if (report_out != nullptr) *report_out = report;
    return solution;
  }
};

// Those that take a matrix; the others are in pyramid_test.cpp.
std::vector<const Capability*> all_solvers() {
  std::vector<const Capability*> solvers;
  for (const Capability& row : capabilities()) {
    if (row.lcp) solvers.push_back(&row);
  }
  return solvers;
}

std::string test_name(const ::testing::TestParamInfo<const Capability*>& info) {
  std::string name(info.param->name);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, EverySolver, ::testing::ValuesIn(all_solvers()), test_name);

// Spec G: nothing to do means zero forces and no pivots.
TEST_P(EverySolver, DoesNothingWhereNothingIsToDo) {
  SolveReport report;
  const LcpSolution empty = solved(Lcp{MatrixXd(0, 0), VectorXd(0)}, {}, &report);
  EXPECT_EQ(empty.z.size(), 0);
  EXPECT_EQ(report.pivots + report.sweeps, 0);
  Random random(1);
  Lcp apart{random_matrix(MatrixClass::kPsd, 6, random), VectorXd::LinSpaced(6, 0.0, 2.0)};
  const LcpSolution zero = solved(apart, {}, &report);
  EXPECT_EQ(zero.z, VectorXd::Zero(6));
  EXPECT_EQ(zero.w, apart.q);
  EXPECT_EQ(report.pivots + report.sweeps, 0);
}

// Spec G: one approaching contact has the closed form z = −q/M, on any scale of units.
TEST_P(EverySolver, SolvesOneRowInClosedForm) {
  for (const double unit : {1.0, 1e-12, 1e12}) {
    Lcp one{MatrixXd::Constant(1, 1, 4.0), VectorXd::Constant(1, -2.0 * unit)};
    const LcpSolution solution = solved(one);
    EXPECT_NEAR(solution.z(0), 0.5 * unit, 1e-10 * unit);
    EXPECT_EQ(solved(Lcp{one.M, -one.q}).z(0), 0.0);
  }
}

// Problems built backwards from a chosen answer have one: a solver that claims the class must find an answer. (Copositive
// ones may end Lemke's path in a ray; that is tested with the ray.)
TEST_P(EverySolver, SolvesWhatWasBuiltBackwards) {
  for (const MatrixClass matrix_class : kClasses) {
    if (matrix_class == MatrixClass::kCopositive) continue;
    Random random(7);
    for (int k = 0; k < 40; ++k) {
      const Index n = random.integer(1, 12);
      Lcp lcp = solvable_lcp(matrix_class, n, random);
      if (!claims(solver(), matrix_class, lcp.size())) continue;
      if (k % 3 == 0) lcp = badly_scaled(lcp, matrix_class, random);
      LcpSolution solution;
      const SolveReport report = solver().make()->solve(lcp, {}, solution);
      if (!solver().always_ends && report.status == Status::kIterationLimit)
        continue;  // said so, and that is all it may say
      ASSERT_EQ(report.status, Status::kSolved)
          << solver().name << " class " << static_cast<int>(matrix_class) << " k " << k << ": " << report.detail;
      ASSERT_LE(certify(lcp, solution).worst, 1e-8);
    }
  }
}

// For P matrices the answer is unique: every solver must find the oracle's. For semidefinite ones w is unique.
TEST_P(EverySolver, AgreesWithTheOracle) {
  const auto oracle = find_capability("enumerate")->make();
  for (const MatrixClass matrix_class : kClasses) {
    if (matrix_class == MatrixClass::kCopositive) continue;
    Random random(11);
    for (int k = 0; k < 30; ++k) {
      const Index n = random.integer(1, 8);
      const Lcp lcp = solvable_lcp(matrix_class, n, random);
      if (!claims(solver(), matrix_class, lcp.size())) continue;
      LcpSolution truth, solution;
      const SolveReport found = oracle->solve(lcp, {}, truth);
      const SolveReport report = solver().make()->solve(lcp, {}, solution);
      ASSERT_EQ(found.status, Status::kSolved);
      if (report.status != Status::kSolved) continue;  // judged by the test above
      const bool unique = matrix_class == MatrixClass::kSpd || matrix_class == MatrixClass::kP;
      if (unique) {
        EXPECT_LT((solution.z - truth.z).norm(), 1e-6 * (1.0 + truth.z.norm()));
      }
      if (is_symmetric_class(matrix_class)) {
        EXPECT_LT((solution.w - truth.w).norm(), 1e-6 * (1.0 + truth.w.norm()));
      }
    }
  }
}

// A step loop at rest must cost nothing: started at the answer, no pivot and no sweep.
TEST_P(EverySolver, CostsNothingWhenStartedAtTheSolution) {
  for (const MatrixClass matrix_class : kClasses) {
    Random random(13);
    for (int k = 0; k < 20; ++k) {
      const Lcp lcp = solvable_lcp(matrix_class, random.integer(1, 12), random);
      if (!claims(solver(), matrix_class, lcp.size())) continue;
      LcpSolution first;
      if (solver().make()->solve(lcp, {}, first).status != Status::kSolved) continue;
      SolveReport report;
      const LcpSolution again = solved(lcp, warm_start_at(first), &report);
      EXPECT_EQ(report.pivots, 0) << solver().name << " class " << static_cast<int>(matrix_class) << " k " << k;
      EXPECT_EQ(report.sweeps, 0) << solver().name;
      EXPECT_LT((again.w - first.w).norm(), 1e-7 * (1.0 + first.w.norm()));
    }
  }
}

// A warm start is a hint: garbage must not change the answer.
TEST_P(EverySolver, IgnoresGarbageInTheWarmStart) {
  Random random(17);
  for (int k = 0; k < 30; ++k) {
    const Lcp lcp = solvable_lcp(k % 2 == 0 ? MatrixClass::kSpd : MatrixClass::kPsd, random.integer(1, 10), random);
    WarmStart garbage;
    garbage.z.resize(lcp.size());
    for (Index i = 0; i < lcp.size(); ++i) {
      garbage.states.push_back(random.chance(0.5) ? IndexState::kActive : IndexState::kLower);
      garbage.z(i) = 100.0 * random.normal();
    }
    const LcpSolution cold = solved(lcp);
    const LcpSolution warm = solved(lcp, garbage);
    EXPECT_LT((cold.w - warm.w).norm(), 1e-6 * (1.0 + cold.w.norm())) << solver().name;
  }
}

// Renumbering contacts must not change their velocities.
TEST_P(EverySolver, DoesNotDependOnTheOrderOfRows) {
  Random random(19);
  for (int k = 0; k < 20; ++k) {
    const Lcp lcp = solvable_lcp(MatrixClass::kPsd, 9, random);
    Eigen::PermutationMatrix<Eigen::Dynamic> order(lcp.size());
    order.setIdentity();
    for (Index i = lcp.size() - 1; i > 0; --i) std::swap(order.indices()(i), order.indices()(random.integer(0, i)));
    const Lcp shuffled{order * lcp.M * order.transpose(), order * lcp.q};
    LcpSolution first, second;
    const Status one = solver().make()->solve(lcp, {}, first).status;
    const Status other = solver().make()->solve(shuffled, {}, second).status;
    if (solver().always_ends) {
      ASSERT_EQ(one, Status::kSolved);
      ASSERT_EQ(other, Status::kSolved);
    }
    if (one != Status::kSolved || other != Status::kSolved) continue;
    EXPECT_LT((order.transpose() * second.w - first.w).norm(), 1e-7 * (1.0 + lcp.q.norm()));
  }
}

// Where there is no answer, the solvers that promise a proof must bring one that verifies, and none may say solved.
TEST_P(EverySolver, ProvesInfeasibilityOrKeepsQuiet) {
  // Two opposing rows, both asked to separate: rows of spec A.5.
  Lcp jam;
  jam.M.resize(3, 3);
  jam.M << 1.0, -1.0, 0.25, -1.0, 1.0, -0.25, 0.25, -0.25, 2.0;
  jam.q = Vector3d(-1.0, -0.5, 1.0);
  LcpSolution solution;
  const SolveReport report = solver().make()->solve(jam, {}, solution);
  EXPECT_NE(report.status, Status::kSolved) << solver().name;
  if (solver().proves_infeasible) {
    EXPECT_EQ(certify_infeasible(jam, solution.evidence).verdict, Verdict::kInfeasible) << solver().name;
  }
}

// Spec G: a number that is not one is refused at once.
TEST_P(EverySolver, RefusesNumbersThatAreNotFinite) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const bool in_matrix : {true, false}) {
      Lcp lcp{MatrixXd::Identity(3, 3), VectorXd::Constant(3, -1.0)};
      (in_matrix ? lcp.M(1, 2) : lcp.q(1)) = bad;
      LcpSolution solution;
      EXPECT_EQ(solver().make()->solve(lcp, {}, solution).status, Status::kBreakdown) << solver().name;
    }
  }
}

// A form that the table does not list is a broken promise of the caller, not a guess.
TEST_P(EverySolver, RefusesFormsItDoesNotTake) {
  const auto instance = solver().make();
  const Lcp lcp{MatrixXd::Identity(2, 2), VectorXd::Constant(2, -1.0)};
  BoxLcpSolution box;
  MixedLcpSolution mixed;
  LcpSolution factored;
  if (!solver().box) {
    EXPECT_THROW(static_cast<void>(instance->solve(as_box(lcp), {}, box)), ContractError);
  }
  if (!solver().mixed) {
    EXPECT_THROW(static_cast<void>(instance->solve(as_mixed(lcp), {}, mixed)), ContractError);
  }
  if (!solver().factored) {
    const FactoredLcp rows = make_factored(MatrixXd::Identity(2, 2), lcp.q);
    EXPECT_THROW(static_cast<void>(instance->solve(rows, {}, factored)), ContractError);
  }
}

// Two-sided bounds, infinite and equal ones included, built backwards from an answer.
TEST_P(EverySolver, SolvesBoxesItClaims) {
  if (!solver().box) return;
  Random random(23);
  for (int k = 0; k < 60; ++k) {
    const BoxLcp lcp = solvable_box_lcp(random.integer(1, 14), random);
    BoxLcpSolution solution;
    const SolveReport report = solver().make()->solve(lcp, {}, solution);
    if (!solver().always_ends && report.status == Status::kIterationLimit) continue;
    ASSERT_EQ(report.status, Status::kSolved) << solver().name << " k " << k << ": " << report.detail;
    ASSERT_LE(certify(lcp, solution).worst, 1e-8);
    BoxLcpSolution again;
    const SolveReport warm = solver().make()->solve(lcp, warm_start_at(lcp, solution), again);
    EXPECT_EQ(warm.status, Status::kSolved);
    EXPECT_EQ(warm.pivots + warm.sweeps, 0) << solver().name << " k " << k;
  }
}

// Free variables with equality rows, and the answer found again from its index set without a pivot.
TEST_P(EverySolver, SolvesMixedProblemsItClaims) {
  if (!solver().mixed) return;
  Random random(29);
  for (int k = 0; k < 60; ++k) {
    const MixedLcp lcp = solvable_mixed_lcp(random.integer(0, 6), random.integer(0, 8), random);
    MixedLcpSolution solution;
    const SolveReport report = solver().make()->solve(lcp, {}, solution);
    ASSERT_EQ(report.status, Status::kSolved) << solver().name << " k " << k << ": " << report.detail;
    ASSERT_LE(certify(lcp, solution).worst, 1e-8);
    MixedLcpSolution again;
    EXPECT_EQ(solver().make()->solve(lcp, warm_start_at(solution), again).pivots, 0);
  }
}

// Rows instead of a matrix: the same velocities, with duplicates and dependent rows in plenty.
TEST_P(EverySolver, SolvesFactoredProblemsItClaims) {
  if (!solver().factored) return;
  Random random(31);
  for (int k = 0; k < 60; ++k) {
    const Index n = random.integer(1, 40), m = random.integer(1, 8);
    MatrixXd G(n, m);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) G(i, j) = random.normal();
      if (i > 0 && random.chance(0.4)) G.row(i) = G.row(random.integer(0, i - 1));
    }
    VectorXd t(m);
    for (Index j = 0; j < m; ++j) t(j) = random.normal();
    const FactoredLcp lcp = make_factored(G, G * t);  // −t satisfies all rows: feasible
    LcpSolution solution;
    const SolveReport report = solver().make()->solve(lcp, {}, solution);
    ASSERT_EQ(report.status, Status::kSolved) << report.detail;
    ASSERT_LE(certify(lcp, solution).worst, 1e-9);
    EXPECT_LE((solution.z.array() > 0.0).count(), std::min(n, m));  // |A| ≤ rank
    LcpSolution again;
    EXPECT_EQ(solver().make()->solve(lcp, warm_start_at(solution), again).pivots, 0);
    if (n <= 12) {
      LcpSolution gram;
      ASSERT_EQ(find_capability("enumerate")->make()->solve(as_lcp(lcp), {}, gram).status, Status::kSolved);
      EXPECT_LT((gram.w - solution.w).norm(), 1e-6 * (1.0 + lcp.q.norm()));
    }
  }
}

// One instance serves problem after problem, larger and smaller, as if it were new.
TEST_P(EverySolver, CarriesNothingOverToTheNextProblem) {
  Random random(37);
  const auto reused = solver().make();
  for (int k = 0; k < 30; ++k) {
    const Lcp lcp = solvable_lcp(MatrixClass::kPsd, random.integer(1, 12), random);
    LcpSolution with_reused, with_new;
    static_cast<void>(reused->solve(lcp, {}, with_reused));
    static_cast<void>(solver().make()->solve(lcp, {}, with_new));
    EXPECT_EQ(with_reused.z, with_new.z) << solver().name;
    EXPECT_EQ(with_reused.w, with_new.w) << solver().name;
  }
}

}  // namespace
}  // namespace tribo
