// Derivatives of the cone model against closed forms, against differences of solves, and against one another.
#include "tribo/solve/cone/cone_gradient.hpp"

#include "tribo/core/random.hpp"
#include "tribo/solve/cone/cone_solver.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace tribo {
namespace {

VectorXd random_vector(Index size, Random& random) {
  VectorXd x(size);
  for (Index i = 0; i < size; ++i) x(i) = random.uniform(-1.0, 1.0);
  return x;
}

MatrixXd random_matrix(Index rows, Index cols, Random& random) {
  MatrixXd A(rows, cols);
  for (Index j = 0; j < cols; ++j) A.col(j) = random_vector(rows, random);
  return A;
}

// Blocks of d × width; those of zeros are left out unless they are on the diagonal.
BlockSparse as_blocks(const MatrixXd& A, int d, int width) {
  BlockSparse result;
  result.clear(d, width, A.cols() / width);
  for (Index i = 0; i < A.rows() / d; ++i) {
    std::vector<std::int32_t> columns;
    for (Index j = 0; j < A.cols() / width; ++j) {
      if (i == j || !A.block(i * d, j * width, d, width).isZero(0.0)) columns.push_back(static_cast<std::int32_t>(j));
    }
    const Index first = result.blocks();
    result.add_row(columns);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      Eigen::Map<MatrixXd>(result.block(first + static_cast<Index>(k)), d, width) =
          A.block(i * d, columns[k] * width, d, width);
    }
  }
  return result;
}

ConeProblem make_problem(int d, const MatrixXd& W, const VectorXd& q, const VectorXd& mu) {
  ConeProblem problem;
  problem.dimension = d;
  problem.W = as_blocks(W, d, d);
  problem.q = q;
  problem.mu = mu;
  return problem;
}

// W of full rank with strong coupling, contacts of different size; about a third of the contacts approach slowly
// enough to be opened by the others.
struct GradientCone {
  int d = 3;
  MatrixXd W;
  VectorXd q, mu, size;
  std::vector<std::uint8_t> bilateral;

  GradientCone(int dimension, Index n, Random& random) : d(dimension) {
    MatrixXd H = random_matrix(d * n, 2 * d * n, random);
    size.resize(d * n);
    for (Index i = 0; i < n; ++i)
      size.segment(d * i, d).setConstant(std::exp2(static_cast<double>(random.integer(-4, 4))));
    H = size.asDiagonal() * H;
    W = H * H.transpose() / static_cast<double>(d * n);
    q.resize(d * n);
    mu.resize(n);
    for (Index i = 0; i < n; ++i) {
      q.segment(d * i, d) = random_vector(d, random);
      q(d * i) -= 0.4;
      mu(i) = random.uniform(0.1, 0.9);
    }
  }
  // A change of W in its own proportions.
  MatrixXd change_of_W(Random& random) const {
    return size.asDiagonal() * random_matrix(W.rows(), W.cols(), random) * size.asDiagonal();
  }
  ConeProblem problem() const {
    ConeProblem result = make_problem(d, W, q, mu);
    result.bilateral = bilateral;
    return result;
  }
  // The same with everything changed by step times a change.
  ConeProblem problem(double step, const MatrixXd& dW, const VectorXd& dq, const VectorXd& dmu) const {
    ConeProblem result = make_problem(d, W + step * dW, q + step * dq, mu + step * dmu);
    result.bilateral = bilateral;
    return result;
  }
};

ConeSolution solve_well(const ConeProblem& problem, const VectorXd& start = {}) {
  ConeSettings settings;
  settings.tolerance = 1e-13;
  ConeWarmStart warm;
  warm.r = start;
  ConeSolution solution;
  const SolveReport report = ConeSolver(settings).solve(problem, warm, solution);
  EXPECT_EQ(report.status, Status::kSolved) << report.detail;
  return solution;
}

ConeGradient gradient_of(const ConeProblem& problem, const ConeSolution& solution) {
  return std::move(ConeGradient::make(problem, solution)).value();
}

struct Difference {
  VectorXd du, dr;
};

// Central differences between solves; none of the contacts may change its state on the way.
Difference differences(const GradientCone& cone, const ConeSolution& at, double step, const MatrixXd& dW,
                       const VectorXd& dq, const VectorXd& dmu) {
  const ConeSolution plus = solve_well(cone.problem(step, dW, dq, dmu), at.r);
  const ConeSolution minus = solve_well(cone.problem(-step, dW, dq, dmu), at.r);
  EXPECT_EQ(plus.states, at.states);
  EXPECT_EQ(minus.states, at.states);
  return {(plus.u - minus.u) / (2.0 * step), (plus.r - minus.r) / (2.0 * step)};
}

