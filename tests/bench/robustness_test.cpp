#include <limits>
#include <set>
#include <sstream>

#include "robustness_problems.hpp"
#include "robustness_tally.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// A failure is reported as (seed, index): making that one problem again must give the same numbers.
TEST(Robustness, ATrialDependsOnSeedAndIndexAlone) {
  for (std::uint64_t index = 0; index < 40; ++index) {
    EXPECT_TRUE(make_lcp_trial(3, index).problem == make_lcp_trial(3, index).problem);
    EXPECT_TRUE(make_box_trial(3, index).problem == make_box_trial(3, index).problem);
    EXPECT_TRUE(make_mixed_trial(3, index).problem == make_mixed_trial(3, index).problem);
    EXPECT_TRUE(make_factored_trial(3, index).problem == make_factored_trial(3, index).problem);
  }
  EXPECT_FALSE(make_lcp_trial(3, 0).problem == make_lcp_trial(4, 0).problem);
}

// Counting over classes is only worth something if every class comes in every kind.
TEST(Robustness, AllClassesComeInAllKinds) {
  std::set<std::string> seen;
  for (std::uint64_t index = 0; index < 20; ++index) {
    const auto trial = make_lcp_trial(1, index);
    EXPECT_TRUE(validate(trial.problem).has_value());
    EXPECT_EQ(trial.symmetric, trial.group != "p" && trial.group != "copositive");
    seen.insert(trial.group + "/" + trial.kind);
  }
  EXPECT_EQ(seen.size(), 20U);
}

// The promise of a solver that always ends: an answer where there is one, otherwise an answer or a proof.
TEST(Robustness, OnlyProofsAndAnswersAreProperEnds) {
  const Promise unknown{true, false, false};
  const Promise solvable{true, true, false};
  EXPECT_TRUE(ends_properly({.ending = Ending::kSolved}, solvable));
  EXPECT_TRUE(ends_properly({.ending = Ending::kInfeasible}, unknown));
  EXPECT_TRUE(ends_properly({.ending = Ending::kRay}, unknown));
  EXPECT_FALSE(ends_properly({.ending = Ending::kInfeasible}, solvable));
  EXPECT_FALSE(ends_properly({.ending = Ending::kRay}, solvable));
  for (const Ending ending : {Ending::kWrong, Ending::kUnverified, Ending::kIterationLimit, Ending::kBreakdown}) {
    EXPECT_FALSE(ends_properly({.ending = ending}, unknown));
  }
}

// On a solvable copositive problem Lemke's ray is excused only by a direction that breaks the condition of spec C.1.
TEST(Robustness, ARayOnASolvableProblemNeedsAnExcuse) {
  const Promise copositive{true, true, true};
  EXPECT_FALSE(ends_properly({.ending = Ending::kRay, .ray_is_allowed = false}, copositive));
  EXPECT_TRUE(ends_properly({.ending = Ending::kRay, .ray_is_allowed = true}, copositive));
}

// The benchmark is a judge: shown one wrong answer, it must say FAIL, print how to make it again, and return 1.
TEST(Robustness, OneWrongAnswerFailsTheBench) {
  std::ostringstream out;
  const BenchOptions options{.out = &out};
  Output output(options, "robustness");
  Tallies tallies;
  const Tallies::Place place{"lcp", "pgs", "spd", "random", 7, 42, 3};
  tallies.add(output, place, {.ending = Ending::kSolved, .worst = 1e-12}, {});
  EXPECT_EQ(out.str(), "");
  tallies.add(output, place, {.ending = Ending::kWrong, .worst = 1e-3}, {});
  tallies.check(output);
  EXPECT_NE(out.str().find("seed 7 lcp index 42"), std::string::npos);
  EXPECT_NE(out.str().find("FAIL  no answer claimed as solved"), std::string::npos);
  EXPECT_EQ(output.exit_code(), 1);
}

// The counts must be those of the trials, or the table says nothing.
TEST(Robustness, CountsEveryTrialOnce) {
  std::ostringstream out;
  const BenchOptions options{.json = true, .quick = true, .out = &out};
  EXPECT_EQ(run_robustness_bench(options), 0);  // everything promised held
  std::istringstream lines(out.str());
  std::map<std::string, long> spd;
  for (std::string line; std::getline(lines, line);) {
    const Json object = Json::parse(line);
    if (object.at("kind") != "tally") continue;
    long endings = 0;
    for (const char* ending : {"solved", "infeasible", "ray", "iteration_limit", "breakdown", "wrong", "unverified"}) {
      endings += object.at(ending).get<long>();
    }
    EXPECT_EQ(endings, object.at("count").get<long>());
    if (object.at("class") == "spd") spd[object.at("solver").get<std::string>()] = object.at("count").get<long>();
  }
  EXPECT_EQ(spd["lemke/standard"], 400);  // a fifth of the 2,000 problems
  EXPECT_EQ(spd["dual-active-set"], 400);
}

}  // namespace
}  // namespace tribo
