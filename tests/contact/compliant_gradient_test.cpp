// Derivatives of compliant steps against differences of certified solves, and at the edges between states.
#include "tribo/contact/compliant_gradient.hpp"

#include "tribo/contact/solve.hpp"

#include <cmath>
#include <string>

#include "contact/compliant_testing.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

using testing::random_numbers;
using testing::RandomStep;
using testing::StepShape;

constexpr Compliant kCoulombLaw = {UnilateralLaw::kComplementarity, FrictionLaw::kCoulomb};
constexpr Compliant kConeLaw = {UnilateralLaw::kComplementarity, FrictionLaw::kConvexCone};
constexpr Compliant kWeightedLaw = {UnilateralLaw::kComplementarity, FrictionLaw::kWeighted};
constexpr Compliant kLeastNormLaw = {UnilateralLaw::kLeastNorm, FrictionLaw::kCoulomb};

// Every datum changes, by as much of its size as it may.
CompliantChange random_step_change(const CompliantProblem& problem, Random& random) {
  CompliantChange change;
  change.v = random_numbers(problem.dof(), random);
  change.f = random_numbers(problem.dof(), random) / problem.h;
  const auto rows = [&](const CompliantRows& from, CompliantRowsChange& to) {
    to.offset = random_numbers(from.rows(), random);
    to.phi = problem.h * random_numbers(from.rows(), random);
    to.K = from.K.cwiseProduct(random_numbers(from.rows(), random));
    to.B = from.B.cwiseProduct(random_numbers(from.rows(), random));
  };
  rows(problem.bilateral, change.bilateral);
  rows(problem.unilateral, change.unilateral);
  rows(problem.normal, change.normal);
  rows(problem.r, change.r);
  rows(problem.s, change.s);
  change.mu = problem.mu.cwiseProduct(random_numbers(problem.contacts(), random));
  return change;
}

// An offset is a change of Ġ v0, as the mode is kSpring.
CompliantProblem moved(CompliantProblem problem, const CompliantChange& change, double step) {
  problem.v += step * change.v;
  problem.f += step * change.f;
  const auto rows = [&](CompliantRows& to, const CompliantRowsChange& from) {
    to.drift += step / problem.h * from.offset;
    to.phi += step * from.phi;
    to.K += step * from.K;
    to.B += step * from.B;
  };
  rows(problem.bilateral, change.bilateral);
  rows(problem.unilateral, change.unilateral);
  rows(problem.normal, change.normal);
  rows(problem.r, change.r);
  rows(problem.s, change.s);
  problem.mu += step * change.mu;
  return problem;
}

std::vector<bool> loaded(const CompliantAnswer& answer) {
  std::vector<bool> rows;
  for (const VectorXd* force : {&answer.solution.lambda_u, &answer.solution.row_multipliers}) {
    for (Index i = 0; i < force->size(); ++i) rows.push_back((*force)(i) > 0.0);
  }
  return rows;
}

struct Tally {
  int compared = 0, unsolved = 0, changing = 0;
  int slides = 0, sticks = 0, open = 0;
  double worst = 0.0, worst_adjoint = 0.0;
};

// One random direction: the derivative, the adjoint, and the difference where all three solves show the same states.
void compare_with_differences(const CompliantProblem& problem, const Compliant& model, Random& random, Tally& tally) {
  const SolveOptions options{.tolerance = 1e-10};
  const CompliantAnswer answer = solve(problem, model, options);
  if (!is_solved(answer.status)) return void(++tally.unsolved);
  const auto gradient = CompliantGradient::make(problem, model, answer.solution);
  ASSERT_TRUE(gradient.has_value()) << gradient.error().text();
  const CompliantChange change = random_step_change(problem, random);
  const VectorXd tangent = gradient->forward(change);
  ASSERT_TRUE(tangent.allFinite());
  const VectorXd g = random_numbers(problem.dof(), random);
  const CompliantChange over = gradient->adjoint(g);
  const double size = std::max(1.0, tangent.norm());
  tally.worst_adjoint = std::max(tally.worst_adjoint, std::abs(dot(over, change) - g.dot(tangent)) / size);

  constexpr double kDifference = 2e-6;
  const CompliantProblem after = moved(problem, change, kDifference), before = moved(problem, change, -kDifference);
  const CompliantAnswer up = solve(after, model, options), down = solve(before, model, options);
  if (!is_solved(up.status) || !is_solved(down.status)) return void(++tally.unsolved);
  const auto at_up = CompliantGradient::make(after, model, up.solution);
  const auto at_down = CompliantGradient::make(before, model, down.solution);
  const bool constant = at_up && at_down && !gradient->set_valued() && at_up->states() == gradient->states() &&
                        at_down->states() == gradient->states() && loaded(up) == loaded(answer) &&
                        loaded(down) == loaded(answer);
  if (!constant) return void(++tally.changing);
  const VectorXd difference = (up.solution.v1 - down.solution.v1) / (2.0 * kDifference);
  ++tally.compared;
  for (const ContactState state : gradient->states()) {
    ++(state == ContactState::kSlide ? tally.slides : state == ContactState::kStick ? tally.sticks : tally.open);
  }
  tally.worst = std::max(tally.worst, (difference - tangent).norm() / size);
}

