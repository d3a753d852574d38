#include "studies/statistics.hpp"

#include "tribo/core/assert.hpp"

#include <cmath>

namespace tribo {

Spread calc_spread(const std::vector<double>& values) {
  Spread spread;
  if (values.empty()) return spread;
  const auto count = static_cast<double>(values.size());
  for (const double x : values) spread.mean += x / count;
  double squares = 0.0;
  for (const double x : values) squares += (x - spread.mean) * (x - spread.mean);
  if (values.size() > 1) spread.sd = std::sqrt(squares / (count - 1.0));
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  spread.median = sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
  return spread;
}

double fit_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  TRIBO_REQUIRE(x.size() == y.size() && x.size() >= 2, "a slope needs two points");
  double mean_x = 0.0, mean_y = 0.0;
  const auto count = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += std::log(x[i]) / count;
    mean_y += std::log(y[i]) / count;
  }
  double products = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - mean_x;
    products += dx * (std::log(y[i]) - mean_y);
    squares += dx * dx;
  }
  return products / squares;
}

}  // namespace tribo
