// One quick run of the study, read as a program reads it; and the problems that it writes. No test looks at a time.
#include "tribo/io/problem_file.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "quick_study.hpp"
#include "studies/lloyd_2005/cases.hpp"
#include "studies/lloyd_2005/measure.hpp"
#include "studies/study.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const QuickStudy& lloyd_run() {
  static const QuickStudy run(run_lloyd_2005);
  return run;
}

// What the study holds itself to must hold: every solve certified, pivots that do not follow n.
TEST(Lloyd2005, KeepsItsPromises) {
  for (const json& promise : lloyd_run().of_kind("promise")) {
    EXPECT_TRUE(promise.at("held").get<bool>()) << promise.dump();
  }
  EXPECT_TRUE(lloyd_run().held);
  EXPECT_EQ(lloyd_run().of_kind("promise").size(), 5U);
}

// A claim without a verdict, or with a verdict of another kind, would be a number without a meaning.
TEST(Lloyd2005, EveryClaimHasAVerdict) {
  const std::vector<json> claims = lloyd_run().of_kind("claim");
  EXPECT_EQ(claims.size(), 25U);
  std::set<std::string> names;
  for (const json& claim : claims) {
    EXPECT_EQ(claim.at("study"), "lloyd-2005");
    EXPECT_TRUE(names.insert(claim.at("claim")).second) << claim.dump();
    EXPECT_FALSE(claim.at("paper").get<std::string>().empty()) << claim.dump();
    EXPECT_FALSE(claim.at("ours").get<std::string>().empty()) << claim.dump();
    const std::string verdict = claim.at("verdict");
    EXPECT_TRUE(verdict == "reproduced" || verdict == "not reproduced" ||
                (verdict.starts_with("differs because ") && verdict.size() > 30))
        << verdict;
  }
}

// A certificate stands beside every time, for all three methods on the same problems.
TEST(Lloyd2005, EverySolveOfEveryMethodIsCertified) {
  for (const char* kind : {"peg", "situation", "stack"}) {
    std::set<std::string> methods;
    for (const json& row : lloyd_run().of_kind(kind)) {
      EXPECT_EQ(row.at("failed_solves").get<int>(), 0) << row.dump();
      EXPECT_LE(row.at("worst").get<double>(), 1e-9) << row.dump();
      EXPECT_GT(row.at("worst").get<double>(), 0.0) << "nothing was certified: " << row.dump();
      EXPECT_GT(row.at("seconds").get<double>(), 0.0) << row.dump();
      EXPECT_EQ(row.at("solves").get<int>(), 10) << row.dump();
      methods.insert(row.at("method"));
    }
    EXPECT_EQ(methods, (std::set<std::string>{"standard", "structural", "reduced"})) << kind;
  }
  EXPECT_EQ(lloyd_run().of_kind("situation").size(), 30U);
  EXPECT_EQ(lloyd_run().of_kind("stack").size(), 30U);
}

// The paper's point: the structured methods form no LCP matrix, and their system is bounded by the degrees of freedom.
TEST(Lloyd2005, SystemsAreBoundedByTheDegreesOfFreedom) {
  for (const char* kind : {"peg", "situation", "stack"}) {
    for (const json& row : lloyd_run().of_kind(kind)) {
      const int n = row.at("n"), rows = row.at("lcp_rows"), core = row.at("core_max");
      if (row.at("method") == "standard") {
        EXPECT_EQ(rows, 10 * n) << row.dump();
      } else {
        EXPECT_EQ(rows, 0) << row.dump();
        EXPECT_GE(core, 1) << row.dump();
        EXPECT_LE(core, row.at("dof").get<int>()) << row.dump();
      }
    }
  }
}