Tally compare_many(const Compliant& model, const StepShape& shape, int count, std::uint64_t seed) {
  Random random(seed);
  Tally tally;
  for (int k = 0; k < count && !::testing::Test::HasFatalFailure(); ++k) {
    compare_with_differences(RandomStep(shape, random).make(), model, random, tally);
  }
  ::testing::Test::RecordProperty("compared", tally.compared);
  ::testing::Test::RecordProperty("worst_e12", static_cast<int>(tally.worst * 1e12));
  return tally;
}

// `least`: states that must have been compared; over 11,000 in this file.
void expect_good(const Tally& tally, int least) {
  EXPECT_LE(tally.worst, 1e-6);
  EXPECT_LE(tally.worst_adjoint, 1e-9);
  EXPECT_GE(tally.compared, least) << tally.unsolved << " unsolved, " << tally.changing << " changing";
}

// Unilateral rows beside bilateral ones: 3,000 states.
TEST(CompliantGradient, ComplementarityAgreesWithDifferences) {
  expect_good(compare_many(kCoulombLaw, {.bodies = 2, .bilateral = 2, .unilateral = 4}, 3000, 11), 2990);
}

// Coulomb's law is not the derivative of an energy, so its matrix is not symmetric: 4,000 states in the plane and in space.
TEST(CompliantGradient, CoulombAgreesWithDifferences) {
  const Tally space =
      compare_many(kCoulombLaw, {.bodies = 2, .bilateral = 1, .unilateral = 1, .contacts = 3}, 3000, 12);
  expect_good(space, 2990);
  for (const int seen : {space.slides, space.sticks, space.open}) EXPECT_GT(seen, 300);
  expect_good(compare_many(kCoulombLaw, {.planar = true, .bodies = 2, .bilateral = 1, .contacts = 2}, 1000, 13), 990);
}

// The convex cone: 4,000 states.
TEST(CompliantGradient, ConvexConeAgreesWithDifferences) {
  const Tally space = compare_many(kConeLaw, {.bodies = 2, .bilateral = 1, .unilateral = 1, .contacts = 3}, 3000, 14);
  expect_good(space, 2990);
  for (const int seen : {space.slides, space.sticks, space.open}) EXPECT_GT(seen, 300);
  expect_good(compare_many(kConeLaw, {.planar = true, .bodies = 2, .bilateral = 1, .contacts = 2}, 1000, 15), 990);
}

// The programs of the paper by their optimality conditions.
TEST(CompliantGradient, ProgramsAgreeWithDifferences) {
  expect_good(compare_many(kLeastNormLaw, {.bodies = 2, .bilateral = 1, .unilateral = 3}, 200, 16), 180);
  expect_good(compare_many(kWeightedLaw, {.bodies = 1, .bilateral = 1, .unilateral = 1, .contacts = 2}, 200, 17), 180);
  expect_good(compare_many(kWeightedLaw, {.planar = true, .bodies = 1, .contacts = 2}, 100, 18), 90);
}

// Stiff rows: a particle on a spring of K = 1e15 follows v by R/(1 + R), which 1/K keeps to all digits.
TEST(CompliantGradient, StiffRowsKeepTheirDigits) {
  CompliantProblem problem;
  problem.h = 0.01;
  problem.mass = BlockDiagonal({MatrixXd::Identity(1, 1)});
  problem.v = VectorXd::Constant(1, 1.0);
  problem.f = VectorXd::Constant(1, 0.0);
  const double one[1] = {1.0};
  problem.bilateral.G = BlockRows(problem.mass.layout());
  problem.bilateral.G.add_row({0, one});
  problem.bilateral.K = VectorXd::Constant(1, 1e15);
  problem.bilateral.B = problem.bilateral.phi = VectorXd::Zero(1);
  const CompliantAnswer answer = solve(problem, {});
  ASSERT_EQ(answer.status, Status::kSolved);
  const auto gradient = CompliantGradient::make(problem, {}, answer.solution);
  ASSERT_TRUE(gradient.has_value());
  const double R = 1e-11;
  EXPECT_NEAR(gradient->over_v()(0, 0) / (R / (1.0 + R)), 1.0, 1e-12);
  EXPECT_FALSE(gradient->set_valued());
}

