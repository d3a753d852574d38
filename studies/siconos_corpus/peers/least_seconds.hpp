// The least time of one call, also of calls that take less than a microsecond.
#pragma once

#include <algorithm>

#include "studies/statistics.hpp"

namespace tribo {

// Over calls that fill `budget` seconds, in batches, so that the clock does not count.
template <typename Work>
double least_seconds_of(Work&& work, double budget) {
  constexpr double kBatch = 20e-6;  // s; a hundred times the cost of asking the clock twice
  const double once = least_time(work, 0.0);
  const int batch = static_cast<int>(std::clamp(kBatch / std::max(once, 1e-9), 1.0, 1000.0));
  const auto many = [&] {
    for (int i = 0; i < batch; ++i) work();
  };
  return std::min(once, least_time(many, budget) / batch);
}

}  // namespace tribo
