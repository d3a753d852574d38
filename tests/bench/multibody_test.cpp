// One quick run of `bench multibody`, read as a program reads it. Times are not judged here.
#include <map>
#include <string>

#include "quick_bench.hpp"
#include <gtest/gtest.h>

namespace tribo {
namespace {

// Numbers that disagree with MuJoCo are wrong on every machine; all five robots and three chains are there.
TEST(MultibodyBench, QuickRunKeepsItsPromises) {
  const QuickBench bench(run_multibody_bench);
  bench.expect_promises("multibody");
  std::map<std::string, int> kinds;
  for (const Json& line : bench.lines) ++kinds[line.at("kind")];
  EXPECT_GE(kinds["robot"], 5);
  EXPECT_EQ(kinds["chain"], 3);
  EXPECT_EQ(kinds["growth"], 4);
}

}  // namespace
}  // namespace tribo