// Pivots do not depend on the machine: those of the reduced method stay where those of the others grow with n.
TEST(Lloyd2005, PivotsOfTheReducedMethodDoNotFollowTheContacts) {
  double reduced_8 = 0.0, reduced_512 = 0.0, structural_8 = 0.0, structural_128 = 0.0;
  for (const json& row : lloyd_run().of_kind("peg")) {
    const bool reduced = row.at("method") == "reduced", structural = row.at("method") == "structural";
    const int n = row.at("n");
    if (reduced && n == 8) reduced_8 = row.at("pivots_mean");
    if (reduced && n == 512) reduced_512 = row.at("pivots_mean");
    if (structural && n == 8) structural_8 = row.at("pivots_mean");
    if (structural && n == 128) structural_128 = row.at("pivots_mean");
  }
  ASSERT_GT(reduced_8, 0.0);
  EXPECT_LE(reduced_512, 2.0 * reduced_8);
  EXPECT_GE(structural_128, 4.0 * structural_8);
}

// An exponent that the report prints is that of its own rows, and not a number from elsewhere.
TEST(Lloyd2005, ExponentsComeFromTheRows) {
  const std::vector<json> fits = lloyd_run().of_kind("exponent");
  EXPECT_EQ(fits.size(), 7U);
  for (const json& fit : fits) {
    Table table;
    for (const json& row : lloyd_run().of_kind(fit.at("series") == "peg" ? "peg" : "situation")) {
      if (row.at("method") != fit.at("method")) continue;
      Measured& measured = table.emplace_back();
      measured.contacts = row.at("n");
      measured.seconds = row.at("seconds");
    }
    EXPECT_NEAR(time_exponent(table, LemkeMethod::kReduced, fit.at("first"), fit.at("last")),
                fit.at("exponent").get<double>(), 1e-9)
        << fit.dump();
  }
}

// Closed form: times that are 3 n² have the exponent 2, and rows of other methods and sizes take no part in it.
TEST(Lloyd2005, TheExponentIsOfOneMethodAndRange) {
  Table table;
  for (const Index n : {8, 16, 32, 64}) {
    for (const LemkeMethod method : {LemkeMethod::kStandard, LemkeMethod::kReduced}) {
      Measured& row = table.emplace_back();
      row.contacts = n;
      row.method = method;
      const auto x = static_cast<double>(n);
      row.seconds = method == LemkeMethod::kReduced ? 3.0 * x * x : n == 64 ? 1e9 : x;
    }
  }
  EXPECT_NEAR(time_exponent(table, LemkeMethod::kReduced, 8, 64), 2.0, 1e-12);
  EXPECT_NEAR(time_exponent(table, LemkeMethod::kStandard, 8, 32), 1.0, 1e-12);
  EXPECT_NEAR(time_ratio(table, LemkeMethod::kReduced, LemkeMethod::kStandard, 16), 48.0, 1e-12);
}

// Recorded problems come back number by number, with the model they were solved under; the large pegs are left out.
TEST(Lloyd2005, RecordsWhatItSolvedAndOverwritesNothing) {
  const fs::path folder = fs::temp_directory_path() / ("tribo_lloyd_" + std::to_string(::getpid()));
  const Cases cases = make_cases(true);
  ASSERT_TRUE(check_cases_recording(folder.string(), cases).has_value());
  ASSERT_TRUE(write_cases_recording(folder.string(), cases).has_value());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}), 10 * (3 + 10 + 10));
  const auto read = read_problem((folder / "lloyd-2005-stack-5-32-contacts-09.json").string());
  ASSERT_TRUE(read.has_value()) << read.error().text();
  const ContactFile& file = std::get<ContactFile>(read->problem);
  EXPECT_EQ(file.model, ContactModel(CoulombPyramid{8}));
  EXPECT_TRUE(equal(file.problem, cases.stacks.back().problems[9]));

  StudyOptions options;
  options.quick = true;
  options.record = folder.string();
  std::ostringstream out;
  options.out = &out;
  const auto again = run_lloyd_2005(options);
  EXPECT_FALSE(again.has_value());
  EXPECT_EQ(out.str(), "");
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace
}  // namespace tribo