constexpr double kStep = 1e-5;

// The derivative is what differences of solves converge to: every dimension, every state, unsymmetric W, all data at
// once.
TEST(ConeGradient, IsTheLimitOfDifferences) {
  std::array<int, 3> seen{};
  for (const int d : {2, 3, 4, 6}) {
    for (int k = 0; k < 24; ++k) {
      Random random(static_cast<std::uint64_t>(100 * d + k));
      const Index n = 1 + k % 6;
      GradientCone cone(d, n, random);
      const MatrixXd skew = cone.change_of_W(random);
      cone.W += 1e-3 * (skew - skew.transpose());
      const MatrixXd dW = cone.change_of_W(random);
      const VectorXd dq = random_vector(d * n, random), dmu = random_vector(n, random);
      const ConeSolution solution = solve_well(cone.problem());
      const ConeGradient gradient = gradient_of(cone.problem(), solution);
      EXPECT_EQ(gradient.states(), solution.states);
      EXPECT_FALSE(gradient.set_valued());
      const ConeGradient::Tangent tangent = gradient.forward(dW * solution.r + dq, dmu);
      const Difference expected = differences(cone, solution, kStep, dW, dq, dmu);
      EXPECT_LE((tangent.du - expected.du).norm(), 1e-6 * (1.0 + expected.du.norm())) << d << ", " << k;
      EXPECT_LE((tangent.dr - expected.dr).norm(), 1e-6 * (1.0 + expected.dr.norm())) << d << ", " << k;
      EXPECT_LE(tangent.contradiction, 1e-9);
      for (const ContactState state : solution.states) ++seen[static_cast<std::size_t>(state)];
    }
  }
  for (const int count : seen) EXPECT_GE(count, 10);  // open, slide, stick
}

// A sliding contact by hand: with W = I, r_N = −q_N and u_T = q_T (1 − mu r_N/|q_T|).
TEST(ConeGradient, OfOneSlidingContact) {
  const VectorXd q = (VectorXd(3) << -2.0, 3.0, 4.0).finished(), mu = VectorXd::Constant(1, 0.5);
  const ConeProblem problem = make_problem(3, MatrixXd::Identity(3, 3), q, mu);
  const ConeGradient gradient = gradient_of(problem, solve_well(problem));
  const VectorXd direction = q.tail(2) / 5.0, zero = VectorXd::Zero(3), none = VectorXd::Zero(1);
  const VectorXd by_mu = gradient.forward(zero, VectorXd::Ones(1)).du;
  EXPECT_NEAR(by_mu(0), 0.0, 1e-12);
  EXPECT_LE((by_mu.tail(2) + 2.0 * direction).norm(), 1e-9);  // more friction, less slip
  const VectorXd by_normal = gradient.forward(VectorXd::Unit(3, 0), none).du;
  EXPECT_LE((by_normal.tail(2) - 0.5 * direction).norm(), 1e-9);  // less load, more slip
  const VectorXd across = (VectorXd(3) << 0.0, -direction(1), direction(0)).finished();
  EXPECT_LE((gradient.forward(across, none).du - (1.0 - 1.0 / 5.0) * across).norm(), 1e-9);  // the direction turns
  EXPECT_FALSE(gradient.set_valued());
}

// The adjoint is the transpose of the derivative: both sides of the product agree to rounding.
TEST(ConeGradient, AdjointIsTheTranspose) {
  for (const int d : {2, 3, 4, 6}) {
    for (int k = 0; k < 8; ++k) {
      Random random(static_cast<std::uint64_t>(1000 * d + k));
      const Index n = 1 + k;
      GradientCone cone(d, n, random);
      if (k % 2 == 1) cone.mu(k / 2) = 0.0;
      const ConeProblem problem = cone.problem();
      const ConeGradient gradient = gradient_of(problem, solve_well(problem));
      const VectorXd delta = random_vector(d * n, random), dmu = random_vector(n, random);
      const VectorXd g_u = random_vector(d * n, random), g_r = random_vector(d * n, random);
      const ConeGradient::Tangent tangent = gradient.forward(delta, dmu);
      const ConeGradient::Adjoint over = gradient.adjoint(g_u, g_r);
      const double left = g_u.dot(tangent.du) + g_r.dot(tangent.dr), right = over.delta.dot(delta) + over.mu.dot(dmu);
      const double size = g_u.norm() * tangent.du.norm() + g_r.norm() * tangent.dr.norm() +
                          over.delta.norm() * delta.norm() + over.mu.norm() * dmu.norm();
      EXPECT_NEAR(left, right, 1e-12 * size) << d << ", " << k;
    }
  }
}

