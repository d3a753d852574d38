// --release, --relax and --strict: what they change, what they print, and what they refuse.
#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;

const std::string kJam = "data/reference/fr06_jam_infeasible.json";

// A planar particle that leaves the floor with (1, 0.5) m/s, no gravity.
std::string leaving(const std::string& model = "no_slip", const std::string& keys = "") {
  return R"({"schema": "contact-lcp-ref/1", "model": ")" + model + R"(", "m": 2, "n": 1, "h": 0.01,
 "M": [[2, 0], [0, 2]], "N": [[0, 1]], "S": [[1, 0]], "T": [], "mu_v": [0], "v": [1, 0.5], "f": [0, 0])" +
         keys + "}";
}

json solve(const std::string& path, const std::vector<std::string>& options, int code = 0) {
  std::vector<std::string> words = {"solve", path, "--json", "--solution"};
  words.insert(words.end(), options.begin(), options.end());
  const ToolRun run = run_tool(words);
  EXPECT_EQ(run.code, code) << run.err;
  const auto lines = run.json_lines();
  return lines.size() == 1 ? lines.front() : json::object();
}

// Held, the particle stops along the floor it leaves; released, it does not. The field is there when it was asked for.
TEST(Release, LetsPartingContactsSlip) {
  const std::string path = write_file("leaving.json", leaving());
  const json held = solve(path, {});
  EXPECT_NEAR(held["v_next"][0].get<double>(), 0.0, 1e-14);
  EXPECT_FALSE(held.contains("released"));
  EXPECT_FALSE(solve(path, {"--release", "never"}).contains("released"));
  for (const std::string how : {"predicted", "solved"}) {
    const json free = solve(path, {"--release", how});
    EXPECT_NEAR(free["v_next"][0].get<double>(), 1.0, 1e-14) << how;
    EXPECT_EQ(free["released"], json::parse("[0]")) << how;
  }
  EXPECT_EQ(solve("data/reference/ns04_grasp_2boxes.json", {"--release", "solved"})["released"], json::array());
  EXPECT_NE(run_tool({"solve", path, "--release", "solved"}).out.find("released: contacts 0\n"), std::string::npos);
}

// A file may mark its contacts itself.
TEST(Release, FilesMayMarkContacts) {
  const json line = solve(write_file("marked.json", leaving("no_slip", R"(, "released": [true])")), {});
  EXPECT_NEAR(line["v_next"][0].get<double>(), 1.0, 1e-14);
  EXPECT_FALSE(line.contains("released"));
}

// Names that do not exist are answered with those that do.
TEST(Release, RefusesOtherWords) {
  for (const std::string word : {"solvd", "", "always"}) {
    const ToolRun run = run_tool({"solve", kJam, "--release", word});
    EXPECT_EQ(run.code, 2) << word;
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("--release"), std::string::npos) << run.err;
  }
  EXPECT_NE(run_tool({"solve", kJam, "--release", "solvd"}).err.find("did you mean \"solved\"?"), std::string::npos);
  EXPECT_EQ(run_tool({"solve", kJam, "--relax=perhaps"}).code, 2);
}

// Where an option has nothing to act on it is ignored, and that is said.
TEST(Release, SaysWhenItIsIgnored) {
  const json box = solve("data/reference/bx01_block.json", {"--release", "solved"});
  ASSERT_EQ(box["warnings"].size(), 1u);
  EXPECT_NE(box["warnings"][0].get<std::string>().find("--release is ignored"), std::string::npos);
  const std::string lcp =
      write_file("lcp.json", R"({"schema": "tribo-problem/1", "kind": "lcp", "M": [[1]], "q": [-1]})");
  EXPECT_EQ(solve(lcp, {"--release", "solved", "--relax", "--strict"})["warnings"].size(), 3u);
}

// Two walls that both push: without the option a proof, with it an answer that says by how much it was eased.
TEST(Relax, EasesAndSaysByHowMuch) {
  EXPECT_EQ(solve(kJam, {}, 1)["status"], "infeasible");
  const json eased = solve(kJam, {"--relax"});
  EXPECT_EQ(eased["status"], "solved_reduced");
  ASSERT_EQ(eased["eased"].size(), eased["f_n"].size());
  EXPECT_GT(eased["eased"][0].get<double>(), 0.0);
  EXPECT_LE(eased["certificate"]["worst"].get<double>(), 1e-8);
  EXPECT_EQ(solve("data/reference/fr05_wedge.json", {"--relax"})["eased"], json::array());
  EXPECT_NE(run_tool({"solve", kJam, "--relax"}).out.find("eased by: "), std::string::npos);
}

// Accelerations cannot stop an impact: asked to be strict, the tool names file, contact and remedy.
TEST(Strict, RefusesContactsThatMoveAtAccelerationLevel) {
  const std::string path = write_file("moving.json", leaving("viscous_acc"));
  solve(path, {});
  const ToolRun run = run_tool({"solve", path, "--strict"});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find(path + ": contact 0: separates at 0.5 m/s; leave it out"), std::string::npos) << run.err;
  solve("data/reference/va01_block_sliding.json", {"--strict"});
}

// The model of impacts takes its coefficient from the file: 2 (v − 1) = −6 v.
TEST(Impact, IsAModelOfFilesAndOfTheCommandLine) {
  const std::string path = write_file("impact.json", leaving("no_slip", R"(, "impact_damping": [6])"));
  for (const std::string name : {"viscous/impact", "viscous_impact"}) {
    const bool option = name == "viscous/impact";
    const json line = option ? solve(path, {"--model", name})
                             : solve(write_file("own.json", leaving(name, R"(, "impact_damping": [6])")), {});
    EXPECT_EQ(line["model"], "viscous/impact");
    EXPECT_NEAR(line["v_next"][0].get<double>(), 0.25, 1e-14);
    EXPECT_FALSE(line.contains("warnings"));
  }
  const json without = solve(write_file("bare.json", leaving()), {"--model", "viscous/impact"});
  EXPECT_NE(without["warnings"][0].get<std::string>().find("every impact_damping"), std::string::npos);
}

}  // namespace
}  // namespace tribo::testing
