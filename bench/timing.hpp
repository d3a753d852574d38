// The shortest time of one call: what the method costs when nothing else disturbs it.
#pragma once

#include "tribo/core/clock.hpp"

#include <algorithm>
#include <cstdint>

namespace tribo {

// Calls `work` once to warm caches and workspaces, then again and again until `budget` seconds are spent, and returns the
// least seconds per call. Short calls are timed in batches, so that the clock does not count. A first call that alone
// exceeds the budget is the answer.
template <typename Work>
double least_seconds(Work&& work, double budget) {
  constexpr double kBatch = 20e-6;  // s; a hundred times the cost of asking the clock twice
  const Stopwatch total;
  const Stopwatch first;
  work();
  double least = first.seconds();
  if (least > budget) return least;
  const int batch = static_cast<int>(std::clamp(kBatch / std::max(least, 1e-9), 1.0, 1000.0));
  do {
    const Stopwatch watch;
    for (int i = 0; i < batch; ++i) work();
    least = std::min(least, watch.seconds() / batch);
  } while (total.seconds() < budget);
  return least;
}

// A seed of its own for every problem, so that one problem can be made again without those before it.
inline std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  std::uint64_t x = seed;
  for (const std::uint64_t part : {stream, index}) {
    x = (x ^ part) + 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    x ^= x >> 31;
  }
  return x;
}

}  // namespace tribo
