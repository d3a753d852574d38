#include "bench_command.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "exit_code.hpp"
#include "option_value.hpp"
#include "suggest.hpp"
#include "terminal.hpp"
#include <fmt/format.h>
#ifdef TRIBO_HAS_BENCH
#include "bench/bench.hpp"
#endif

namespace tribo {
namespace {

#ifdef TRIBO_HAS_BENCH
// The worst of the benchmarks' own codes; anything that is not one of ours counts as not certified.
int run_named(const std::vector<std::string>& names, const BenchOptions& options) {
  int code = kCertified;
  for (const BenchInfo& bench : benches()) {
    if (std::find(names.begin(), names.end(), bench.name) == names.end()) continue;
    int one = kNotCertified;
    try {
      one = bench.run(options);
    } catch (const std::exception& exception) {
      write_error(fmt::format("bench {}: {}", bench.name, exception.what()));
      one = kBadInput;
    }
    if (one != kCertified && one != kBadInput) one = kNotCertified;
    code = std::max(code, one);
    if (!write_output("")) return kBadInput;
  }
  return code;
}
#endif

}  // namespace

std::vector<NameAndSummary> bench_names() {
  std::vector<NameAndSummary> names;
#ifdef TRIBO_HAS_BENCH
  for (const BenchInfo& bench : benches()) names.emplace_back(bench.name, bench.summary);
#endif
  return names;
}

std::string data_folder() {
  const char* folder = std::getenv("TRIBO_DATA");
  return folder != nullptr && *folder != '\0' ? folder : "../shared/data";
}

int run_bench(const BenchArguments& arguments) {
  const auto seed = parse_seed(arguments.seed);
  if (!seed) {
    write_error(seed.error().text());
    return kBadInput;
  }
  std::vector<std::string> known;
  for (const auto& [name, summary] : bench_names()) known.push_back(name);
  if (known.empty()) {
    write_error("bench: this build has no benchmarks; configure with the folder bench/ and build again");
    return kBadInput;
  }
  for (const std::string& name : arguments.names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    write_error(fmt::format("bench: there is no benchmark \"{}\"; {}", name, suggest(name, known)));
    return kBadInput;
  }
#ifdef TRIBO_HAS_BENCH
  BenchOptions options{};
  options.json = arguments.json;
  options.quick = arguments.quick;
  options.seed = *seed;
  options.data_dir = data_folder();
  options.out = &std::cout;
  options.progress = stderr_is_terminal();
  return run_named(arguments.names.empty() ? known : arguments.names, options);
#else
  return kBadInput;
#endif
}

}  // namespace tribo
