// The true Coulomb cone: closed solves, the portfolio and each of its stages, on problems with known answers and on random
// ones. What counts is the law itself, evaluated here from r and u alone.
#include "tribo/core/assert.hpp"
#include "tribo/solve/cone/cone_solver.hpp"
#include "tribo/solve/cone/one_contact.hpp"

#include <algorithm>
#include <limits>

#include "solve/cone/one_contact.hpp"
#include "solve/cone_problems.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// The largest violation of Signorini and Coulomb, each in its own unit, scaled by the sizes of q and r.
double violation(const ConeProblem& problem, const MatrixXd& W, const VectorXd& r) {
  const int D = problem.dimension;
  const VectorXd u = W * r + problem.q;
  const double speed = problem.q.cwiseAbs().maxCoeff();
  double worst = 0.0;
  for (Index i = 0; i < problem.contacts(); ++i) {
    const double w = W.block(i * D, i * D, D, D).trace() / D, impulse = speed / w, mu = problem.mu(i);
    const double r_N = r(i * D), u_N = u(i * D);
    const VectorXd r_T = r.segment(i * D + 1, D - 1), u_T = u.segment(i * D + 1, D - 1);
    worst = std::max({worst, -r_N / impulse, -u_N / speed, std::min(r_N / impulse, u_N / speed),
                      (r_T.norm() - mu * r_N) / (impulse * std::max(1.0, mu))});
    // Slip and room in the cone exclude one another, and friction opposes slip.
    worst = std::max(worst, std::min(u_T.norm() / speed, (mu * r_N - r_T.norm()) / (impulse * std::max(1.0, mu))));
    if (u_T.norm() > 1e-2 * speed) {
      worst = std::max(worst, (r_T * u_T.norm() + mu * r_N * u_T).norm() / (u_T.norm() * impulse * std::max(1.0, mu)));
    }
  }
  return worst;
}

MatrixXd dense_W(const RandomCone& cone) { return cone.H * cone.H.transpose(); }

// The closed solve meets the law for every state, also with strong coupling of normal and tangent and without symmetry.
TEST(OneContact, ObeysTheLawForAnyBlock) {
  Random random(1);
  int states[3] = {0, 0, 0};
  for (int trial = 0; trial < 20000; ++trial) {
    MatrixXd B(3, 3);
    for (Index k = 0; k < 9; ++k) B(k) = random.uniform(-1.0, 1.0);
    MatrixXd A = B * B.transpose() + 0.01 * MatrixXd::Identity(3, 3);
    if (trial % 2 == 0) A(0, 1) += 1e-3 * random.uniform(-1.0, 1.0);
    alignas(64) double block[12] = {}, b[4] = {}, r[4] = {};
    VectorXd q(3);
    for (int k = 0; k < 3; ++k) {
      q(k) = b[k] = random.uniform(-1.0, k == 0 ? 0.3 : 1.0);
      for (int a = 0; a < 3; ++a) block[4 * k + a] = A(a, k);
    }
    const double mu = trial % 7 == 0 ? 0.0 : random.uniform(0.0, 2.0);
    ASSERT_TRUE(cone::solve_one_contact<3>(block, b, mu, r)) << trial;
    ConeProblem problem = make_by_contacts(3, A, q, VectorXd::Constant(1, mu));
    const VectorXd answer = Eigen::Map<const VectorXd>(r, 3);
    // Rounding of A r, which may be much larger than q, over slips down to a hundredth of it, and no more.
    EXPECT_LE(violation(problem, A, answer), 1e-13 * (1.0 + A.norm() * answer.norm() / q.cwiseAbs().maxCoeff()))
        << trial;
    const VectorXd u = A * answer + q;
    ++states[answer(0) == 0.0 ? 0 : (u.norm() < 1e-9 ? 2 : 1)];
  }
  for (const int count : states) EXPECT_GT(count, 500);  // all three were there
}

