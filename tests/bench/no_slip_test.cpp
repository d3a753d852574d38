// The problems and the yardstick of `bench no-slip`, and one quick run read as a program reads it. Times are not judged
// here: they belong to an optimised build on a quiet machine.
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/generate.hpp"

#include <numeric>
#include <set>
#include <sstream>

#include "no_slip_parts.hpp"
#include "no_slip_problems.hpp"
#include "no_slip_yardstick.hpp"
#include "quick_bench.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// A failure is reported as (seed, index): making that one problem again must give the same numbers.
TEST(NoSlipProblems, DependOnSeedAndIndexAlone) {
  for (std::uint64_t index = 0; index < 64; ++index) {
    const ContactTrial trial = make_contact_trial(3, index), again = make_contact_trial(3, index);
    EXPECT_TRUE(equal(trial.problem, again.problem)) << index;
    EXPECT_EQ(trial.model, again.model) << index;
  }
  EXPECT_FALSE(equal(make_contact_trial(3, 0).problem, make_contact_trial(4, 0).problem));
}

// The promise is about all models with and without offsets, and only problems that have an answer can break it.
TEST(NoSlipProblems, EveryKindMeetsEveryModelAndOffset) {
  std::set<std::string> seen, models;
  for (std::uint64_t index = 0; index < 64; ++index) {
    const ContactTrial trial = make_contact_trial(1, index);
    EXPECT_TRUE(validate(trial.problem).has_value()) << index;
    EXPECT_TRUE((trial.problem.b_N.array() >= 0.0).all()) << index;
    EXPECT_TRUE(trial.problem.b_J.isZero(0.0)) << index;
    seen.insert(trial.kind + (index / 32 == 0 ? " closed" : " open"));
    models.insert(to_string(trial.model));
    if (index < 32) {
      EXPECT_TRUE(trial.problem.b_N.isZero(0.0)) << index;
    }
  }
  EXPECT_EQ(seen.size(), 14U);
  EXPECT_EQ(models, (std::set<std::string>{"frictionless", "no-slip", "viscous", "viscous/explicit"}));
}

// Only the number of contacts may change: rows come again in their order, and all dampers together brake as before.
TEST(NoSlipProblems, RepeatedContactsAreTheSameContacts) {
  Random random(2);
  const ContactProblem once = box_stack(2, 4, random);
  const ContactProblem thrice = repeat_contacts(once, 3);
  ASSERT_TRUE(validate(thrice).has_value());
  ASSERT_EQ(thrice.size(), 3 * once.size());
  EXPECT_EQ(thrice.N.to_dense(), once.N.to_dense().replicate(3, 1));
  EXPECT_EQ(thrice.S.to_dense(), once.S.to_dense().replicate(3, 1));
  EXPECT_EQ(thrice.T.to_dense(), once.T.to_dense().replicate(3, 1));
  const auto add = [](double sum, const Contact& contact) { return sum + contact.mu_v; };
  const double before = std::accumulate(once.contacts.begin(), once.contacts.end(), 0.0, add);
  const double after = std::accumulate(thrice.contacts.begin(), thrice.contacts.end(), 0.0, add);
  EXPECT_GT(before, 0.0);
  EXPECT_NEAR(after, before, 1e-12 * before);
  EXPECT_TRUE(equal(repeat_contacts(once, 1), once));
}

// The change is counted in kinetic energy: a sphere of 4 kg and 0.5 m/s has |v|_M = 1 m/s √kg.
TEST(NoSlipProblems, ChangeIsRelativeToTheMotion) {
  SphereSettings settings;
  settings.mass = 4.0;
  settings.velocity = Vector3d(0.5, 0.0, 0.0);
  ContactProblem problem = sphere_on_plane(settings);
  problem.f.setZero();
  VectorXd changed = problem.v;
  EXPECT_EQ(relative_change(problem, problem.v, changed), 0.0);
  changed(1) += 0.005;
  EXPECT_NEAR(relative_change(problem, problem.v, changed), 0.01, 1e-12);
}

