// Files that are wrong in every way: exit 2, a message that names the file, and never a crash.
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "support/paths.hpp"
#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

using nlohmann::json;

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const std::string& block() {
  static const std::string text = read_text(source_dir() + "/data/reference/st404_block_slide.json");
  return text;
}

std::string changed(const std::function<void(json&)>& change) {
  json file = json::parse(block());
  change(file);
  return file.dump();
}

// A number that JSON cannot write, put in after the fact.
std::string with_raw(const std::string& key, const std::string& raw) {
  json file = json::parse(block());
  file[key] = "@";
  std::string text = file.dump();
  return text.replace(text.find("\"@\""), 3, raw);
}

void expect_refused(const std::string& path, const std::string& part = "") {
  for (const bool as_json : {false, true}) {
    std::vector<std::string> words = {"solve", path};
    if (as_json) words.emplace_back("--json");
    const ToolRun run = run_tool(words);
    EXPECT_EQ(run.signal, 0) << path;
    EXPECT_EQ(run.code, 2) << path << run.out;
    EXPECT_TRUE(run.err.starts_with("tribo: " + path)) << run.err;
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(';'), std::string::npos) << "no remedy: " << run.err;
    if (!as_json) {
      EXPECT_EQ(run.out, "");
      continue;
    }
    const auto lines = run.json_lines();
    ASSERT_EQ(lines.size(), 1u) << path;
    EXPECT_EQ(lines[0]["file"], path);
    EXPECT_EQ("tribo: " + lines[0]["error"].get<std::string>() + "\n", run.err);
  }
}

// Paths that lead to no file.
TEST(Hostile, PathsThatAreNoFiles) {
  expect_refused(temporary_folder(), "folder");
  expect_refused(temporary_folder() + "/missing.json", "no such file");
  expect_refused("/dev/zero", "not a regular file");
  expect_refused(write_file("empty.json", ""), "empty");
}

// Bytes that are no problem.
TEST(Hostile, BytesThatAreNoProblem) {
  std::string junk(4096, '\0');
  for (std::size_t i = 0; i < junk.size(); ++i) junk[i] = static_cast<char>((i * 2654435761u) >> 7);
  expect_refused(write_file("junk.bin", junk));
  expect_refused(write_file("junk_after_hdf5.hdf5", "\x89HDF\r\n\x1a\n" + junk));
  expect_refused(write_file("text.dat", "this is not a problem\n"));
  expect_refused(write_file("spaces.dat", "   \n\n  "));
  expect_refused(write_file("array.json", "[1, 2, 3]"));
  expect_refused(write_file("no_schema.json", "{}"));
  expect_refused(write_file("deep.json", std::string(100000, '[')));
}

// A file that was cut at any place is not a smaller problem.
TEST(Hostile, TruncatedFiles) {
  for (const double share : {0.1, 0.5, 0.9, 0.999}) {
    const auto length = static_cast<std::size_t>(share * static_cast<double>(block().size()));
    expect_refused(write_file("truncated.json", block().substr(0, length)));
  }
  expect_refused(write_file("truncated.dat", "2\n0 2 2\n2 2\n1 3 2\n"));
}

// Sizes are claims; memory is not reserved for them.
TEST(Hostile, HugeSizes) {
  expect_refused(write_file("huge.dat", "2000000000\n0 2000000000 2000000000\n2000000000 2000000000\n1 2 3\n"));
  expect_refused(write_file("overflow.dat", "99999999999999999999999999\n0 1 1\n"));
  expect_refused(write_file("negative.dat", "-3\n0 -3 -3\n"));
  expect_refused(write_file("huge_m.json", changed([](json& file) { file["m"] = 4000000000000000000; })));
  expect_refused(write_file("huge_n.json", changed([](json& file) { file["n"] = -1; })));
}

