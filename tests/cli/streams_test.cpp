// Where the output goes must not matter to the process: no signal ends it, and what is lost is not called a success.
#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

const std::vector<std::string> kSolve = {"solve", "data/reference/fr05_wedge.json",
                                         "data/reference/fr01_block_4_redundant.json", "--json"};

// A reader that leaves (`| head -1`) is no reason to die by a signal or to complain.
TEST(Streams, ABrokenPipeEndsQuietly) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{kSolve, {"list", "solvers"}, {"--help"}}) {
    const ToolRun run = run_tool(words, Stdout::kBrokenPipe);
    EXPECT_EQ(run.signal, 0);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.err, "");
  }
}

// An answer that was not written did not reach anyone: exit 0 would be wrong.
TEST(Streams, AFullDiskAndAClosedStdoutAreReported) {
  for (const Stdout where : {Stdout::kFull, Stdout::kClosed}) {
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{kSolve, {"list", "models"}, {"--version"}}) {
      const ToolRun run = run_tool(words, where);
      EXPECT_EQ(run.signal, 0);
      EXPECT_EQ(run.code, 2);
      EXPECT_TRUE(run.err.starts_with("tribo: standard output: ")) << run.err;
    }
  }
}

// Progress is for people: none in a pipe or a file.
TEST(Streams, NoProgressWhenStderrIsNoTerminal) {
  const ToolRun run = run_tool(kSolve);
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out.find('\r'), std::string::npos);
}

}  // namespace
}  // namespace tribo::testing
