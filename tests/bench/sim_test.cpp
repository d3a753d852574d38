// One quick run of `bench sim`, read as a program reads it. Times are not judged here.
#include <map>
#include <string>

#include "quick_bench.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// What creeps, sinks or differs in its bits does so on every machine.
TEST(SimBench, QuickRunKeepsItsPromises) {
  const QuickBench bench(run_sim_bench);
  bench.expect_promises("sim");
  std::map<std::string, int> kinds;
  for (const Json& line : bench.lines) ++kinds[line.at("kind")];
  EXPECT_EQ(kinds["run"], 28);
  EXPECT_EQ(kinds["bits"], 2);
}

}  // namespace
}  // namespace tribo
