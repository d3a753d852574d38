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

std::string page_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string in_html(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    const std::string known = "&<>\"'";
    const char* const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const std::size_t at = known.find(c);
    safe += at == std::string::npos ? std::string(1, c) : names[at];
  }
  return safe;
}

// A run without names runs all of them; its lines are JSON, it is silent on stderr, and what it records can be solved with
// the tool. Recorded again into the same folder it touches nothing. The page shows the claims that the lines have.
TEST(Study, RunsAllAndRecordsProblemsThatTheToolSolves) {
  const std::string folder = temporary_folder() + "/recorded";
  const std::string page = temporary_folder() + "/all.html";
  const ToolRun run = run_tool({"study", "--quick", "--json", "--record", folder, "--report", page});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  std::map<std::string, int> claims;
  const std::string html = page_text(page);
  for (const json& line : run.json_lines()) {
    const bool claim = line.at("kind") == "claim";
    claims[line.at("study")] += claim ? 1 : 0;
    EXPECT_NE(line.at("kind"), "heading") << "headings are for the page alone";
    if (!claim) continue;
    std::string cells;
    for (const char* field : {"claim", "paper", "ours"}) cells += "<td>" + in_html(line.at(field)) + "</td>";
    EXPECT_NE(html.find(cells), std::string::npos) << line.dump();
  }
  for (const char* id : {"id=\"study-1\"", "id=\"study-2\"", "id=\"study-3\"", "id=\"study-4\""})
    EXPECT_NE(html.find(id), std::string::npos) << id;
  EXPECT_NE(html.find("<svg "), std::string::npos);
  EXPECT_EQ(claims.size(), 4U);
  EXPECT_GE(claims["drumwright-2015"], 20);
  EXPECT_GE(claims["drumwright-2018"], 15);
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

// Without the corpus this study ends at once, and says what it left out.
ToolRun run_report(const std::string& options) {
  return run_script("TRIBO_DATA=/nonexistent tribo study siconos-corpus --quick " + options);
}

// A page that exists is kept, nothing else than a file is replaced, and a place that cannot be written is told before the run.
TEST(Study, AReportOverwritesNothingByAccident) {
  const std::string precious = write_file("precious_report.html", "keep me");
  const ToolRun refused = run_report("--report " + precious);
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("--force"), std::string::npos) << refused.err;
  EXPECT_EQ(page_text(precious), "keep me");
  const ToolRun forced = run_report("--force --report " + precious);
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_NE(page_text(precious).find("Left out, because it is not here"), std::string::npos);
  for (const std::string& place : {std::string("''"), std::string("/dev/null"), temporary_folder(),
                                   temporary_folder() + "/no/such/folder/report.html"}) {
    const ToolRun run = run_report("--force --report " + place);
    EXPECT_EQ(run.code, 2) << place;
    EXPECT_EQ(run.out, "") << place;
    EXPECT_NE(run.err.find("--report"), std::string::npos) << run.err;
  }
  for (const auto& entry : std::filesystem::directory_iterator(temporary_folder()))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
}

}  // namespace
}  // namespace tribo::testing