// One adjoint gives the gradient of a scalar over all of W, q and mu at once: p rᵀ is the one over W.
TEST(ConeGradient, AdjointIsTheGradientOfAScalar) {
  Random random(3);
  const GradientCone cone(3, 5, random);
  const ConeSolution solution = solve_well(cone.problem());
  const ConeGradient gradient = gradient_of(cone.problem(), solution);
  const VectorXd g = random_vector(15, random);
  const ConeGradient::Adjoint over = gradient.adjoint(g);
  const MatrixXd over_W = over.delta * solution.r.transpose();
  for (int k = 0; k < 4; ++k) {
    const MatrixXd dW = k == 3 ? MatrixXd(MatrixXd::Zero(15, 15)) : cone.change_of_W(random);
    const VectorXd dq = random_vector(15, random), dmu = random_vector(5, random);
    const double expected = g.dot(differences(cone, solution, kStep, dW, dq, dmu).du);
    const double found = over_W.cwiseProduct(dW).sum() + over.delta.dot(dq) + over.mu.dot(dmu);
    EXPECT_NEAR(found, expected, 1e-6 * (1.0 + std::abs(expected))) << k;
  }
}

// W by the bodies is the same W, also where the contacts are eliminated because there are fewer bodies.
TEST(ConeGradient, DoesNotDependOnTheForm) {
  Random random(4);
  for (const int d : {2, 3, 6}) {
    for (const Index count : {5, 1}) {  // bodies
      const Index n = 10;
      const int width = d == 2 ? 3 : 6;
      const MatrixXd H = random_matrix(d * n, count * width, random);
      const VectorXd R = VectorXd::Constant(d * n, 0.1);
      const MatrixXd W = H * H.transpose() + MatrixXd(R.asDiagonal());
      VectorXd q = random_vector(d * n, random);
      for (Index i = 0; i < n; ++i) q(i * d) -= 1.5;
      const ConeProblem contacts = make_problem(d, W, q, VectorXd::Constant(n, 0.4));
      ConeProblem bodies = contacts;
      bodies.W = BlockSparse();
      bodies.H = as_blocks(H, d, width);
      bodies.R = R;
      const ConeSolution solution = solve_well(contacts);
      const VectorXd delta = random_vector(d * n, random), dmu = random_vector(n, random);
      const VectorXd g = random_vector(d * n, random);
      const ConeGradient a = gradient_of(contacts, solution), b = gradient_of(bodies, solution);
      if (count == 1) {
        ASSERT_GT(b.unknowns(), width);
      }
      const VectorXd du = a.forward(delta, dmu).du, p = a.adjoint(g).delta;
      EXPECT_LE((b.forward(delta, dmu).du - du).norm(), 1e-11 * du.norm()) << d << ", " << count;
      EXPECT_LE((b.adjoint(g).delta - p).norm(), 1e-11 * p.norm()) << d << ", " << count;
    }
  }
}

// Forty contacts on one body, copies of two: eliminated, they are as good as the two.
TEST(ConeGradient, EliminatesRedundantContacts) {
  for (int k = 0; k < 8; ++k) {
    Random random(static_cast<std::uint64_t>(80 + k));
    const Index copies = 20;
    const MatrixXd H = random_matrix(6, 6, random), copy = MatrixXd::Identity(6, 6).replicate(copies, 1);
    const VectorXd mu = VectorXd::Constant(2, 0.3);
    VectorXd q = random_vector(6, random);
    q(0) -= 1.0;
    q(3) -= 1.0;
    const ConeProblem two = make_problem(3, H * H.transpose(), q, mu);
    const ConeSolution once = solve_well(two);
    const ConeGradient exact = gradient_of(two, once);
    ASSERT_FALSE(exact.set_valued()) << k;
    ConeProblem many;
    many.H = as_blocks(copy * H, 3, 6);
    many.R = VectorXd::Zero(6 * copies);
    many.q = copy * q;
    many.mu = mu.replicate(copies, 1);
    ConeSolution all;
    all.r = copy * once.r / static_cast<double>(copies);
    all.u = copy * once.u;
    const ConeGradient gradient = gradient_of(many, all);
    EXPECT_FALSE(gradient.set_valued()) << k;
    const VectorXd delta = random_vector(6, random), dmu = random_vector(2, random);
    const VectorXd dmu_all = dmu.replicate(copies, 1), g = random_vector(6 * copies, random);
    const ConeGradient::Tangent found = gradient.forward(copy * delta, dmu_all);
    const VectorXd expected = copy * exact.forward(delta, dmu).du;
    EXPECT_LE((found.du - expected).norm(), 1e-9 * (1.0 + expected.norm())) << k;
    EXPECT_LE(found.contradiction, 1e-9) << k;
    const ConeGradient::Adjoint over = gradient.adjoint(g);
    EXPECT_NEAR(over.delta.dot(copy * delta) + over.mu.dot(dmu_all), g.dot(expected), 1e-8 * (1.0 + expected.norm()));
  }
}

