// The problems and the measures of `bench cone`, and one quick run read as a program reads it. Times are not judged
// here: they belong to an optimised build on a quiet machine.
#include "tribo/certify/certify.hpp"
#include "tribo/problem/generate.hpp"

#include <cmath>
#include <numbers>
#include <set>

#include "cone_parts.hpp"
#include "cone_physics.hpp"
#include "cone_problems.hpp"
#include "quick_bench.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

bool same(const ConeTrial& a, const ConeTrial& b) {
  if (a.contact.has_value() != b.contact.has_value()) return false;
  if (a.contact) return equal(*a.contact, *b.contact);
  return a.local.q == b.local.q && a.local.mu == b.local.mu && MatrixXd(a.local.W) == MatrixXd(b.local.W);
}

// A failure is reported as (seed, index): making that one problem again must give the same numbers.
TEST(ConeProblems, DependOnSeedAndIndexAlone) {
  for (std::uint64_t index = 0; index < 2 * kConeKinds; ++index) {
    EXPECT_TRUE(same(make_cone_trial(3, index), make_cone_trial(3, index))) << index;
    if (make_cone_trial(3, index).kind == "matrix") {
      EXPECT_FALSE(same(make_cone_trial(3, index), make_cone_trial(4, index))) << index;
    }
  }
}

// The promise speaks of one to eight contacts, of every kind, and of answers that exist by theory.
TEST(ConeProblems, AreValidAndHaveOneToEightContacts) {
  std::set<std::string> kinds, unsure;
  for (std::uint64_t index = 0; index < 16 * kConeKinds; ++index) {
    const ConeTrial trial = make_cone_trial(1, index);
    const Index n = trial.contact ? trial.contact->size() : trial.local.contacts();
    EXPECT_GE(n, 1) << index;
    EXPECT_LE(n, 8) << index << " " << trial.kind;
    EXPECT_TRUE(trial.contact ? validate(*trial.contact).has_value() : validate(trial.local).has_value()) << index;
    kinds.insert(trial.kind);
    if (!trial.solvable) unsure.insert(trial.kind);
    EXPECT_EQ(trial.extreme, trial.kind == "mass ratio to 1e8") << index;
  }
  EXPECT_EQ(kinds.size(), kConeKinds);
  EXPECT_EQ(unsure, (std::set<std::string>{"matrix, unsymmetric", "overlapping jam"}));
}

