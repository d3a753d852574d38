// The benchmarks behind `tribo bench`. Each one prints a table (or one JSON object per line), says PASS or FAIL for every
// promise it checks, and returns 0 when all of them held, 1 otherwise. docs/benchmarks.md says how to read them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>

namespace tribo {

struct BenchOptions {
  bool json = false;            // one JSON object per line instead of tables
  bool quick = false;           // smaller sizes and counts: seconds, not minutes
  std::uint64_t seed = 1;       // of every random problem
  std::string data_dir = "";    // where the corpora of others lie; empty: there are none
  std::ostream* out = nullptr;  // null: standard output
  bool progress = false;        // on standard error
};

struct BenchInfo {
  std::string name;
  std::string summary;
  int (*run)(const BenchOptions&);
};

std::span<const BenchInfo> benches();

int run_lcp_bench(const BenchOptions& options);
int run_robustness_bench(const BenchOptions& options);
int run_corpus_bench(const BenchOptions& options);
int run_no_slip_bench(const BenchOptions& options);
int run_lemke_bench(const BenchOptions& options);
int run_cone_bench(const BenchOptions& options);
int run_multibody_bench(const BenchOptions& options);
int run_peers_bench(const BenchOptions& options);
int run_sim_bench(const BenchOptions& options);
int run_robots_bench(const BenchOptions& options);

}  // namespace tribo