// Bilateral blocks never let go: they stick whatever their force is.
TEST(ConeGradient, BilateralBlocksStick) {
  for (int k = 0; k < 6; ++k) {
    Random random(static_cast<std::uint64_t>(k));
    GradientCone cone(3, 5, random);
    cone.bilateral = {0, 1, 0, 0, 1};
    cone.mu(1) = cone.mu(4) = 0.0;
    const MatrixXd dW = cone.change_of_W(random);
    const VectorXd dq = random_vector(15, random);
    VectorXd dmu = random_vector(5, random);
    dmu(1) = dmu(4) = 0.0;
    const ConeSolution solution = solve_well(cone.problem());
    const ConeGradient gradient = gradient_of(cone.problem(), solution);
    EXPECT_FALSE(gradient.set_valued());
    const ConeGradient::Tangent tangent = gradient.forward(dW * solution.r + dq, dmu);
    EXPECT_LE(tangent.du.segment(3, 3).norm() + tangent.du.segment(12, 3).norm(), 1e-9);
    const Difference expected = differences(cone, solution, kStep, dW, dq, dmu);
    EXPECT_LE((tangent.du - expected.du).norm(), 1e-6 * (1.0 + expected.du.norm())) << k;
    EXPECT_LE((tangent.dr - expected.dr).norm(), 1e-6 * (1.0 + expected.dr.norm())) << k;
  }
}

// Every contact three times: r is anybody's guess, u is not, and neither is its derivative.
TEST(ConeGradient, RedundantContactsChangeNothing) {
  for (int k = 0; k < 8; ++k) {
    Random random(static_cast<std::uint64_t>(50 + k));
    const Index n = 4;
    const GradientCone single(3, n, random);
    const MatrixXd copy = MatrixXd::Identity(3 * n, 3 * n).replicate(3, 1);
    GradientCone cone = single;
    cone.W = copy * single.W * copy.transpose();
    cone.q = copy * single.q;
    cone.mu = single.mu.replicate(3, 1);
    const MatrixXd dW = single.change_of_W(random);
    const VectorXd dq = random_vector(3 * n, random), dmu = random_vector(n, random);
    const ConeSolution once = solve_well(single.problem());
    // Loads of any size, and none that is zero.
    ConeSolution many;
    many.r.resize(9 * n);
    for (Index i = 0; i < 3; ++i) many.r.segment(3 * n * i, 3 * n) = once.r * (i == 0 ? 0.5 : i == 1 ? 0.3 : 0.2);
    many.u = copy * once.u;
    many.states = once.states;
    const ConeGradient gradient = gradient_of(cone.problem(), many);
    EXPECT_TRUE(gradient.unique());
    EXPECT_TRUE(gradient.undecided().empty());
    const VectorXd dmu_all = dmu.replicate(3, 1);
    const ConeGradient::Tangent tangent = gradient.forward(copy * (dW * once.r + dq), dmu_all);
    EXPECT_LE(tangent.contradiction, 1e-9);
    const VectorXd expected = copy * differences(single, once, kStep, dW, dq, dmu).du;
    EXPECT_LE((tangent.du - expected).norm(), 1e-6 * (1.0 + expected.norm())) << k;
    const VectorXd exact = copy * gradient_of(single.problem(), once).forward(dW * once.r + dq, dmu).du;
    EXPECT_LE((tangent.du - exact).norm(), 1e-9 * (1.0 + exact.norm())) << k;
    const VectorXd g = random_vector(9 * n, random);
    const ConeGradient::Adjoint over = gradient.adjoint(g);
    EXPECT_NEAR(over.delta.dot(copy * (dW * once.r + dq)) + over.mu.dot(dmu_all), g.dot(tangent.du),
                1e-8 * g.norm() * (1.0 + exact.norm()));
  }
}

