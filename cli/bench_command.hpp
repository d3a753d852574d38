// tribo bench [NAME…]: runs the benchmarks of bench/. A build without them has none.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tribo {

struct BenchArguments {
  std::vector<std::string> names;  // empty: all
  bool json = false;
  bool quick = false;
  std::string seed = "1";
};

using NameAndSummary = std::pair<std::string, std::string>;

std::vector<NameAndSummary> bench_names();
int run_bench(const BenchArguments& arguments);

// Data made by others: $TRIBO_DATA, else ../shared/data. It may not exist.
std::string data_folder();

}  // namespace tribo
