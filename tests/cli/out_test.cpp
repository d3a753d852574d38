// tribo run --out: one page with the recording in it.
#include "tribo/io/recording.hpp"
#include "tribo/io/replay_page.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

namespace fs = std::filesystem;

// A page that is not the real one: the tool must not care.
std::string stand_in() {
  return write_file("stand_in.html", "<html><script id=\"recording\">@TRIBO_RECORDING@</script></html>");
}

std::string whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string new_page(const std::string& name) {
  fs::remove(temporary_folder() + "/" + name);
  return temporary_folder() + "/" + name;
}

ToolRun run_out(const std::string& options) {
  return run_script("TRIBO_VIEWER=" + stand_in() + " tribo run incline --duration 0.02 --json " + options);
}

// The page holds what a recording of the same run holds, and the recording that it was made from does not stay behind.
TEST(Out, ThePageHoldsTheRecording) {
  const std::string page = new_page("a.html"), recording = new_page("a.tribo"), other = new_page("b.html");
  const ToolRun run = run_out("--out " + page);
  ASSERT_EQ(run.code, 0) << run.err;
  const auto object = run.json_lines().at(0);
  EXPECT_EQ(object["replay"], page);
  EXPECT_EQ(object["replay_bytes"], fs::file_size(page));
  EXPECT_GT(object["frames"], 1);
  EXPECT_FALSE(object.contains("recording"));
  for (const auto& entry : fs::directory_iterator(temporary_folder()))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();

  ASSERT_EQ(run_out("--out " + other + " --record " + recording).code, 0);
  EXPECT_EQ(make_replay_page(whole_file(stand_in()), whole_file(recording)).value(), whole_file(other));
  EXPECT_TRUE(Recording::open(recording).value().complete());
}

// The header says how many steps lie between two frames.
TEST(Out, TheRecordingKnowsItsPace) {
  const std::string recording = new_page("pace.tribo");
  ASSERT_EQ(run_out("--every 5 --record " + recording).code, 0);
  EXPECT_EQ(Recording::open(recording).value().header().every, 5);
}

// A page that exists is kept, nothing else than a file is replaced, and no output may be another one.
TEST(Out, NothingIsOverwrittenByAccident) {
  const std::string precious = write_file("precious.html", "keep me");
  EXPECT_EQ(run_out("--out " + precious).code, 2);
  EXPECT_EQ(whole_file(precious), "keep me");
  EXPECT_EQ(run_out("--out " + precious + " --force").code, 0);
  EXPECT_NE(whole_file(precious), "keep me");
  EXPECT_EQ(run_out("--force --out /dev/null").code, 2);
  EXPECT_EQ(run_out("--force --out " + temporary_folder()).code, 2);
  const ToolRun same = run_out("--out " + precious + " --force --record " + precious);
  EXPECT_EQ(same.code, 2);
  EXPECT_NE(same.err.find("--record, --out"), std::string::npos) << same.err;
}

// A page that cannot be made is told before the simulation, in one line with what to do.
TEST(Out, ABadTemplateIsRefused) {
  const std::string page = new_page("c.html");
  for (const std::string& viewer : {temporary_folder() + "/missing.html", write_file("bare.html", "<html></html>")}) {
    const ToolRun run = run_script("TRIBO_VIEWER=" + viewer + " tribo run incline --duration 0.02 --out " + page);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_FALSE(fs::exists(page));
  }
}

// A page that cannot be written at the end: what was computed is kept, and the message says where.
TEST(Out, TheRecordingIsKeptWhereThePageFails) {
  const std::string page = new_page("late.html");
  // The template goes away while the run goes on.
  const std::string viewer = write_file("goes.html", "<html>@TRIBO_RECORDING@</html>");
  const ToolRun run =
      run_script("TRIBO_VIEWER=" + viewer + " tribo run incline --duration 30 --every 100 --out " + page +
                 " & pid=$!; while ! ls " + page + ".*.part >/dev/null 2>&1; do sleep 0.02; done; rm " + viewer +
                 "; kill -TERM $pid; code=0; wait $pid || code=$?; exit $code");
  EXPECT_EQ(run.code, 2) << run.err;
  const std::size_t at = run.err.find("the recording is kept as ");
  ASSERT_NE(at, std::string::npos) << run.err;
  const std::size_t from = at + std::string("the recording is kept as ").size();
  const std::string kept = run.err.substr(from, run.err.find(".part", from) + 5 - from);
  EXPECT_TRUE(Recording::open(kept).value().complete()) << kept;
  EXPECT_FALSE(fs::exists(page));
  fs::remove(kept);
}

// A folder that is not there is told with the name that the user gave.
TEST(Out, ErrorsNameThePage) {
  const ToolRun run = run_out("--out no/such/folder/x.html");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("no/such/folder/x.html: cannot be written"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find(".part"), std::string::npos) << run.err;
}

// A recording of 1,000 steps of the 105-brick wall with the real page around it is small enough to send by mail.
TEST(Out, TheWallIsBelowThreeMegabytes) {
  if (replay_template().empty()) {
    RecordProperty("left_out", "viewer/ was not built before this test");
    GTEST_SKIP() << "the page is not built: make viewer";
  }
  const std::string page = new_page("wall.html");
  const ToolRun run = run_tool({"run", "brick_wall", "--duration", "2", "--out", page, "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json_lines().at(0)["steps"], 1000);
  EXPECT_LT(fs::file_size(page), 3'000'000u);
}

}  // namespace
}  // namespace tribo::testing
