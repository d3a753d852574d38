// What is particular to each pivoting method.
#include "tribo/certify/certify.hpp"
#include "tribo/certify/infeasibility.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/oracle/enumerate.hpp"
#include "tribo/solve/pivot/dantzig.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"
#include "tribo/solve/pivot/lemke.hpp"
#include "tribo/solve/pivot/principal_pivoting.hpp"

#include "solve/pivot/crash_basis.hpp"
#include "solve/pivot/lemke_basis.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

MatrixXd random_square(Index n, Random& random) {
  MatrixXd M(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) M(i, j) = random.normal();
  }
  return M;
}

// After any sequence of exchanges the direction of a column must still satisfy its defining equations.
TEST(LemkeBasis, KeepsItsInverseThroughAllFourExchanges) {
  Random random(3);
  const Index n = 9;
  const MatrixXd M = random_square(n, random);
  const VectorXd cover = VectorXd::Ones(n);
  LemkeBasis basis;
  basis.reserve(n);
  basis.start(M, cover);
  VectorXd dx = VectorXd::Zero(n + 1), dw = VectorXd::Zero(n + 1);
  int exchanges[4] = {0, 0, 0, 0};
  for (int step = 0; step < 300; ++step) {
    const Index outside_column = random.integer(0, n), outside_row = random.integer(0, n - 1);
    const int kind = static_cast<int>(random.integer(0, 3));
    const bool has_column = basis.column_position(outside_column) >= 0, has_row = basis.row_position(outside_row) >= 0;
    if (kind == 0 && !has_column && !has_row && basis.size() < n) {
      basis.column_direction(outside_column, dx, dw);
      if (std::abs(dw(outside_row)) < 0.1) continue;
      basis.grow(outside_row, outside_column, dx, dw(outside_row));
    } else if (kind == 1 && !has_column && basis.size() > 0) {
      basis.column_direction(outside_column, dx, dw);
      const Index position = random.integer(0, basis.size() - 1);
      if (std::abs(dx(position)) < 0.1) continue;
      basis.replace_column(position, outside_column, dx);
    } else if (kind == 2 && !has_row && basis.size() > 0) {
      const Index position = random.integer(0, basis.size() - 1);
      basis.row_direction(basis.row(position), dx, dw);
      if (std::abs(dw(outside_row)) < 0.1) continue;
      basis.replace_row(position, outside_row);
    } else if (kind == 3 && basis.size() > 1) {
      const Index r = random.integer(0, basis.size() - 1), c = random.integer(0, basis.size() - 1);
      basis.row_direction(basis.row(r), dx, dw);
      if (std::abs(dx(c)) < 0.1) continue;
      basis.shrink(r, c);
    } else {
      continue;
    }
    ++exchanges[kind];
    for (Index column = 0; column <= n; ++column) {
      if (basis.column_position(column) >= 0) continue;
      basis.column_direction(column, dx, dw);
      ASSERT_LT(basis.defect(dx, dw, -1), 1e-7) << "step " << step << " kind " << kind;
    }
  }
  for (const int count : exchanges) EXPECT_GT(count, 10);
}

// Degenerate ties everywhere: without the lexicographic rule Lemke's method may run in circles here.
TEST(Lemke, EndsOnFullyDegenerateProblems) {
  Random random(5);
  for (int k = 0; k < 200; ++k) {
    const Index n = random.integer(2, 15);
    MatrixXd G(n, 3);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < 3; ++j) G(i, j) = static_cast<double>(random.integer(-1, 1));
    }
    Lcp lcp{G * G.transpose(), G * Vector3d(1.0, -1.0, 1.0)};
    LcpSolution solution;
    const SolveReport report = LemkeSolver().solve(lcp, {}, solution);
    ASSERT_EQ(report.status, Status::kSolved) << k;
    ASSERT_LE(certify(lcp, solution).worst, 1e-12) << k;
  }
}

// Not every matrix lets Lemke's path arrive: the ray must come back with what is needed to check it.
TEST(Lemke, ReturnsAVerifiableRayWhenThePathEndsInOne) {
  Random random(7);
  int rays = 0;
  for (int k = 0; k < 200; ++k) {
    const Lcp lcp = random_lcp(MatrixClass::kCopositive, random.integer(3, 9), random);
    LcpSolution solution;
    const SolveReport report = LemkeSolver().solve(lcp, {}, solution);
    if (report.status != Status::kRay) continue;
    ++rays;
    EXPECT_NE(certify_infeasible(lcp, solution.evidence).verdict, Verdict::kRejected) << k;
  }
  EXPECT_GT(rays, 10);
}

