// One cell of the LCP benchmark: one problem, every solver, times and certificates.
#pragma once

#include "tribo/problem/lcp.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tribo {

enum class LcpFamily {
  kSpd,     // symmetric positive definite, q at random
  kPsd,     // a quarter of the rank missing, built backwards from an answer
  kStack,   // normals of a stack of boxes under load, five contacts per face where three would do
  kBodies,  // normals of random bodies, more than half of the contacts redundant, few of them loaded
};
std::string to_string(LcpFamily family);

// The same problem for the same arguments.
Lcp make_bench_lcp(LcpFamily family, Index n, std::uint64_t seed);

struct LcpRow {
  std::string solver;
  std::string status;
  bool solved = false;
  int pivots = 0, sweeps = 0;
  double seconds = 0.0;  // least of the repeats
  double natural = 0.0;  // relative natural residual of the certificate
  double worst = 0.0;    // Certificate::worst
  bool warmed = false;   // started again at its own answer:
  double warm_seconds = 0.0;
  int warm_pivots = 0, warm_sweeps = 0;
};

struct LcpCell {
  LcpFamily family = LcpFamily::kSpd;
  Index n = 0;
  Index active = 0;            // variables with z > 0 in the answer the bound is taken from
  double bound_seconds = 0.0;  // one Cholesky factor of their block and one pass over M
  std::vector<LcpRow> rows;    // ours, then Siconos'

  const LcpRow* find(const std::string& solver) const;
};

// `budget`: seconds per solver.
LcpCell measure_cell(LcpFamily family, Index n, const Lcp& lcp, double budget);

}  // namespace tribo
