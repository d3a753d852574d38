// The few numbers that tables are made of.
#pragma once

#include "tribo/core/clock.hpp"

#include <algorithm>
#include <vector>

namespace tribo {

struct Spread {
  double mean = 0.0;
  double sd = 0.0;  // of the sample: divided by one less than its size
  double median = 0.0;
};
Spread calc_spread(const std::vector<double>& values);

// The slope of log y over log x by least squares: y ≈ c x^slope. Needs two different x > 0, and y > 0.
double fit_exponent(const std::vector<double>& x, const std::vector<double>& y);

// The least time of one call, over calls that fill `budget` seconds; at least two of them, the first warms the
// workspace.
template <typename Work>
double least_time(Work&& work, double budget) {
  const Stopwatch total;
  work();
  double least = 1e300;
  do {
    const Stopwatch watch;
    work();
    least = std::min(least, watch.seconds());
  } while (total.seconds() < budget);
  return least;
}

}  // namespace tribo
