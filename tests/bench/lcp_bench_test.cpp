#include "tribo/certify/certify.hpp"
#include "tribo/problem/generate.hpp"

#include <sstream>

#include "bench.hpp"
#include "lcp_cell.hpp"
#include "siconos.hpp"
#include "timing.hpp"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tribo {
namespace {

// The command line prints and runs this table: a bench without a name or a function would be unreachable.
TEST(Benches, HaveDifferentNamesAndFunctions) {
  std::vector<std::string> names;
  for (const BenchInfo& bench : benches()) {
    EXPECT_NE(bench.run, nullptr);
    EXPECT_FALSE(bench.summary.empty());
    names.push_back(bench.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"lcp", "robustness", "corpus", "no-slip", "lemke", "cone", "multibody",
                                             "peers", "sim", "robots"}));
}

// Solvers are compared on the same data, and a run can be repeated only if the data depends on the seed alone.
TEST(LcpBench, ProblemsDependOnTheSeedAlone) {
  for (const LcpFamily family : {LcpFamily::kSpd, LcpFamily::kPsd, LcpFamily::kStack, LcpFamily::kBodies}) {
    const Lcp lcp = make_bench_lcp(family, 10, 1);
    EXPECT_EQ(lcp.size(), 10);
    EXPECT_TRUE(lcp == make_bench_lcp(family, 10, 1)) << to_string(family);
    EXPECT_FALSE(lcp == make_bench_lcp(family, 10, 2)) << to_string(family);
  }
}

// A time without a residual beside it means nothing; every row of a cell must have both.
TEST(LcpBench, EveryRowHasATimeAndACertifiedAnswer) {
  const LcpCell cell = measure_cell(LcpFamily::kSpd, 10, make_bench_lcp(LcpFamily::kSpd, 10, 1), 1e-3);
  EXPECT_EQ(cell.rows.size(), has_siconos() ? 10U : 6U);
  EXPECT_GT(cell.bound_seconds, 0.0);
  EXPECT_GT(cell.active, 0);
  for (const LcpRow& row : cell.rows) {
    EXPECT_GT(row.seconds, 0.0) << row.solver;
    EXPECT_EQ(row.status, "solved") << row.solver;
    EXPECT_LE(row.natural, row.worst) << row.solver;
    EXPECT_LE(row.worst, 1e-8) << row.solver;
  }
}

// The minimum is what is promised: one slow call among fast ones must not show.
TEST(LcpBench, TheLeastTimeIgnoresASlowFirstCall) {
  int calls = 0;
  const double seconds = least_seconds(
      [&] {
        const Stopwatch watch;
        while (watch.seconds() < (calls == 0 ? 5e-3 : 1e-5)) {
        }
        ++calls;
      },
      0.02);
  EXPECT_GT(calls, 1);
  EXPECT_GE(seconds, 1e-5);
  EXPECT_LT(seconds, 5e-3);
}

// Siconos ends the process, or jumps out of the call, when a factorization fails; the benchmark must survive that.
TEST(Siconos, SurvivesASingularMatrix) {
  if (!has_siconos()) GTEST_SKIP() << "built without Siconos";
  const Lcp lcp{MatrixXd::Zero(3, 3), VectorXd::Constant(3, -1.0)};
  for (const SiconosMethod method :
       {SiconosMethod::kLemke, SiconosMethod::kPgs, SiconosMethod::kNewtonMin, SiconosMethod::kNewtonFb}) {
    const Silence silence;
    SiconosLcp solver(lcp, method);
    solver.solve();
    solver.solve();
    EXPECT_FALSE(certify(lcp, solver.solution()).passes(1e-8));
  }
}

// Programs read the output line by line: each line must be an object of its own that names its bench.
TEST(LcpBench, PrintsOneJsonObjectPerLine) {
  std::ostringstream out;
  run_lcp_bench({.json = true, .quick = true, .out = &out});
  std::istringstream lines(out.str());
  int cells = 0, promises = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto object = nlohmann::json::parse(line);
    EXPECT_EQ(object.at("bench"), "lcp");
    cells += object.at("kind") == "cell" ? 1 : 0;
    promises += object.at("kind") == "promise" ? 1 : 0;
  }
  EXPECT_EQ(cells, 4 * 2 * (has_siconos() ? 10 : 6));
  EXPECT_EQ(promises, 7 + (has_siconos() ? 4 : 0));
}

}  // namespace
}  // namespace tribo