// In the plane, and in four and six dimensions, the same function.
template <int D>
void solve_random_blocks() {
  Random random(D);
  for (int trial = 0; trial < 3000; ++trial) {
    MatrixXd B(D, D);
    for (Index k = 0; k < D * D; ++k) B(k) = random.uniform(-1.0, 1.0);
    const MatrixXd A = B * B.transpose() + 0.05 * MatrixXd::Identity(D, D);
    alignas(64) double block[cone::kBlock<D>] = {}, b[cone::kLanes<D>] = {}, r[cone::kLanes<D>] = {};
    VectorXd q(D);
    for (int k = 0; k < D; ++k) {
      q(k) = b[k] = random.uniform(-1.0, k == 0 ? 0.2 : 1.0);
      for (int a = 0; a < D; ++a) block[cone::kLanes<D> * k + a] = A(a, k);
    }
    const double mu = random.uniform(0.0, 1.5);
    if (!cone::solve_one_contact<D>(block, b, mu, r)) {
      ADD_FAILURE() << D << " " << trial;
      continue;
    }
    ConeProblem problem;
    problem.dimension = D;
    problem.q = q;
    problem.mu = VectorXd::Constant(1, mu);
    EXPECT_LE(violation(problem, A, Eigen::Map<const VectorXd>(r, D)), 1e-11) << D << " " << trial;
  }
}
TEST(OneContact, ObeysTheLawInEveryDimension) {
  solve_random_blocks<2>();
  solve_random_blocks<4>();
  solve_random_blocks<6>();
}

// Two degrees of freedom under four or six components: in most directions nothing moves, and what sticks has many answers.
TEST(OneContact, SticksWhereMostDirectionsMoveNothing) {
  Random random(12);
  for (const int D : {4, 6}) {
    for (int k = 0; k < 200; ++k) {
      SCOPED_TRACE(std::to_string(D) + " " + std::to_string(k));
      MatrixXd H(D, 2);
      for (Index i = 0; i < H.size(); ++i) H.data()[i] = random.uniform(-1.0, 1.0);
      H.middleRows(1, 2) *= std::exp(random.uniform(-8.0, 0.0));
      VectorXd q = H * Eigen::Vector2d(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
      if (q(0) > 0.0) q = -q;
      const VectorXd mu = VectorXd::Constant(1, std::exp(random.uniform(-6.0, 1.0)));
      ConeSolution solution;
      const SolveReport report = ConeSolver().solve(make_by_contacts(D, H * H.transpose(), q, mu), {}, solution);
      EXPECT_EQ(report.status, Status::kSolved) << mu(0);
    }
  }
}

// The public call: a block of 2 kg pushed along the floor slides with mu f_n against it.
TEST(OneContact, IsCallableByItself) {
  const Matrix3d A = 0.5 * Matrix3d::Identity();
  Vector3d r;
  ASSERT_TRUE(solve_one_contact(A, Vector3d(-1.0, 3.0, 4.0), 0.5, r));
  EXPECT_LE((r - Vector3d(2.0, -0.6, -0.8)).norm(), 1e-15);
  Eigen::Vector2d planar;
  ASSERT_TRUE(
      solve_one_contact(Eigen::Matrix2d(0.5 * Eigen::Matrix2d::Identity()), Eigen::Vector2d(-1.0, 3.0), 0.5, planar));
  EXPECT_LE((planar - Eigen::Vector2d(2.0, -1.0)).norm(), 1e-15);
  EXPECT_FALSE(solve_one_contact(Matrix3d(Matrix3d::Zero()), Vector3d(-1.0, 0.0, 0.0), 0.5, r));
}

struct Case {
  int D;
  Index bodies, contacts;
};
constexpr Case kCases[] = {{3, 1, 1},  {3, 1, 2}, {3, 1, 4}, {3, 2, 8}, {3, 3, 12},
                           {3, 5, 30}, {4, 2, 6}, {6, 2, 5}, {6, 3, 14}};

// Both forms of the same problem end in answers that obey the law.
TEST(ConeSolver, SolvesRandomProblemsByContactsAndByBodies) {
  for (const Case& c : kCases) {
    ConeSolver solver({.tolerance = 1e-10});
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const RandomCone cone = make_random_cone(seed, c.D, c.bodies, c.contacts, 0.1 * static_cast<double>(seed % 12));
      for (const ConeProblem* problem : {&cone.by_contacts, &cone.by_bodies}) {
        ConeSolution solution;
        const SolveReport report = solver.solve(*problem, {}, solution);
        ASSERT_EQ(report.status, Status::kSolved)
            << c.D << " " << c.contacts << " seed " << seed << " " << problem->by_bodies() << " " << report.detail;
        EXPECT_LE(violation(*problem, dense_W(cone), solution.r), 1e-8) << c.D << " " << c.contacts << " " << seed;
        EXPECT_LE((solution.u - dense_W(cone) * solution.r - problem->q).norm(), 1e-12 * (1.0 + solution.r.norm()));
      }
    }
  }
}