// The pass must read every number, whatever is left over after full vector registers; small integers add up exactly.
TEST(NoSlipYardstick, ThePassReadsEveryNumber) {
  std::vector<double> numbers;
  double sum = 0.0;
  for (int n = 0; n < 150; ++n) {
    EXPECT_EQ(multiply_add_all(numbers, 0.5), 0.5 * sum) << n;
    numbers.push_back(n * n + 1.0);
    sum += numbers.back();
  }
}

// Six numbers per row on one body, twelve between two; three rows per contact where the model has tangents.
TEST(NoSlipYardstick, CountsTheNumbersThatAModelUses) {
  Random random(1);
  const ContactProblem block = block_on_face(7, 0.2, random), grasp = grasp_row(1, 4);
  EXPECT_EQ(RowNumbers(block, Frictionless{}).count(), 7U * 6U);
  EXPECT_EQ(RowNumbers(block, NoSlip{}).count(), 7U * 18U);
  EXPECT_EQ(RowNumbers(grasp, Frictionless{}).count(), 8U * 12U);
  EXPECT_EQ(RowNumbers(grasp, Viscous{}).count(), 8U * 36U);
  const VectorXd numbers = RowNumbers(block, NoSlip{}).copy();
  const MatrixXd N = block.N.to_dense(), T = block.T.to_dense();
  EXPECT_EQ(numbers.head(6), N.row(0).transpose());
  EXPECT_EQ(numbers.tail(6), T.row(6).transpose());
}

// What is timed must be the whole way: the same v⁺ by both rules, within the bound of spec B.4.
TEST(NoSlipSolve, BothRulesFindTheSameVelocity) {
  Random random(5);
  const ContactProblem problem = box_stack(3, 8, random);
  const ContactAnswer dual = solve(problem, NoSlip{}, normal_options("dual-active-set"));
  const ContactAnswer ppm = solve(problem, NoSlip{}, normal_options("ppm"));
  EXPECT_TRUE(is_solved(dual.status));
  EXPECT_TRUE(is_solved(ppm.status));
  EXPECT_LT(relative_change(problem, dual.v_next, ppm.v_next), 1e-12);
  for (const ContactAnswer* answer : {&dual, &ppm}) {
    const Index active = (answer->solution.f_n.array() > 0.0).count();
    EXPECT_GT(active, 0);
    EXPECT_LT(active, problem.dof());
  }
}

const QuickBench& quick_run() {
  static const QuickBench run(run_no_slip_bench);
  return run;
}

// Answers are right on every machine; only promises about time may fail on a slow or busy one.
TEST(NoSlipBench, KeepsEveryPromiseThatIsNotAboutTime) {
  quick_run().expect_promises("no-slip");
  EXPECT_GT(quick_run().times, 20);
  EXPECT_GT(quick_run().promises - quick_run().times, 30);
}

// Every part of the report is there, also in the short form.
TEST(NoSlipBench, EveryPartReports) {
  std::set<std::string> kinds;
  for (const Json& line : quick_run().lines) kinds.insert(line.at("kind"));
  for (const char* kind : {"random", "cycle", "scaling", "grasp", "long-row", "stacks", "few-contacts", "repeated",
                           "hold", "warm", "islands", "promise"}) {
    EXPECT_TRUE(kinds.contains(kind)) << kind;
  }
}

// A number without a unit is read wrongly sooner or later: the key says what it is.
TEST(NoSlipBench, EveryNumberHasItsUnitInTheKey) {
  const std::set<std::string> plain = {"seed", "index", "worst_index"};
  for (const Json& line : quick_run().lines) {
    for (const auto& [key, value] : line.items()) {
      if (!value.is_number() || plain.contains(key)) continue;
      bool known = false;
      for (const char* unit : {"_count", "_us", "_ns", "_m", "_bytes", "_bytes_per_contact", "_relative", "_ratio",
                               "pivots_mean", "pivots_max"}) {
        known = known || key.ends_with(unit);
      }
      EXPECT_TRUE(known) << key;
    }
  }
}

}  // namespace
}  // namespace tribo