// Numbers that cannot be: not a number, too large, of the wrong sign.
TEST(Hostile, ImpossibleNumbers) {
  expect_refused(write_file("nan.json", with_raw("h", "NaN")));
  expect_refused(write_file("inf.json", with_raw("h", "1e999")));
  expect_refused(write_file("null.json", with_raw("h", "null")));
  expect_refused(write_file("nan.dat", "1\n0 1 1\n1 1\nnan\n-1\n"));
  expect_refused(write_file("inf.dat", "1\n0 1 1\n1 1\n1\ninf\n"));
  expect_refused(write_file("step.json", changed([](json& file) { file["h"] = -0.01; })), "h");
  expect_refused(write_file("mu.json", changed([](json& file) { file["mu"][1] = -0.3; })), "mu");
  expect_refused(write_file("mass.json", changed([](json& file) { file["M"][0][0] = -2.0; })));
  expect_refused(write_file("massless.json", changed([](json& file) { file["M"][0][0] = 0.0; })));
  expect_refused(write_file("not_spd.json", changed([](json& file) { file["M"][0][1] = file["M"][1][0] = 1e3; })));
  expect_refused(write_file("not_symmetric.json", changed([](json& file) { file["M"][0][1] = 0.5; })));
  expect_refused(write_file("short_row.json", changed([](json& file) { file["N"][0].erase(0); })));
  expect_refused(write_file("word.json", changed([](json& file) { file["v"][0] = "fast"; })));
  expect_refused(write_file("qp.json", R"({"schema": "tribo-problem/1", "kind": "qp", "H": [[-1]], "g": [0]})"));
}

// Problems that are well written and a model that they do not fit, and models that do not exist, are named as such.
TEST(Hostile, WhatDoesNotFit) {
  const std::string path = write_file("friction.json", R"({"schema": "tribo-problem/1", "kind": "fc", "dimension": 2,
      "mu": [0.5], "q": [-1, 0.3], "W": {"size": [2, 2], "triplets": [[0, 0, 2], [1, 1, 3]]}})");
  expect_refused(write_file("model.json", changed([](json& file) { file["model"] = "coulomb_cone"; })));
  for (const std::vector<std::string>& option : {std::vector<std::string>{"--model", "coulomb-pyramid"},
                                                 {"--solver", "dantzig"},
                                                 {"--solver", "lemke/standard"}}) {
    std::vector<std::string> words = {"solve", path};
    words.insert(words.end(), option.begin(), option.end());
    const ToolRun run = run_tool(words);
    EXPECT_EQ(run.code, 2) << option.back();
    EXPECT_NE(run.err.find("cone"), std::string::npos) << run.err;
  }
}

// One bad file among others does not take them down; the exit status remembers it, also past an unsolvable one.
TEST(Hostile, ABadFileAmongGoodOnesIsReportedAndPassed) {
  const std::string good = "data/reference/fr05_wedge.json", unsolvable = "data/reference/fr06_jam_infeasible.json";
  const ToolRun run = run_tool({"solve", good, "missing.json", unsolvable, good, "--json"});
  EXPECT_EQ(run.code, 2);
  const auto lines = run.json_lines();
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0]["status"], "solved");
  EXPECT_EQ(lines[1], json({{"file", "missing.json"}, {"error", "missing.json: no such file; check the path"}}));
  EXPECT_EQ(lines[2]["status"], "infeasible");
  EXPECT_EQ(lines[3]["status"], "solved");
  EXPECT_EQ(run.err, "tribo: missing.json: no such file; check the path\n");
}

// What a file holds and the reader does not know is said, and does not stop the solve.
TEST(Hostile, UnknownKeysAreWarnedAbout) {
  const std::string path = write_file("extra.json", changed([](json& file) { file["colour"] = "red"; }));
  const ToolRun run = run_tool({"solve", path, "--json"});
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.err.find("warning: key 'colour'"), std::string::npos) << run.err;
  EXPECT_EQ(run.json_lines().at(0)["warnings"].size(), 1u);
}

// A name need not be UTF-8, and JSON must be.
TEST(Hostile, FileNamesOfAnyBytes) {
  const std::string path = write_file("\xff\xfe \"odd\"\\.json", block());
  const ToolRun run = run_tool({"solve", path, "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json_lines().size(), 1u);
}

}  // namespace
}  // namespace tribo::testing
