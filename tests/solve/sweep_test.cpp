// What is particular to the sweeping methods.
#include "tribo/certify/certify.hpp"
#include "tribo/problem/generate.hpp"
#include "tribo/solve/sweep/pgs.hpp"
#include "tribo/solve/sweep/pgs_sm.hpp"

#include <gtest/gtest.h>

namespace tribo {
namespace {

// Spec D.3: the guard makes φ = ½ zᵀMz + qᵀz fall from one cycle to the next, whatever the subspace step proposes.
TEST(PgsSm, NeverRaisesTheObjective) {
  Random random(3);
  for (int k = 0; k < 30; ++k) {
    const BoxLcp lcp = solvable_box_lcp(random.integer(2, 15), random);
    double last = std::numeric_limits<double>::infinity();
    for (int cycles = 1; cycles <= 6; ++cycles) {
      BoxLcpSolution solution;
      static_cast<void>(PgsSmSolver({.sweeps = 2, .max_sweeps = 2 * cycles}).solve(lcp, {}, solution));
      const double phi = 0.5 * solution.z.dot(lcp.M * solution.z) + lcp.q.dot(solution.z);
      EXPECT_LE(phi, last + 1e-12 * (1.0 + std::abs(last))) << "problem " << k << " cycle " << cycles;
      last = phi;
    }
  }
}

// The point of the subspace step: far fewer sweeps than plain PGS to the same accuracy.
TEST(PgsSm, NeedsFewerSweepsThanPgs) {
  Random random(5);
  int plain = 0, subspace = 0;
  for (int k = 0; k < 20; ++k) {
    const Lcp lcp = solvable_lcp(MatrixClass::kSpd, 20, random);
    LcpSolution a, b;
    const SolveReport pgs = PgsSolver().solve(lcp, {}, a);
    const SolveReport pgs_sm = PgsSmSolver().solve(lcp, {}, b);
    ASSERT_EQ(pgs_sm.status, Status::kSolved);
    plain += pgs.sweeps;
    subspace += pgs_sm.sweeps;
  }
  EXPECT_LT(3 * subspace, plain);
}

// A fully constrained row (M_ii = 0) is skipped; its violation must not pass for an answer.
TEST(Pgs, SkipsEmptyRowsAndDoesNotHideTheirViolation) {
  Lcp lcp{MatrixXd::Zero(2, 2), VectorXd::Constant(2, 1.0)};
  lcp.M(0, 0) = 1.0;
  LcpSolution solution;
  EXPECT_EQ(PgsSolver().solve(lcp, {}, solution).status, Status::kSolved);
  lcp.q(1) = -1.0;
  EXPECT_NE(PgsSolver({.max_sweeps = 50}).solve(lcp, {}, solution).status, Status::kSolved);
  EXPECT_NE(PgsSmSolver({.max_sweeps = 50}).solve(lcp, {}, solution).status, Status::kSolved);
}

// A negative diagonal breaks the method's assumption; the report names the row.
TEST(Pgs, NamesTheRowWithANegativeDiagonal) {
  Lcp lcp{MatrixXd::Identity(3, 3), VectorXd::Constant(3, -1.0)};
  lcp.M(2, 2) = -1.0;
  LcpSolution solution;
  const SolveReport report = PgsSolver().solve(lcp, {}, solution);
  EXPECT_EQ(report.status, Status::kBreakdown);
  EXPECT_EQ(report.index, 2);
}

// The limit of sweeps is kept, and the last iterate comes back inside its bounds.
TEST(Pgs, ObeysItsLimit) {
  Random random(7);
  const BoxLcp lcp = solvable_box_lcp(12, random);
  BoxLcpSolution solution;
  const SolveReport report = PgsSolver({.max_sweeps = 2}).solve(lcp, {}, solution);
  EXPECT_LE(report.sweeps, 2);
  for (Index i = 0; i < lcp.size(); ++i) {
    EXPECT_GE(solution.z(i), lcp.lo(i));
    EXPECT_LE(solution.z(i), lcp.hi(i));
  }
}

}  // namespace
}  // namespace tribo