// The settings promise that another seed is another path, and that the limit is kept.
TEST(Lemke, ObeysItsSettings) {
  Random random(9);
  const Lcp lcp = solvable_lcp(MatrixClass::kSpd, 30, random);
  LcpSolution solution;
  const SolveReport limited = LemkeSolver({.max_pivots = 3}).solve(lcp, {}, solution);
  EXPECT_EQ(limited.status, Status::kIterationLimit);
  EXPECT_EQ(limited.pivots, 3);
  LcpSolution other;
  EXPECT_EQ(LemkeSolver({.cover_seed = 5}).solve(lcp, {}, other).status, Status::kSolved);
  EXPECT_EQ(LemkeSolver().solve(lcp, {}, solution).status, Status::kSolved);
  EXPECT_LT((solution.z - other.z).norm(), 1e-9 * solution.z.norm());
}

// Equality rows that are dependent among themselves need complementarity rows to form a basis (a diode bridge does this).
TEST(Lemke, SolvesMixedProblemsWhoseEqualityBlockIsSingular) {
  Random random(11);
  int singular = 0;
  for (int k = 0; k < 100; ++k) {
    // min ½|z|² + c·z, E z = d, z ≥ 0 as [0 E; −Eᵀ I]: the free block is zero.
    const Index equalities = random.integer(1, 3), n = random.integer(4, 8);
    MatrixXd E(equalities, n);
    for (Index i = 0; i < E.size(); ++i) E(i) = random.uniform(0.1, 1.0);
    VectorXd inside(n), c(n);
    for (Index i = 0; i < n; ++i) {
      inside(i) = random.uniform(0.0, 1.0);
      c(i) = random.normal();
    }
    MixedLcp lcp;
    lcp.free = equalities;
    lcp.M = MatrixXd::Zero(equalities + n, equalities + n);
    lcp.M.topRightCorner(equalities, n) = E;
    lcp.M.bottomLeftCorner(n, equalities) = -E.transpose();
    lcp.M.bottomRightCorner(n, n).setIdentity();
    lcp.q.resize(equalities + n);
    lcp.q << -E * inside, c;
    CrashBasis crash;
    crash.reserve(lcp.size());
    ASSERT_TRUE(crash.find(lcp.M, lcp.free));
    singular += static_cast<int>(crash.beta().size());
    MixedLcpSolution solution;
    const SolveReport report = LemkeSolver().solve(lcp, {}, solution);
    ASSERT_EQ(report.status, Status::kSolved) << k << ": " << report.detail;
    ASSERT_LE(certify(lcp, solution).worst, 1e-10);
  }
  EXPECT_GT(singular, 0);
}

// An equality row that only repeats another one says nothing new and must not be in the way.
TEST(Lemke, LeavesOutEqualityRowsWithoutContent) {
  MixedLcp lcp;
  lcp.free = 2;
  lcp.M = MatrixXd::Zero(3, 3);
  lcp.M(0, 0) = 1.0;
  lcp.M(0, 2) = 1.0;
  lcp.M(2, 0) = -1.0;
  lcp.M(2, 2) = 1.0;
  lcp.q = Vector3d(0.0, 0.0, -2.0);
  MixedLcpSolution solution;
  ASSERT_EQ(LemkeSolver().solve(lcp, {}, solution).status, Status::kSolved);
  EXPECT_LE(certify(lcp, solution).worst, 1e-14);
  EXPECT_NEAR(solution.z(0), 1.0, 1e-14);
}

// Nearly opposed rows (spec G): forces grow without bound, and w must stay exact on the QR path.
TEST(DualActiveSet, KeepsWExactForNearlyOpposedRows) {
  for (const double angle : {1e-5, 1e-6, 1e-7}) {
    MatrixXd G(3, 2);
    G << 1.0, 0.0, -std::cos(angle), std::sin(angle), 0.0, 1.0;
    const FactoredLcp lcp = make_factored(G, Vector3d(0.0, -std::sin(angle), 0.5));
    LcpSolution solution;
    const SolveReport report = DualActiveSetSolver().solve(lcp, {}, solution);
    ASSERT_EQ(report.status, Status::kSolved) << angle;
    EXPECT_NEAR(solution.w(2), 1.5, 1e-9) << angle;  // t = (0, 1) in closed form, with forces of 1/sin(angle)
    EXPECT_GT(solution.z.maxCoeff(), 0.9 / std::sin(angle));
    EXPECT_LE(certify(lcp, solution).worst, 1e-9) << angle;
  }
}

// The step limit is a limit, and what was reached by then comes back.
TEST(DualActiveSet, ObeysItsLimit) {
  Random random(13);
  const Lcp lcp = solvable_lcp(MatrixClass::kSpd, 30, random);
  LcpSolution solution;
  const SolveReport report = DualActiveSetSolver({.max_steps = 2}).solve(lcp, {}, solution);
  EXPECT_EQ(report.status, Status::kIterationLimit);
  EXPECT_LE(report.pivots, 3);
  EXPECT_EQ(solution.z.size(), 30);
}