// An answer chosen first: whatever W is, q = u − W r makes it one, and the solver must end in an answer as well.
TEST(ConeSolver, FindsAnAnswerWhereOneWasPlanted) {
  Random random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = 1 + trial % 9;
    const RandomCone cone = make_random_cone(1000 + static_cast<std::uint64_t>(trial), 3, 3, n, 0.6);
    VectorXd r = VectorXd::Zero(3 * n), u = VectorXd::Zero(3 * n);
    for (Index i = 0; i < n; ++i) {
      const double angle = random.uniform(0.0, 6.28), load = random.uniform(0.1, 1.0);
      const Vector3d along(0.0, std::cos(angle), std::sin(angle));
      const int state = static_cast<int>(random.uniform(0.0, 2.999));
      if (state == 0) u.segment(3 * i, 3) = Vector3d(load, 0.0, 0.0) + 0.3 * along;
      if (state > 0) r.segment(3 * i, 3) = load * (Vector3d(1.0, 0.0, 0.0) - (state == 1 ? 0.6 : 0.3) * along);
      if (state == 1) u.segment(3 * i, 3) = 0.5 * along;
    }
    const MatrixXd W = dense_W(cone) + 0.2 * MatrixXd::Identity(3 * n, 3 * n);
    const ConeProblem problem = make_by_contacts(3, W, u - W * r, VectorXd::Constant(n, 0.6));
    ConeSolution solution;
    ASSERT_EQ(ConeSolver({.tolerance = 1e-11}).solve(problem, {}, solution).status, Status::kSolved) << trial;
    EXPECT_LE(violation(problem, W, solution.r), 1e-9) << trial;
  }
}

// The answer is the caller's data's, not the order's: contacts listed otherwise and tangents turned give the same u.
TEST(ConeSolver, DoesNotDependOnOrderAndTangents) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Index n = 3 + static_cast<Index>(seed % 20);
    const RandomCone cone = make_random_cone(seed, 3, 3, n, 0.7);
    ConeSolver solver({.tolerance = 1e-12});
    ConeSolution first, second;
    ASSERT_EQ(solver.solve(cone.by_contacts, {}, first).status, Status::kSolved) << seed;
    MatrixXd P = MatrixXd::Zero(3 * n, 3 * n);
    Random random(seed);
    for (Index i = 0; i < n; ++i) {
      const Index to = (i * 7 + 3) % n == i ? i : n - 1 - i;
      const double angle = random.uniform(0.0, 6.28);
      P(3 * to, 3 * i) = 1.0;
      P(3 * to + 1, 3 * i + 1) = P(3 * to + 2, 3 * i + 2) = std::cos(angle);
      P(3 * to + 1, 3 * i + 2) = -std::sin(angle);
      P(3 * to + 2, 3 * i + 1) = std::sin(angle);
    }
    if ((P * P.transpose() - MatrixXd::Identity(3 * n, 3 * n)).norm() > 1e-12) continue;  // not a permutation
    const ConeProblem other =
        make_by_contacts(3, P * dense_W(cone) * P.transpose(), P * cone.by_contacts.q, cone.by_contacts.mu);
    ASSERT_EQ(solver.solve(other, {}, second).status, Status::kSolved) << seed;
    EXPECT_LE((P.transpose() * second.u - first.u).norm(), 1e-7 * cone.by_contacts.q.norm()) << seed;
  }
}

// Units: lengths times 10³ and masses times 10³ multiply W and q by constants, and the answer with them.
TEST(ConeSolver, DoesNotDependOnUnits) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const RandomCone cone = make_random_cone(seed, 3, 2, 6, 0.5);
    ConeProblem scaled = cone.by_contacts;
    for (double& value : scaled.W.values) value *= 1e-3;
    scaled.q *= 1e3;
    ConeSolution first, second;
    ConeSolver solver({.tolerance = 1e-11});
    ASSERT_EQ(solver.solve(cone.by_contacts, {}, first).status, Status::kSolved);
    ASSERT_EQ(solver.solve(scaled, {}, second).status, Status::kSolved);
    EXPECT_LE((second.u / 1e3 - first.u).norm(), 1e-9 * (1.0 + first.u.norm())) << seed;
  }
}

