// Friction problems given as matrices, through the user call; those of the corpus where they are at hand.
#include "tribo/contact/solve.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/core/random.hpp"
#include "tribo/io/problem_file.hpp"

#include <cmath>
#include <iostream>

#include "support/paths.hpp"
#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace tribo {
namespace {

bool problems_left_out(const std::vector<std::string>& files, const std::string& what) {
  if (files.empty()) std::cout << "left out: " << what << " of the corpus (no data under $TRIBO_DATA)\n";
  return files.empty();
}

LocalFriction local(const MatrixXd& W, const VectorXd& q, const VectorXd& mu) {
  LocalFriction problem;
  problem.dimension = static_cast<int>(q.size() / mu.size());
  problem.W = W.sparseView();
  problem.q = q;
  problem.mu = mu;
  return problem;
}

FrictionAnswer solved(const auto& problem, const SolveOptions& options = {}) {
  FrictionAnswer answer = solve(problem, options);
  EXPECT_EQ(answer.status, Status::kSolved) << answer.report.detail;
  EXPECT_LE(answer.certificate.worst, options.tolerance);
  EXPECT_EQ(answer.states.size(), static_cast<std::size_t>(problem.contacts()));
  return answer;
}

// One contact with W = I: the three laws in closed form.
TEST(Friction, OneContactOpensSticksOrSlides) {
  const MatrixXd W = MatrixXd::Identity(3, 3);
  const VectorXd mu = VectorXd::Constant(1, 0.5);
  const auto answer = [&](const Vector3d& q) { return solved(local(W, q, mu)); };
  const FrictionAnswer open = answer({0.1, -1.0, 2.0});
  EXPECT_EQ(open.states[0], ContactState::kOpen);
  EXPECT_EQ(open.solution.r.norm(), 0.0);
  const FrictionAnswer stick = answer({-1.0, 0.3, 0.2});
  EXPECT_EQ(stick.states[0], ContactState::kStick);
  EXPECT_LE(stick.solution.u.norm(), 1e-12);
  const FrictionAnswer slide = answer({-1.0, 3.0, 4.0});
  EXPECT_EQ(slide.states[0], ContactState::kSlide);
  EXPECT_LE((slide.solution.r - Vector3d(1.0, -0.3, -0.4)).norm(), 1e-12);
  EXPECT_LE((slide.solution.u - Vector3d(0.0, 2.7, 3.6)).norm(), 1e-12);
}

// The same mechanics as M, H, f and as W, q must come to the same u; v is what the bodies do.
TEST(Friction, GlobalAndLocalAgree) {
  Random random(4);
  for (int k = 0; k < 30; ++k) {
    const int d = k % 2 == 0 ? 3 : 2;
    const Index bodies = 3, m = 6 * bodies, n = 5;
    GlobalFriction global;
    global.dimension = d;
    MatrixXd M = MatrixXd::Zero(m, m), H = MatrixXd::Zero(m, d * n);
    const auto fill = [&](auto&& block) {
      for (Index j = 0; j < block.cols(); ++j) {
        for (Index i = 0; i < block.rows(); ++i) block(i, j) = random.uniform(-1.0, 1.0);
      }
    };
    for (Index b = 0; b < bodies; ++b) {
      MatrixXd A(6, 6);
      fill(A);
      M.block(6 * b, 6 * b, 6, 6) = A * A.transpose() + MatrixXd::Identity(6, 6);
    }
    for (Index i = 0; i < n; ++i) {
      const Index a = random.integer(0, bodies - 1), b = (a + 1) % bodies;
      fill(H.block(6 * a, d * i, 6, d));
      if (i % 2 == 0) fill(H.block(6 * b, d * i, 6, d));
    }
    global.M = M.sparseView();
    global.H = H.sparseView();
    global.f.resize(m);
    global.w.setZero(d * n);
    fill(global.f);
    global.mu = VectorXd::Constant(n, 0.3);
    global.b.resize(0);
    const FrictionAnswer whole = solved(global);
    const MatrixXd inverse = M.inverse();
    const FrictionAnswer part =
        solved(local(H.transpose() * inverse * H, H.transpose() * inverse * global.f, global.mu));
    EXPECT_LE((whole.solution.u - part.solution.u).norm(), 1e-6 * (1.0 + part.solution.u.norm())) << k;
    EXPECT_LE((M * whole.solution.v - H * whole.solution.r - global.f).norm(), 1e-10 * global.f.norm()) << k;
  }
}

// A joint given by G holds, whatever the contacts do.
TEST(Friction, BilateralColumnsHold) {
  GlobalFriction problem;
  problem.M = MatrixXd::Identity(3, 3).sparseView();
  problem.H = MatrixXd::Identity(3, 3).sparseView();  // normal along the first unknown
  problem.f = Vector3d(-1.0, 2.0, 3.0);
  problem.w = VectorXd::Zero(3);
  problem.mu = VectorXd::Constant(1, 0.5);
  problem.G = Vector3d(0.0, 0.0, 1.0).sparseView();
  problem.b = VectorXd::Zero(1);
  const FrictionAnswer answer = solved(problem);
  EXPECT_LE((answer.solution.v - Vector3d(0.0, 1.5, 0.0)).norm(), 1e-8);
  EXPECT_LE((answer.solution.r - Vector3d(1.0, -0.5, 0.0)).norm(), 1e-8);
}

// Without contacts the bodies move freely, and that is an answer.
TEST(Friction, NothingTouches) {
  GlobalFriction problem;
  problem.M = (2.0 * MatrixXd::Identity(3, 3)).sparseView();
  problem.H.resize(3, 0);
  problem.f = Vector3d(1.0, 2.0, 3.0);
  problem.b.resize(0);
  const FrictionAnswer answer = solved(problem);
  EXPECT_LE((answer.solution.v - 0.5 * problem.f).norm(), 1e-15);
}

// A contact that nothing can move and that approaches has no answer: said at once, with its number.
TEST(Friction, AnImmovableContactIsNamed) {
  MatrixXd W = MatrixXd::Identity(6, 6);
  W.bottomRightCorner(3, 3).setZero();
  VectorXd q = VectorXd::Zero(6);
  q(0) = q(3) = -1.0;
  const FrictionAnswer answer = solve(local(W, q, VectorXd::Constant(2, 0.5)));
  EXPECT_EQ(answer.status, Status::kBreakdown);
  EXPECT_EQ(answer.report.index, 1);
  EXPECT_STRNE(answer.report.detail, "");
  q(3) = 1.0;  // it leaves: then it does no harm
  solved(local(W, q, VectorXd::Constant(2, 0.5)));
}

// Two contacts that push one another apart for ever have no answer: never "solved", and it ends.
TEST(Friction, AJamIsNeverSolved) {
  MatrixXd W = MatrixXd::Zero(6, 6);
  W.diagonal().setOnes();
  W(0, 3) = W(3, 0) = -1.0;
  VectorXd q = VectorXd::Zero(6);
  q(0) = q(3) = -1.0;
  const FrictionAnswer answer = solve(local(W, q, VectorXd::Zero(2)));
  EXPECT_FALSE(is_solved(answer.status));
  EXPECT_GT(answer.certificate.worst, 1e-8);
}

// Bad matrices are refused before any work, a singular mass with its place.
TEST(Friction, RefusesWhatIsNoProblem) {
  LocalFriction problem = local(MatrixXd::Identity(3, 3), Vector3d(-1, 0, 0), VectorXd::Constant(1, -0.5));
  EXPECT_THROW(solve(problem), ContractError);
  problem.mu(0) = 0.5;
  SolveOptions options;
  options.solver = "dantzig";
  EXPECT_THROW(solve(problem, options), ContractError);
  EXPECT_FALSE(check_solver(problem, "dantzig").has_value());
  EXPECT_FALSE(check_solver(problem, "no-such-solver").has_value());
  EXPECT_TRUE(check_solver(problem, "cone/gauss-seidel").has_value());
  GlobalFriction singular;
  singular.M.resize(3, 3);
  singular.H = MatrixXd::Identity(3, 3).sparseView();
  singular.f = singular.w = VectorXd::Zero(3);
  singular.mu = VectorXd::Constant(1, 0.5);
  singular.b.resize(0);
  EXPECT_THROW(solve(singular), ContractError);
}

class FrictionCorpus : public ::testing::TestWithParam<const char*> {};

// Every friction problem that others wrote is solved to 1e-8 with default options.
TEST_P(FrictionCorpus, IsSolved) {
  const auto files = testing::corpus_files(GetParam());
  if (problems_left_out(files, GetParam())) return;
  for (const std::string& path : files) {
    const auto file = read_problem(path);
    ASSERT_TRUE(file.has_value()) << path;
    const FrictionAnswer answer = std::holds_alternative<LocalFriction>(file->problem)
                                      ? solve(std::get<LocalFriction>(file->problem))
                                      : solve(std::get<GlobalFriction>(file->problem));
    EXPECT_EQ(answer.status, Status::kSolved) << path << ": " << answer.report.detail;
    EXPECT_LE(answer.certificate.worst, 1e-8) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FrictionCorpus, ::testing::Values("fc2d", "fc3d", "gfc2d", "gfc3d"),
                         [](const auto& folder) { return std::string(folder.param); });

}  // namespace
}  // namespace tribo