// Two contacts at one place that are asked for different speeds cannot both be obeyed, and that is said.
TEST(ConeGradient, NamesChangesThatContradict) {
  const MatrixXd copy = MatrixXd::Identity(3, 3).replicate(2, 1);
  const VectorXd q = (VectorXd(6) << -1.0, 0.1, 0.0, -1.0, 0.1, 0.0).finished();
  const ConeProblem problem = make_problem(3, copy * copy.transpose(), q, VectorXd::Constant(2, 0.5));
  const ConeGradient gradient = gradient_of(problem, solve_well(problem));
  const VectorXd none = VectorXd::Zero(2);
  EXPECT_LE(gradient.forward(copy * VectorXd::Unit(3, 0), none).contradiction, 1e-9);
  EXPECT_GE(gradient.forward(VectorXd::Unit(6, 0), none).contradiction, 0.1);
}

// mu = 0: velocities follow q as without friction, and friction that begins acts against the slip. Coefficients cannot
// be negative, so the difference over mu is one-sided, of second order.
TEST(ConeGradient, AtZeroFriction) {
  for (int k = 0; k < 6; ++k) {
    Random random(static_cast<std::uint64_t>(70 + k));
    GradientCone cone(k % 2 == 0 ? 3 : 2, 5, random);
    cone.mu.setZero();
    const Index rows = cone.q.size();
    const MatrixXd none = MatrixXd::Zero(rows, rows);
    const VectorXd dq = random_vector(rows, random);
    const VectorXd dmu = (random_vector(5, random).array() + 1.5).matrix();
    const ConeSolution solution = solve_well(cone.problem());
    const ConeGradient gradient = gradient_of(cone.problem(), solution);
    EXPECT_FALSE(gradient.set_valued());
    const VectorXd by_q = gradient.forward(dq, VectorXd::Zero(5)).du;
    const Difference expected = differences(cone, solution, kStep, none, dq, VectorXd::Zero(5));
    EXPECT_LE((by_q - expected.du).norm(), 1e-6 * (1.0 + by_q.norm())) << k;
    const VectorXd by_mu = gradient.forward(VectorXd::Zero(rows), dmu).du;
    const VectorXd zero = VectorXd::Zero(rows);
    const ConeSolution one = solve_well(cone.problem(kStep, none, zero, dmu), solution.r);
    const ConeSolution two = solve_well(cone.problem(2.0 * kStep, none, zero, dmu), solution.r);
    const VectorXd one_sided = (4.0 * one.u - 3.0 * solution.u - two.u) / (2.0 * kStep);
    EXPECT_LE((by_mu - one_sided).norm(), 1e-6 * (1.0 + by_mu.norm())) << k;
  }
}

// Hundreds of unknowns go through the sparse factor, forward and transposed.
TEST(ConeGradient, LongChainsAreSparse) {
  Random random(9);
  const Index n = 150;
  GradientCone cone(3, 1, random);
  cone.W.setZero(3 * n, 3 * n);
  for (Index i = 0; i < n; ++i) {  // contact i between bodies i and i + 1
    for (const Index body : {i, i + 1}) {
      Random own(static_cast<std::uint64_t>(body));
      const Index first = 3 * std::max<Index>(body - 1, 0), rows = 3 * std::min<Index>(body + 1, n) - first;
      const MatrixXd H = random_matrix(rows, 6, own);
      cone.W.block(first, first, rows, rows) += 0.5 * H * H.transpose();
    }
  }
  cone.W += 0.2 * MatrixXd::Identity(3 * n, 3 * n);
  cone.q = random_vector(3 * n, random);
  for (Index i = 0; i < n; ++i) cone.q(3 * i) -= 0.7;
  cone.mu = VectorXd::Constant(n, 0.5);
  const ConeSolution solution = solve_well(cone.problem());
  const ConeGradient gradient = gradient_of(cone.problem(), solution);
  ASSERT_GT(gradient.unknowns(), 200);
  EXPECT_FALSE(gradient.set_valued());
  const VectorXd dq = random_vector(3 * n, random), dmu = random_vector(n, random);
  const ConeGradient::Tangent tangent = gradient.forward(dq, dmu);
  const Difference expected = differences(cone, solution, 1e-6, MatrixXd::Zero(3 * n, 3 * n), dq, dmu);
  EXPECT_LE((tangent.du - expected.du).norm(), 1e-5 * expected.du.norm());
  const VectorXd g = random_vector(3 * n, random);
  const ConeGradient::Adjoint over = gradient.adjoint(g);
  EXPECT_NEAR(over.delta.dot(dq) + over.mu.dot(dmu), g.dot(tangent.du), 1e-12 * g.norm() * tangent.du.norm());
}

