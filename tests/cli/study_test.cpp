// The command `study`, as its users run it.
#include <filesystem>
#include <fstream>
#include <map>

#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;

// An unknown name is answered with the known ones, before anything is run.
TEST(Study, AnUnknownNameIsRefused) {
  const ToolRun run = run_tool({"study", "drumwright-2051"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("there is no study \"drumwright-2051\""), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("did you mean \"drumwright-2015\"?"), std::string::npos) << run.err;
}

// A folder without a name would be the working folder.
TEST(Study, AnEmptyFolderNameIsRefused) {
  const ToolRun run = run_tool({"study", "--quick", "--record", ""});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("--record"), std::string::npos) << run.err;
}

// A run without names runs all of them; its lines are JSON, it is silent on stderr, and what it records can be solved with
// the tool. Recorded again into the same folder it touches nothing.
TEST(Study, RunsAllAndRecordsProblemsThatTheToolSolves) {
  const std::string folder = temporary_folder() + "/recorded";
  const ToolRun run = run_tool({"study", "--quick", "--json", "--record", folder});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  std::map<std::string, int> claims;
  for (const json& line : run.json_lines()) claims[line.at("study")] += line.at("kind") == "claim" ? 1 : 0;
  EXPECT_EQ(claims.size(), 3U);
  EXPECT_GE(claims["drumwright-2015"], 20);
  EXPECT_GE(claims["lloyd-2005"], 20);

  std::vector<std::string> arguments = {"solve"};
  for (const auto& entry : std::filesystem::directory_iterator(folder)) arguments.push_back(entry.path().string());
  EXPECT_EQ(arguments.size(), 1U + 3 * 10 + 10 * (3 + 10 + 10));
  arguments.push_back("--json");
  const ToolRun solve = run_tool(arguments);
  EXPECT_EQ(solve.code, 0) << solve.err;
  for (const json& line : solve.json_lines()) {
    EXPECT_EQ(line.at("status"), "solved") << line.dump();
    const bool grasp = line.at("file").get<std::string>().find("drumwright-2015") != std::string::npos;
    if (grasp) {
      EXPECT_EQ(line.at("contacts"), 36) << line.dump();
    }
    EXPECT_EQ(line.at("model"), grasp ? "no-slip" : "coulomb-pyramid:8") << line.dump();
  }

  const std::string first = folder + "/drumwright-2015-trial-00-step-00.json";
  const auto written = std::filesystem::last_write_time(first);
  const ToolRun again = run_tool({"study", "drumwright-2015", "--quick", "--record", folder});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.out, "");
  EXPECT_NE(again.err.find(first), std::string::npos) << again.err;
  EXPECT_EQ(std::filesystem::last_write_time(first), written);
}

// The table is for people: every claim has its verdict below it.
TEST(Study, PrintsVerdictsForPeople) {
  const ToolRun run = run_tool({"study", "drumwright-2015", "--quick"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("Table I"), std::string::npos);
  EXPECT_NE(run.out.find("    verdict  differs because "), std::string::npos);
  EXPECT_EQ(run.out.find("FAIL"), std::string::npos);
}

}  // namespace
}  // namespace tribo::testing