// A warm start at the answer asks for nothing: no sweep, no Newton step.
TEST(ConeSolver, StopsAtOnceWhereItStartsAtTheAnswer) {
  for (const Case& c : kCases) {
    const RandomCone cone = make_random_cone(5, c.D, c.bodies, c.contacts, 0.5);
    for (const ConeProblem* problem : {&cone.by_contacts, &cone.by_bodies}) {
      ConeSolver solver;
      ConeSolution solution;
      ASSERT_EQ(solver.solve(*problem, {}, solution).status, Status::kSolved);
      ConeWarmStart warm;
      warm.r = solution.r;
      const SolveReport report = solver.solve(*problem, warm, solution);
      EXPECT_EQ(report.status, Status::kSolved);
      EXPECT_EQ(report.sweeps + report.pivots, 0) << c.D << " " << c.contacts;
    }
  }
}

// A start that is not finite, of the wrong size or absurdly far off costs time, never the answer.
TEST(ConeSolver, SurvivesBadStarts) {
  for (const Case& c : kCases) {
    const RandomCone cone = make_random_cone(9, c.D, c.bodies, c.contacts, 0.4);
    for (const ConeProblem* problem : {&cone.by_contacts, &cone.by_bodies}) {
      const VectorXd ones = VectorXd::Ones(problem->q.size());
      std::vector<VectorXd> starts{ones * 1e17, ones.head(1), ones};
      starts[2](0) = std::numeric_limits<double>::quiet_NaN();
      for (const VectorXd& start : starts) {
        ConeSolution solution;
        ConeWarmStart warm;
        warm.r = start;
        const SolveReport report = ConeSolver().solve(*problem, warm, solution);
        ASSERT_EQ(report.status, Status::kSolved) << c.D << " " << c.contacts << " " << report.detail;
        EXPECT_LE(violation(*problem, dense_W(cone), solution.r), 1e-6);
      }
    }
  }
}

// A direction in which nothing moves is no obstacle to sticking in the others.
TEST(ConeSolver, SticksWhereATangentMovesNothing) {
  MatrixXd W = MatrixXd::Identity(3, 3);
  W(2, 2) = 0.0;
  const ConeProblem problem = make_by_contacts(3, W, Vector3d(-1.0, 0.1, 0.0), VectorXd::Ones(1));
  ConeSolution solution;
  const SolveReport report = ConeSolver({.method = ConeMethod::kNewton}).solve(problem, {}, solution);
  EXPECT_EQ(report.status, Status::kSolved);
  EXPECT_NEAR(solution.r(0), 1.0, 1e-9);
  EXPECT_NEAR(solution.r(1), -0.1, 1e-9);
}

// reserve() is enough for every method: what comes after it finds its memory. Here only that it changes nothing.
TEST(ConeSolver, ReserveChangesNoAnswer) {
  for (const Case& c : kCases) {
    const RandomCone cone = make_random_cone(11, c.D, c.bodies, c.contacts, 0.4);
    ConeSolution first, second;
    ConeSolver plain, reserved;
    reserved.reserve(cone.by_bodies);
    ASSERT_EQ(plain.solve(cone.by_bodies, {}, first).status, Status::kSolved);
    ASSERT_EQ(reserved.solve(cone.by_bodies, {}, second).status, Status::kSolved);
    EXPECT_EQ((first.r - second.r).norm(), 0.0);
  }
}

// The states alone are enough to start from, right or wrong.
TEST(ConeSolver, StartsFromStates) {
  for (const Case& c : kCases) {
    const RandomCone cone = make_random_cone(6, c.D, c.bodies, c.contacts, 0.5);
    for (const ConeProblem* problem : {&cone.by_contacts, &cone.by_bodies}) {
      ConeSolver solver;
      ConeSolution solution, again;
      ASSERT_EQ(solver.solve(*problem, {}, solution).status, Status::kSolved);
      ConeWarmStart warm;
      warm.states = solution.states;
      EXPECT_EQ(solver.solve(*problem, warm, again).status, Status::kSolved);
      EXPECT_LE(violation(*problem, dense_W(cone), again.r), 1e-6);
      std::fill(warm.states.begin(), warm.states.end(), ContactState::kStick);
      EXPECT_EQ(solver.solve(*problem, warm, again).status, Status::kSolved);
      EXPECT_LE(violation(*problem, dense_W(cone), again.r), 1e-6);
    }
  }
}