// On a boundary between states the flag is up, and it is down on both sides of it.
TEST(ConeGradient, KnowsTheBoundariesBetweenStates) {
  const auto undecided = [](double q_N, double q_T, double mu) {
    const ConeProblem problem =
        make_problem(3, MatrixXd::Identity(3, 3), (VectorXd(3) << q_N, q_T, 0.0).finished(), VectorXd::Constant(1, mu));
    const ConeGradient gradient = gradient_of(problem, solve_well(problem));
    EXPECT_EQ(gradient.set_valued(), !gradient.undecided().empty());
    return gradient.set_valued();
  };
  EXPECT_TRUE(undecided(-1.0, 0.5, 0.5));  // just held
  EXPECT_FALSE(undecided(-1.0, 0.5001, 0.5));
  EXPECT_FALSE(undecided(-1.0, 0.4999, 0.5));
  EXPECT_FALSE(undecided(-1.0, 0.0, 0.5));
  EXPECT_TRUE(undecided(0.0, 1.0, 0.5));  // just touching
  EXPECT_FALSE(undecided(1e-4, 1.0, 0.5));
  EXPECT_FALSE(undecided(-1e-4, 1.0, 0.5));
  EXPECT_TRUE(undecided(0.0, 0.0, 0.5));
  EXPECT_FALSE(undecided(-1.0, 1.0, 0.0));
  EXPECT_TRUE(undecided(-1.0, 0.0, 0.0));  // friction has no direction to begin in
}

// A body on four legs: while it slides straight on, who carries how much does not matter; when it turns, friction
// depends on it, and rigid bodies do not say.
TEST(ConeGradient, KnowsWhenTheMotionIsNotDetermined) {
  for (const bool turns : {false, true}) {
    MatrixXd rows(12, 6);
    Index k = 0;
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-1.0, 1.0}) {
        const Vector3d arm(x, y, -0.5);
        for (const Vector3d& axis : {Vector3d(0, 0, 1), Vector3d(1, 0, 0), Vector3d(0, 1, 0)}) {
          rows.row(k++) << axis.transpose(), arm.cross(axis).transpose();
        }
      }
    }
    VectorXd v = VectorXd::Zero(6);
    v << 2.0, 0.3, -1.0, 0.0, 0.0, turns ? 1.0 : 0.0;
    const ConeProblem contacts = make_problem(3, rows * rows.transpose(), rows * v, VectorXd::Constant(4, 0.3));
    ConeProblem bodies = contacts;
    bodies.W = BlockSparse();
    bodies.H = as_blocks(rows, 3, 6);
    bodies.R = VectorXd::Zero(12);
    const ConeSolution solution = solve_well(contacts);
    for (const ConeProblem* problem : {&contacts, &std::as_const(bodies)}) {
      const ConeGradient gradient = gradient_of(*problem, solution);
      ASSERT_TRUE(gradient.undecided().empty());
      for (const ContactState state : gradient.states()) EXPECT_EQ(state, ContactState::kSlide);
      EXPECT_EQ(gradient.unique(), !turns);
      EXPECT_EQ(gradient.set_valued(), turns);
    }
  }
}

// Without contacts there is nothing to differentiate; a number that is not finite is refused.
TEST(ConeGradient, EmptyAndNotFinite) {
  const ConeProblem empty = make_problem(3, MatrixXd(0, 0), VectorXd(0), VectorXd(0));
  ConeSolution nothing;
  nothing.r = nothing.u = VectorXd(0);
  EXPECT_FALSE(gradient_of(empty, nothing).set_valued());
  EXPECT_EQ(gradient_of(empty, nothing).forward(VectorXd(0), VectorXd(0)).du.size(), 0);
  const ConeProblem one =
      make_problem(2, MatrixXd::Identity(2, 2), VectorXd::Constant(2, -1.0), VectorXd::Constant(1, 0.5));
  ConeSolution broken = solve_well(one);
  broken.r(0) = std::nan("");
  const Expected<ConeGradient> made = ConeGradient::make(one, broken);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().where, "solution");
}

}  // namespace
}  // namespace tribo