// Spec B.5: the printed rule cycles on some singular problems; then the fallback must finish, and say so.
TEST(PrincipalPivoting, CyclesWithoutItsFallbackAndFinishesWithIt) {
  Random random(17);
  int cycled = 0;
  for (int k = 0; k < 4000; ++k) {
    const Index n = random.integer(6, 14), m = 6;
    MatrixXd G(n, m);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) G(i, j) = random.normal();
    }
    VectorXd t(m);
    for (Index j = 0; j < m; ++j) t(j) = random.normal();
    const FactoredLcp lcp = make_factored(G, G * t);
    LcpSolution printed, guarded;
    const SolveReport alone = PrincipalPivotingSolver({.fallback = false}).solve(lcp, {}, printed);
    const SolveReport report = PrincipalPivotingSolver().solve(lcp, {}, guarded);
    ASSERT_EQ(report.status, Status::kSolved) << k;
    ASSERT_LE(certify(lcp, guarded).worst, 1e-9) << k;
    EXPECT_EQ(report.fallback, alone.status != Status::kSolved) << k;
    cycled += alone.status == Status::kIterationLimit ? 1 : 0;
  }
  EXPECT_GT(cycled, 0);
}

// A box that is an Lcp in disguise must give the Lcp's answer.
TEST(Dantzig, TreatsAnLcpAsABoxWithoutUpperBounds) {
  Random random(19);
  for (int k = 0; k < 50; ++k) {
    const Lcp lcp = solvable_lcp(MatrixClass::kPsd, random.integer(1, 12), random);
    LcpSolution plain;
    BoxLcpSolution box;
    ASSERT_EQ(DantzigSolver().solve(lcp, {}, plain).status, Status::kSolved);
    ASSERT_EQ(DantzigSolver().solve(as_box(lcp), {}, box).status, Status::kSolved);
    EXPECT_LT((plain.w - box.w).norm(), 1e-12 * (1.0 + lcp.q.norm()));
  }
}

// Spec E.3: the index set of a sub-problem is a head start on the whole one.
TEST(Dantzig, StartsFromTheIndexSetOfASubProblem) {
  Random random(23);
  int cold_pivots = 0, warm_pivots = 0;
  for (int k = 0; k < 50; ++k) {
    const Lcp whole = solvable_lcp(MatrixClass::kSpd, 20, random);
    const Lcp part{whole.M.topLeftCorner(15, 15), whole.q.head(15)};
    LcpSolution part_solution, warm, cold;
    ASSERT_EQ(DantzigSolver().solve(part, {}, part_solution).status, Status::kSolved);
    WarmStart start;
    for (Index i = 0; i < 20; ++i) {
      start.states.push_back(i < 15 && part_solution.z(i) > 0.0 ? IndexState::kActive : IndexState::kLower);
    }
    const SolveReport warm_report = DantzigSolver().solve(whole, start, warm);
    const SolveReport cold_report = DantzigSolver().solve(whole, {}, cold);
    ASSERT_EQ(warm_report.status, Status::kSolved);
    EXPECT_LT((warm.z - cold.z).norm(), 1e-9 * (1.0 + cold.z.norm()));
    cold_pivots += cold_report.pivots;
    warm_pivots += warm_report.pivots;
  }
  EXPECT_LT(2 * warm_pivots, cold_pivots);
}

// The oracle must find answers that exist and prove that none does, whatever the matrix.
TEST(Enumerate, ProvesThatNoConeContainsQ) {
  Lcp none{MatrixXd(3, 3), Vector3d(-1.0, -1.0, -1.0)};
  none.M << 0.0, 1.0, -1.0, -1.0, 0.0, 1.0, 1.0, -1.0, 0.0;  // skew: w·1 = −3 for any z
  LcpSolution solution;
  const SolveReport report = EnumerateSolver().solve(none, {}, solution);
  EXPECT_EQ(report.status, Status::kInfeasible);
  EXPECT_EQ(solution.evidence.kind, Evidence::Kind::kExhaustion);
  EXPECT_EQ(certify_infeasible(none, solution.evidence).verdict, Verdict::kInfeasible);
}

// A search that is cut short may not claim that there is no answer.
TEST(Enumerate, SaysSoWhenItRunsOutOfNodes) {
  Random random(29);
  int long_searches = 0;
  for (int k = 0; k < 200; ++k) {
    const Lcp lcp = random_lcp(MatrixClass::kCopositive, 6, random);
    LcpSolution solution;
    const SolveReport full = EnumerateSolver().solve(lcp, {}, solution);
    if (full.iterations <= 1) continue;
    ++long_searches;
    EXPECT_EQ(EnumerateSolver({.max_nodes = 1}).solve(lcp, {}, solution).status, Status::kIterationLimit);
  }
  EXPECT_GT(long_searches, 0);
}

}  // namespace
}  // namespace tribo