// Every stage by itself solves what it can: sweeps and the proximal method anything that is not too hard.
TEST(ConeSolver, StagesSolveAlone) {
  for (const ConeMethod method : {ConeMethod::kNewton, ConeMethod::kGaussSeidel, ConeMethod::kProximal}) {
    int solved = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const RandomCone cone = make_random_cone(seed, 3, 2, 4, 0.3);
      ConeSolution solution;
      const SolveReport report = ConeSolver({.method = method}).solve(cone.by_contacts, {}, solution);
      if (report.status != Status::kSolved) continue;
      ++solved;
      EXPECT_LE(violation(cone.by_contacts, dense_W(cone), solution.r), 1e-6) << seed;
    }
    EXPECT_GE(solved, 36) << static_cast<int>(method);
  }
}

// Large coefficients: contacts carry loads with hardly any normal force.
TEST(ConeSolver, TakesAnyCoefficient) {
  for (const double mu : {0.0, 1e-6, 0.01, 2.0, 10.0, 1e3, 1e6}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const RandomCone cone = make_random_cone(seed, 3, 2, 5, mu);
      ConeSolution solution;
      const SolveReport report = ConeSolver({.tolerance = 1e-9}).solve(cone.by_contacts, {}, solution);
      ASSERT_EQ(report.status, Status::kSolved) << mu << " " << seed << " " << report.detail;
      EXPECT_LE(violation(cone.by_contacts, dense_W(cone), solution.r), 1e-6) << mu << " " << seed;
    }
  }
}

// The same contact four times changes no velocity (with little friction: with more there may be several answers).
TEST(ConeSolver, DuplicatesChangeNoVelocity) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const RandomCone cone = make_random_cone(seed, 3, 1, 3, 0.2);
    MatrixXd H(36, 6);
    VectorXd q(36);
    for (Index i = 0; i < 12; ++i) {
      H.middleRows(3 * i, 3) = cone.H.middleRows(3 * (i % 3), 3);
      q.segment(3 * i, 3) = cone.by_contacts.q.segment(3 * (i % 3), 3);
    }
    const ConeProblem many = make_by_contacts(3, H * H.transpose(), q, VectorXd::Constant(12, 0.2));
    ConeSolution first, second;
    ConeSolver solver({.tolerance = 1e-11});
    ASSERT_EQ(solver.solve(cone.by_contacts, {}, first).status, Status::kSolved);
    ASSERT_EQ(solver.solve(many, {}, second).status, Status::kSolved) << seed;
    EXPECT_LE((second.u.head(9) - first.u).norm(), 1e-7) << seed;
  }
}

// Bilateral blocks hold: their velocity is zero and the contacts obey the law beside them.
TEST(ConeSolver, BilateralBlocksHold) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomCone cone = make_random_cone(seed, 3, 3, 7, 0.4);
    for (ConeProblem* problem : {&cone.by_contacts, &cone.by_bodies}) {
      problem->bilateral.assign(7, 0);
      problem->bilateral[2] = problem->bilateral[6] = 1;
      ConeSolution solution;
      const SolveReport report = ConeSolver({.tolerance = 1e-11}).solve(*problem, {}, solution);
      ASSERT_EQ(report.status, Status::kSolved) << seed << " " << report.detail;
      EXPECT_LE(solution.u.segment(6, 3).norm() + solution.u.segment(18, 3).norm(), 1e-9);
    }
  }
}