// By hand: a ball of 2 kg that falls on the ground has W = diag(1/m, 1/m + r²/I, 1/m + r²/I) and the velocity of its
// lowest point as q, normal first.
TEST(ConeProblems, LocalMatricesAreThoseOfTheBall) {
  SphereSettings settings;
  settings.mass = 2.0;
  const ContactProblem ball = sphere_on_plane(settings);
  const LocalFriction local = make_local(ball);
  const double sliding = 0.5 + 0.1 * 0.1 / (0.4 * 2.0 * 0.1 * 0.1);
  EXPECT_LT((MatrixXd(local.W) - MatrixXd(Vector3d(0.5, sliding, sliding).asDiagonal())).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(local.q(0), -1.0 - 9.81 * 0.01, 1e-14);
  EXPECT_NEAR(std::hypot(local.q(1), local.q(2)), std::hypot(1.0, 0.3), 1e-14);
}

// An answer to the reordered problem, put back, must be an answer to the problem itself: so must its u.
TEST(ConeProblems, ReorderingIsTheSameProblem) {
  for (const int dimension : {2, 3}) {
    Random random(5);
    LocalFriction problem;
    std::uint64_t index = 0;
    do {
      problem = make_cone_trial(1, index).local;
      index += kConeKinds;
    } while (problem.dimension != dimension || problem.contacts() < 3);
    const Reordering order = draw_reordering(problem.contacts(), dimension, random);
    EXPECT_EQ(std::set<Index>(order.from.begin(), order.from.end()).size(), order.from.size());
    const LocalFriction other = reordered(problem, order);
    VectorXd r(problem.q.size());
    for (Index i = 0; i < r.size(); ++i) r(i) = random.normal();
    const VectorXd u_other = other.W * r + other.q;
    const VectorXd u = problem.W * put_back(r, dimension, order) + problem.q;
    EXPECT_LT((put_back(u_other, dimension, order) - u).cwiseAbs().maxCoeff(), 1e-12 * u.cwiseAbs().maxCoeff());
    EXPECT_NEAR(certify(other, {r, {}, {}}).worst, certify(problem, {put_back(r, dimension, order), {}, {}}).worst,
                1e-10 * certify(problem, {put_back(r, dimension, order), {}, {}}).worst);
  }
}

// The residual has no units: the same impulses, in other units, have the same one.
TEST(ConeProblems, OtherUnitsKeepTheResidual) {
  const LocalFriction problem = make_cone_trial(2, 0).local;
  Random random(6);
  VectorXd r(problem.q.size());
  for (Index i = 0; i < r.size(); ++i) r(i) = random.normal();
  const double here = certify(problem, {r, {}, {}}).worst;
  const double there = certify(in_other_units(problem, 8.0, 4.0), {32.0 * r, {}, {}}).worst;
  EXPECT_NEAR(there, here, 1e-13 * here);
}

MatrixAnswer sliding(double angle) {
  MatrixAnswer answer;
  SparseMatrix W(3, 3);
  W.setIdentity();
  answer.problem.W = W;
  answer.problem.q = Vector3d(-1.0, 2.0, 0.0);
  answer.problem.mu = VectorXd::Constant(1, 0.5);
  answer.r = Vector3d(1.0, -0.5 * std::cos(angle), -0.5 * std::sin(angle));
  answer.u = W * answer.r + answer.problem.q;
  return answer;
}

// Closed form: friction turned away from the slip by an angle must be seen as that angle, less what the slip turns too.
TEST(ConePhysics, SeesFrictionThatDoesNotOpposeSlip) {
  EXPECT_EQ(calc_slip_angle(sliding(0.0)).largest, 0.0);
  EXPECT_EQ(calc_slip_angle(sliding(0.0)).compared, 1);
  const double expected = 1e-3 + std::atan2(0.5 * std::sin(1e-3), 2.0 - 0.5 * std::cos(1e-3));
  EXPECT_NEAR(calc_slip_angle(sliding(1e-3)).largest, expected, 1e-12);
  EXPECT_NEAR(calc_slip_angle(sliding(std::numbers::pi)).largest, std::numbers::pi, 1e-12);
}

// The ball of 1 kg falls at 1 m/s and slides: an answer that throws it back faster than it came must be seen to do so.
TEST(ConePhysics, SeesEnergyThatIsCreated) {
  const ContactProblem ball = sphere_on_plane();
  ContactAnswer answer = solve(ball, CoulombCone{});
  ASSERT_TRUE(is_solved(answer.status));
  const MatrixAnswer fine = make_matrix_answer(ball, answer);
  EXPECT_GT(fine.free_energy, 0.5 * (1.0 + 0.3 * 0.3 + 1.0));
  EXPECT_LT(fine.next_energy, fine.free_energy);
  EXPECT_EQ(calc_created_energy(fine), 0.0);
  answer.v_next *= 2.0 * std::sqrt(fine.free_energy / fine.next_energy);
  EXPECT_NEAR(calc_created_energy(make_matrix_answer(ball, answer)), 3.0, 1e-12);
}

const QuickBench& quick_cone_run() {
  static const QuickBench run(run_cone_bench);
  return run;
}

// Answers are right on every machine; only promises about time may fail on a slow or busy one.
TEST(ConeBench, KeepsEveryPromiseThatIsNotAboutTime) {
  quick_cone_run().expect_promises("cone");
  EXPECT_EQ(quick_cone_run().times, 1);
  EXPECT_GE(quick_cone_run().promises - quick_cone_run().times, 9);
}

// Every part of the report is there, also in the short form and without the problems of others.
TEST(ConeBench, EveryPartReports) {
  std::set<std::string> kinds, problems;
  for (const Json& line : quick_cone_run().lines) {
    kinds.insert(line.at("kind"));
    if (line.at("kind") == "random") problems.insert(line.at("problem"));
  }
  for (const char* kind : {"left-out", "random", "random-ending", "warm", "time", "promise"}) {
    EXPECT_TRUE(kinds.contains(kind)) << kind;
  }
  EXPECT_EQ(problems.size(), kConeKinds + 2);
}

// A number without a unit is read wrongly sooner or later: the key says what it is.
TEST(ConeBench, EveryNumberHasItsUnitInTheKey) {
  const std::set<std::string> plain = {"seed", "index"};
  for (const Json& line : quick_cone_run().lines) {
    for (const auto& [key, value] : line.items()) {
      if (!value.is_number() || plain.contains(key)) continue;
      bool known = false;
      for (const char* unit : {"_count", "_us", "_rad", "_relative", "_ratio", "_mean"}) {
        known = known || key.ends_with(unit);
      }
      EXPECT_TRUE(known) << key;
    }
  }
}

}  // namespace
}  // namespace tribo
