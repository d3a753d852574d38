// One quick run of the study, read as a program reads it; and the problems that it writes.
#include "tribo/io/problem_file.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "quick_study.hpp"
#include "studies/drumwright_2015/cycling_problem.hpp"
#include "studies/drumwright_2015/parts.hpp"
#include "studies/drumwright_2015/pivoting.hpp"
#include "studies/study.hpp"
#include "support/paths.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace tribo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const QuickStudy& quick_run() {
  static const QuickStudy run(run_drumwright_2015);
  return run;
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("tribo_studies_" + std::to_string(::getpid()))) {}
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

// The command line prints and runs this table: a study without a name or a function would be unreachable.
TEST(Studies, HaveDifferentNamesAndFunctions) {
  std::set<std::string> names;
  for (const StudyInfo& study : studies()) {
    EXPECT_NE(study.run, nullptr);
    EXPECT_FALSE(study.summary.empty());
    EXPECT_TRUE(names.insert(study.name).second) << study.name;
  }
  EXPECT_TRUE(names.contains("drumwright-2015"));
}

// What the study holds itself to must hold: every solve certified, every promise kept.
TEST(Drumwright2015, KeepsItsPromises) {
  for (const json& promise : quick_run().of_kind("promise")) {
    EXPECT_TRUE(promise.at("held").get<bool>()) << promise.dump();
  }
  EXPECT_TRUE(quick_run().held);
  EXPECT_GE(quick_run().of_kind("promise").size(), 12U);
}

// A claim without a verdict, or with a verdict of another kind, would be a number without a meaning.
TEST(Drumwright2015, EveryClaimHasAVerdict) {
  const std::vector<json> claims = quick_run().of_kind("claim");
  EXPECT_GE(claims.size(), 20U);
  std::set<std::string> names;
  for (const json& claim : claims) {
    EXPECT_EQ(claim.at("study"), "drumwright-2015");
    EXPECT_TRUE(names.insert(claim.at("claim")).second) << claim.dump();
    EXPECT_FALSE(claim.at("paper").get<std::string>().empty()) << claim.dump();
    EXPECT_FALSE(claim.at("ours").get<std::string>().empty()) << claim.dump();
    const std::string verdict = claim.at("verdict");
    EXPECT_TRUE(verdict == "reproduced" || verdict == "not reproduced" ||
                (verdict.starts_with("differs because ") && verdict.size() > 30))
        << verdict;
  }
}

// The rows of Table I have what the paper's have, and a certificate beside every time.
TEST(Drumwright2015, MeasuresFiveMethodsOnTheSameProblems) {
  const std::vector<json> rows = quick_run().of_kind("method");
  ASSERT_EQ(rows.size(), 5U);
  for (const json& row : rows) {
    EXPECT_GT(row.at("seconds_mean").get<double>(), 0.0) << row.dump();
    EXPECT_LE(row.at("worst").get<double>(), 1e-8) << row.dump();
    EXPECT_EQ(row.at("held_steps").get<int>(), 100) << row.dump();
    EXPECT_GT(row.at("pivots_mean").get<double>(), 0.0) << row.dump();
  }
  EXPECT_EQ(rows[0].at("rows").get<int>(), 216);
  EXPECT_EQ(rows[2].at("rows").get<int>(), 36);
  EXPECT_EQ(rows[2].at("ratio_to_ppm").get<double>(), 1.0);
}

// The hold is what the no-slip model is for: the drift is that of rounding, far below the promise.
TEST(Drumwright2015, HoldsTheGraspToRounding) {
  const std::vector<json> holds = quick_run().of_kind("hold");
  ASSERT_EQ(holds.size(), 1U);
  EXPECT_EQ(holds[0].at("steps").get<int>(), 2000);
  EXPECT_EQ(holds[0].at("failed_solves").get<int>(), 0);
  EXPECT_LT(holds[0].at("slip").get<double>(), 1e-12);
}

// The numbers in the code are the reference file's, so that the two cannot drift apart.
TEST(Drumwright2015, TheCyclingProblemIsTheReference) {
  const auto file = read_problem(testing::source_dir() + "/data/reference/fr09_ppm1_cycles.json").value();
  const ContactProblem& theirs = std::get<ContactFile>(file.problem).problem;
  const ContactProblem ours = cycling_problem();
  EXPECT_EQ(ours.N.to_dense(), theirs.N.to_dense());
  EXPECT_EQ(ours.v, theirs.v);
  EXPECT_EQ(ours.f, theirs.f);
  EXPECT_EQ(ours.h, theirs.h);
  EXPECT_LT((ours.mass.to_dense() - theirs.mass.to_dense()).cwiseAbs().maxCoeff(), 1e-16);
  const Pivoting pivoting = pivot(ours, Frictionless{});
  EXPECT_TRUE(pivoting.printed_rule_cycled());
  EXPECT_TRUE(pivoting.guarded.fallback);
  EXPECT_TRUE(pivoting.certified);
}

// Recorded problems come back number by number, with the model they were recorded under.
TEST(Drumwright2015, RecordsWhatItSolved) {
  const Folder folder;
  const std::vector<RecordedTrial> trials = record_trials(1);
  EXPECT_TRUE(trials[0].certified);
  ASSERT_TRUE(check_recording(folder.path(), 1).has_value());
  ASSERT_TRUE(write_recording(folder.path(), trials).has_value());
  for (int step = 0; step < kStepsPerTrial; ++step) {
    const auto read = read_problem(folder.path() + "/drumwright-2015-trial-00-step-0" + std::to_string(step) + ".json");
    ASSERT_TRUE(read.has_value()) << read.error().text();
    ContactFile file = std::get<ContactFile>(read->problem);
    EXPECT_EQ(file.model, ContactModel(NoSlip{}));
    file.problem.name = trials[0].problems[static_cast<std::size_t>(step)].name;
    EXPECT_TRUE(equal(file.problem, trials[0].problems[static_cast<std::size_t>(step)])) << step;
  }
}

// A recording that is there already may be someone's work: it is refused before the first file is touched.
TEST(Drumwright2015, RefusesToOverwriteARecording) {
  const Folder folder;
  fs::create_directories(folder.path());
  const std::string existing = folder.path() + "/drumwright-2015-trial-01-step-09.json";
  std::ofstream(existing) << "mine";
  StudyOptions options;
  options.quick = true;
  options.record = folder.path();
  std::ostringstream out;
  options.out = &out;
  const auto run = run_drumwright_2015(options);
  ASSERT_FALSE(run.has_value());
  EXPECT_NE(run.error().text().find(existing), std::string::npos) << run.error().text();
  EXPECT_EQ(out.str(), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1);
  EXPECT_FALSE(check_recording(existing, 1).has_value());
}

}  // namespace
}  // namespace tribo