// Between fixed bodies nothing can be pushed apart: no answer is claimed, and the report says where.
TEST(ConeSolver, ReportsWhatCannotBeSolved) {
  const ConeProblem fixed =
      make_by_contacts(3, MatrixXd::Zero(3, 3), Vector3d(-1.0, 0.0, 0.0), VectorXd::Constant(1, 0.5));
  ConeSolution solution;
  const SolveReport report = ConeSolver().solve(fixed, {}, solution);
  EXPECT_NE(report.status, Status::kSolved);
  EXPECT_EQ(report.index, 0);
  // A body squeezed between walls that close in on it.
  const double W[2][2] = {{1.0, -1.0}, {-1.0, 1.0}};
  MatrixXd squeezed = MatrixXd::Zero(6, 6);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) squeezed.block(3 * i, 3 * j, 3, 3) = W[i][j] * MatrixXd::Identity(3, 3);
  }
  VectorXd q = VectorXd::Zero(6);
  q(0) = q(3) = -1.0;
  const SolveReport jam =
      ConeSolver().solve(make_by_contacts(3, squeezed, q, VectorXd::Constant(2, 0.5)), {}, solution);
  EXPECT_EQ(jam.status, Status::kBreakdown);
  EXPECT_NE(std::string(jam.detail).find("jam"), std::string::npos);
}

// Nothing to do is done at once.
TEST(ConeSolver, DoesNothingWhereNothingIsToDo) {
  ConeSolution solution;
  const ConeProblem empty = make_by_contacts(3, MatrixXd(0, 0), VectorXd(0), VectorXd(0));
  EXPECT_EQ(ConeSolver().solve(empty, {}, solution).status, Status::kSolved);
  RandomCone cone = make_random_cone(1, 3, 2, 5, 0.5);
  for (Index i = 0; i < 5; ++i) cone.by_contacts.q(3 * i) = std::abs(cone.by_contacts.q(3 * i));
  const SolveReport report = ConeSolver().solve(cone.by_contacts, {}, solution);
  EXPECT_EQ(report.status, Status::kSolved);
  EXPECT_EQ(report.sweeps + report.pivots, 0);
  EXPECT_EQ(solution.r.norm(), 0.0);
}

// Polishing brings digits and takes none.
TEST(ConeSolver, PolishesAfterTheTolerance) {
  for (const Case& c : kCases) {
    const RandomCone cone = make_random_cone(8, c.D, c.bodies, c.contacts, 0.5);
    ConeSolution rough, fine;
    ASSERT_EQ(ConeSolver({.tolerance = 1e-4}).solve(cone.by_contacts, {}, rough).status, Status::kSolved);
    ASSERT_EQ(ConeSolver({.tolerance = 1e-4, .polish = 1e-12}).solve(cone.by_contacts, {}, fine).status,
              Status::kSolved);
    EXPECT_LE(violation(cone.by_contacts, dense_W(cone), fine.r),
              violation(cone.by_contacts, dense_W(cone), rough.r) + 1e-12);
  }
}

// By bodies, contacts that move apart faster than any approaches are left out at first. Where the others close some of them all
// the same, through friction and from several sides, the answer has to be one of the whole.
TEST(ConeSolver, ContactsThatWereLeftOutComeBackWhenTheyClose) {
  int closed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomCone cone = make_random_cone(seed, 3, 10, 60, 0.8);
    const MatrixXd W = dense_W(cone);
    Random random(seed + 1000);
    VectorXd v(60), scale(60);
    for (Index k = 0; k < 60; ++k) v(k) = random.uniform(-1.0, 1.0);
    VectorXd& q = cone.by_bodies.q;
    q = cone.H * v;
    double fastest = 0.0;
    for (Index i = 0; i < 60; ++i) {
      scale(i) = std::sqrt(3.0 / W.block(3 * i, 3 * i, 3, 3).trace());
      if (i % 2 == 0) fastest = std::max(fastest, -scale(i) * q(3 * i));
    }
    for (Index i = 1; i < 60; i += 2) q(3 * i) = std::max(q(3 * i), random.uniform(1.0, 1.03) * fastest / scale(i));
    ConeSolver solver;
    ConeSolution solution;
    ASSERT_EQ(solver.solve(cone.by_bodies, {}, solution).status, Status::kSolved) << seed;
    EXPECT_LE(violation(cone.by_bodies, W, solution.r), 1e-6) << seed;
    for (Index i = 1; i < 60; i += 2) closed += solution.r(3 * i) > 1e-6 ? 1 : 0;
  }
  EXPECT_GE(closed, 4);
}

}  // namespace
}  // namespace tribo