// A box lying exactly at the edge between two states has more than one derivative: it is flagged, and what comes back is
// finite. Touching without load, resting on the point of slipping, and no friction with no slip.
TEST(CompliantGradient, FlagsTheEdgesBetweenStates) {
  CompliantProblem problem;
  problem.h = 0.01;
  problem.mass = BlockDiagonal({MatrixXd::Identity(3, 3)});
  problem.v = problem.f = VectorXd::Zero(3);
  const double rows[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  CompliantRows* families[3] = {&problem.normal, &problem.r, &problem.s};
  for (int k = 0; k < 3; ++k) {
    families[k]->G = BlockRows(problem.mass.layout());
    families[k]->G.add_row({0, rows[k]});
    families[k]->K = VectorXd::Constant(1, k == 0 ? 1e5 : 0.0);
    families[k]->B = VectorXd::Constant(1, k == 0 ? 0.0 : 1e4);
    families[k]->phi = VectorXd::Zero(1);
  }
  problem.mu = VectorXd::Constant(1, 0.5);
  const auto flagged = [&](const Compliant& model) {
    const CompliantAnswer answer = solve(problem, model);
    EXPECT_EQ(answer.status, Status::kSolved);
    const auto gradient = CompliantGradient::make(problem, model, answer.solution);
    EXPECT_TRUE(gradient.has_value()) << gradient.error().text();
    Random random(1);
    CompliantChange change = random_step_change(problem, random);
    EXPECT_TRUE(gradient->forward(change).allFinite());
    const CompliantChange over = gradient->adjoint(random_numbers(3, random));
    for (const VectorXd* part : {&over.v, &over.f, &over.mu, &over.normal.K, &over.r.B, &over.s.offset}) {
      EXPECT_TRUE(part->allFinite());
    }
    EXPECT_EQ(gradient->set_valued(), !gradient->undecided_contacts().empty());
    return gradient->set_valued();
  };
  for (const Compliant& model : {kCoulombLaw, kConeLaw}) {
    problem.v.setZero();
    EXPECT_TRUE(flagged(model)) << "touching without load";
    problem.v = Vector3d(0.0, 0.0, -1.0);
    EXPECT_FALSE(flagged(model)) << "at rest under load";
    problem.v = Vector3d(1.0, 0.0, -1.0);
    EXPECT_FALSE(flagged(model)) << "sliding";
    problem.mu(0) = 0.0;
    EXPECT_FALSE(flagged(model)) << "sliding without friction";
    problem.v = Vector3d(0.0, 0.0, -1.0);
    EXPECT_FALSE(flagged(model)) << "at rest without friction";
    problem.mu(0) = 0.5;
  }
  // π_n = 1/(1 + R_n), π_t = v_t/(1 + R_t): the speed at which friction is just enough.
  const double R_n = 1.0 / (1e-4 * 1e5), R_t = 1.0 / (1e-2 * 1e4);
  problem.v = Vector3d(0.5 * (1.0 + R_t) / (1.0 + R_n), 0.0, -1.0);
  for (const Compliant& model : {kCoulombLaw, kConeLaw}) EXPECT_TRUE(flagged(model)) << "on the point of slipping";
}

// Only an answer has a derivative, and the printed treatment of Ġ v0 has none here.
TEST(CompliantGradient, RefusesWhatIsNoAnswer) {
  CompliantFile file = testing::compliant_reference("f8_3d_full_system");
  CompliantSolution wrong = file.solutions.front().solution;
  wrong.v1(0) += 1e-3;
  const auto refused = CompliantGradient::make(file.problem, {}, wrong);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().text().find("certificate"), std::string::npos);
  file = testing::compliant_reference("b3_pendulum_soft");
  file.problem.product = VelocityProduct::kPaper;
  const CompliantAnswer answer = solve(file.problem, {});
  EXPECT_FALSE(CompliantGradient::make(file.problem, {}, answer.solution).has_value());
  file.problem.h = -1.0;
  EXPECT_FALSE(CompliantGradient::make(file.problem, {}, answer.solution).has_value());
}

}  // namespace
}  // namespace tribo
