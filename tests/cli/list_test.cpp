// The lists come from the library's tables: what is listed can be used.
#include <algorithm>
#include <map>
#include <sstream>

#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;

// A file with the rows that a compliant model speaks of.
const std::map<std::string, std::string> kCompliantFiles = {
    {"compliant", "f8_3d_full_system"},           {"compliant/none", "b3_pendulum_soft"},
    {"compliant/spring", "b3_pendulum_soft"},     {"compliant/paper", "b3_pendulum_soft"},
    {"compliant/lcp", "u4_tilted_plate"},         {"compliant/qp", "u4_tilted_plate"},
    {"compliant/coulomb", "f8_3d_full_system"},   {"compliant/convex-cone", "f8_3d_full_system"},
    {"compliant/paper-qcqp", "f8_3d_full_system"}};

// Every name of the list is a name of the command line.
TEST(List, ModelsCanBeNamed) {
  const ToolRun run = run_tool({"list", "models", "--json"});
  EXPECT_EQ(run.code, 0);
  const auto lines = run.json_lines();
  EXPECT_EQ(lines.size(), 9u + 9u);
  for (const json& line : lines) {
    const std::string name = line["name"];
    EXPECT_FALSE(line["summary"].get<std::string>().empty()) << name;
    const auto file = kCompliantFiles.find(name);
    const std::string path = file == kCompliantFiles.end() ? "data/reference/bx01_block.json"
                                                           : "data/reference-first-order/" + file->second + ".json";
    const ToolRun solve = run_tool({"solve", path, "--model", name, "--json"});
    EXPECT_EQ(solve.code, 0) << name << solve.err;
    const std::string said = name == "coulomb-pyramid/aligned" ? "coulomb-pyramid:8/aligned" : name;
    EXPECT_TRUE(solve.json_lines().at(0)["model"].get<std::string>().starts_with(said)) << name;
  }
}

// The capabilities of a solver are given in all three forms, for the same solvers in the same order.
TEST(List, SolversComeAsTextJsonAndMarkdown) {
  const auto lines = run_tool({"list", "solvers", "--json"}).json_lines();
  ASSERT_GE(lines.size(), 7u);
  const ToolRun text = run_tool({"list", "solvers"}), markdown = run_tool({"list", "solvers", "--markdown"});
  EXPECT_EQ(text.code, 0);
  EXPECT_EQ(markdown.code, 0);
  std::size_t text_at = 0, markdown_at = 0;
  for (const json& line : lines) {
    const std::string name = line["name"];
    for (const char* field : {"summary", "source", "forms", "matrices", "always_ends", "proves_infeasible",
                              "allocation_free", "warm_start", "size_limit"}) {
      EXPECT_TRUE(line.contains(field)) << name << " " << field;
    }
    text_at = text.out.find(name + " ", text_at);
    markdown_at = markdown.out.find("| `" + name + "` |", markdown_at);
    ASSERT_NE(text_at, std::string::npos) << name;
    ASSERT_NE(markdown_at, std::string::npos) << name;
  }
}

// A table in Markdown has the same number of cells in every row.
TEST(List, TheMarkdownTableIsATable) {
  std::istringstream in(run_tool({"list", "solvers", "--markdown"}).out);
  int rows = 0;
  for (std::string line; std::getline(in, line); ++rows) {
    EXPECT_TRUE(line.starts_with("|") && line.ends_with("|")) << line;
    EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 9) << line;
  }
  EXPECT_GE(rows, 9);
}

// Scenes are the files of a folder, each with the first line of its comment, in both forms.
TEST(List, ScenesAreNamed) {
  const auto lines = run_tool({"list", "scenes", "--json"}).json_lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0]["name"], "arch");
  EXPECT_TRUE(lines[0]["summary"].get<std::string>().starts_with("Arch: ")) << lines[0];
  EXPECT_TRUE(run_tool({"list", "scenes"}).out.starts_with("arch "));
}

// A name is found from any folder: the tool knows the scenes beside it, and says where they are.
TEST(List, ScenesAreFoundFromElsewhere) {
  const ToolRun run = run_script("cd / && tribo list scenes");
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(run.out.starts_with("arch ")) << run.out;
  EXPECT_NE(run.out.find("\nfrom " TRIBO_SOURCE "/scenes\n"), std::string::npos) << run.out;
  EXPECT_EQ(run_script("cd / && tribo run incline --duration 0").code, 0);
}

// Where there is no folder of scenes the list is empty, which is no error: a tool that was carried elsewhere.
TEST(List, ScenesMayBeMissing) {
  const ToolRun run = run_script("cd / && cp " TRIBO_TOOL " " + temporary_folder() + "/carried && " +
                                 temporary_folder() + "/carried list scenes");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("none here")) << run.out;
}

// Studies are listed with what they are about, in both forms.
TEST(List, StudiesAreNamed) {
  const auto lines = run_tool({"list", "studies", "--json"}).json_lines();
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0]["name"], "drumwright-2015");
  EXPECT_EQ(lines[1]["name"], "drumwright-2018");
  EXPECT_EQ(lines[2]["name"], "lloyd-2005");
  EXPECT_EQ(lines[3]["name"], "siconos-corpus");
  for (const json& line : lines) EXPECT_FALSE(line["summary"].get<std::string>().empty());
  EXPECT_TRUE(run_tool({"list", "studies"}).out.starts_with("drumwright-2015 "));
}

#ifdef TRIBO_HAS_BENCH
// Benchmarks are listed with what they measure, and an unknown one is answered with the list.
TEST(List, BenchesAreNamed) {
  const auto lines = run_tool({"list", "benches", "--json"}).json_lines();
  ASSERT_FALSE(lines.empty());
  const std::string name = lines.front()["name"];
  const ToolRun run = run_tool({"bench", name + "x"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("did you mean \"" + name + "\"?"), std::string::npos) << run.err;
}

// A benchmark prints JSON when asked, and a reader that leaves is no error.
TEST(Bench, PrintsJsonAndSurvivesABrokenPipe) {
  const ToolRun run = run_tool({"bench", "corpus", "--quick", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_FALSE(run.json_lines().empty());
  EXPECT_EQ(run.err, "");
  const ToolRun broken = run_tool({"bench", "corpus", "--quick", "--json"}, Stdout::kBrokenPipe);
  EXPECT_EQ(broken.signal, 0);
  EXPECT_EQ(broken.code, 2);
  EXPECT_EQ(broken.err, "");
}
#else
// A build without benchmarks says so.
TEST(List, BenchesAreEmptyWithoutTheFolder) {
  EXPECT_EQ(run_tool({"list", "benches"}).out, "none yet\n");
  EXPECT_EQ(run_tool({"bench"}).code, 2);
}
#endif

}  // namespace
}  // namespace tribo::testing
