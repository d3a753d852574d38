// The problems of `bench robustness`. Each is made from (seed, index) alone, so that a failure printed by the benchmark
// can be made again without the problems before it.
#pragma once

#include "tribo/problem/generate.hpp"
#include "tribo/problem/lcp.hpp"

#include <cstdint>
#include <string>

namespace tribo {

template <typename Problem>
struct Trial {
  Problem problem;
  std::string group;        // matrix class, or what the rows come from
  std::string kind;         // "random", "solvable", "random, badly scaled", …
  bool symmetric = true;    // symmetric positive semidefinite by construction
  bool solvable = false;    // an answer exists by construction or by theory
  bool copositive = false;  // Lemke's method may end in a ray even so (spec C.1)
};

// Sizes 1 … 40, mostly small.
Trial<Lcp> make_lcp_trial(std::uint64_t seed, std::uint64_t index);
Trial<BoxLcp> make_box_trial(std::uint64_t seed, std::uint64_t index);
Trial<MixedLcp> make_mixed_trial(std::uint64_t seed, std::uint64_t index);
// Rows at random, with many repeated, and contacts without friction and without slip.
Trial<FactoredLcp> make_factored_trial(std::uint64_t seed, std::uint64_t index);

}  // namespace tribo
