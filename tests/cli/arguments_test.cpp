// Command lines that cannot be right: always exit 2, nothing on stdout, a message that says what to do.
#include <algorithm>

#include "tool.hpp"
#include <gtest/gtest.h>

namespace tribo::testing {
namespace {

const std::string kGood = "data/reference/fr05_wedge.json";

struct Case {
  std::vector<std::string> arguments;
  std::string message;  // a part of it
};

class BadArguments : public ::testing::TestWithParam<Case> {};

// A script must be able to tell a mistyped command from an unsolvable problem.
TEST_P(BadArguments, ExitWithTwoAndSayWhy) {
  const ToolRun run = run_tool(GetParam().arguments);
  EXPECT_EQ(run.code, 2) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_TRUE(run.err.starts_with("tribo: ")) << run.err;
  EXPECT_NE(run.err.find(GetParam().message), std::string::npos) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadArguments,
    ::testing::Values(
        Case{{}, "solve, list, study, bench"}, Case{{"slove", kGood}, "did you mean \"solve\"?"},
        Case{{"bnech"}, "did you mean \"bench\"?"}, Case{{"plan", "house.json"}, "plan is not in this version"},
        Case{{"xyzzy"}, "give one of solve, list, study, bench"}, Case{{""}, "there is no command \"\""},
        Case{{"--verbose"}, "no option \"--verbose\""}, Case{{"solve"}, "FILE is required"},
        Case{{"solve", "--frobnicate", kGood}, "--frobnicate"}, Case{{"solve", kGood, "--model"}, "--model"},
        Case{{"solve", kGood, "--json=perhaps"}, "perhaps"},
        Case{{"solve", kGood, "--model", "no-slp"}, "did you mean \"no-slip\"?"},
        Case{{"solve", kGood, "--model", "baraff"}, "baraff is not in this version"},
        Case{{"solve", kGood, "--model", "compliant/qp"}, "needs rows with stiffness and damping"},
        Case{{"solve", kGood, "--model", "compliant/coulom"}, "did you mean \"compliant/coulomb\"?"},
        Case{{"solve", kGood, "--model", ""}, "no contact model"},
        Case{{"solve", kGood, "--model", "coulomb-pyramid:5"}, "odd"},
        Case{{"solve", kGood, "--model", "coulomb-pyramid:2"}, "at least 4"},
        Case{{"solve", kGood, "--model", "coulomb-pyramid:1e9"}, "whole number"},
        Case{{"solve", kGood, "--solver", "lemk"}, "did you mean \"lemke/standard\"?"},
        Case{{"solve", kGood, "--solver", ""}, "no solver"}, Case{{"solve", kGood, "--tol", "0"}, "--tol"},
        Case{{"solve", kGood, "--tol", "-1e-8"}, "--tol"}, Case{{"solve", kGood, "--tol", "nan"}, "--tol"},
        Case{{"solve", kGood, "--tol", "inf"}, "--tol"}, Case{{"solve", kGood, "--tol", "1"}, "--tol"},
        Case{{"solve", kGood, "--tol", "small"}, "--tol"}, Case{{"solve", kGood, "--tol", "1e-8x"}, "--tol"},
        Case{{"solve", kGood, "--tol", ""}, "--tol"}, Case{{"solve", kGood, "--repeat", "0"}, "--repeat"},
        Case{{"solve", kGood, "--repeat", "-3"}, "--repeat"}, Case{{"solve", kGood, "--repeat", "2.5"}, "--repeat"},
        Case{{"solve", kGood, "--repeat", "99999999999999"}, "--repeat"},
        Case{{"solve", kGood, "--kind", "lpc"}, "did you mean \"lcp\"?"},
        Case{{"solve", kGood, "--kind", ""}, "--kind"},
        Case{{"solve", kGood, "--tol", "1e-8", "--tol", "1e-9"}, "--tol"}, Case{{"list"}, "WHAT is required"},
        Case{{"list", "solver"}, "did you mean \"solvers\"?"}, Case{{"list", "models", "solvers"}, "solvers"},
        Case{{"list", "models", "--markdown"}, "--markdown"}, Case{{"bench", "--seed", "many"}, "--seed"},
        Case{{"bench", "--seed", "-1"}, "--seed"}, Case{{"bench", "no-such-bench"}, "bench: "}));

// Help and version are answers, not mistakes; help shows how to begin.
TEST(Help, IsGivenOnStdoutWithExamples) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--help"}, {"-h"}, {"solve", "--help"}, {"list", "-h"}, {"bench", "-h"}}) {
    const ToolRun run = run_tool(arguments);
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_NE(run.out.find("tribo solve data/reference/"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("0 certified, 1 not certified, 2 bad input"), std::string::npos) << run.out;
  }
}

// The version is the project's.
TEST(Version, IsPrinted) {
  const ToolRun run = run_tool({"--version"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, "tribo " TRIBO_VERSION "\n");
}

}  // namespace
}  // namespace tribo::testing
