#include "profile.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {

double calc_share(const std::vector<ProfileRow>& rows, std::size_t solver, double tau) {
  const std::size_t problems = rows[solver].seconds.size();
  if (problems == 0) return 0.0;
  int within = 0;
  for (std::size_t p = 0; p < problems; ++p) {
    double best = std::numeric_limits<double>::infinity();
    for (const ProfileRow& row : rows) best = std::min(best, row.seconds[p]);
    if (std::isfinite(best) && rows[solver].seconds[p] <= tau * best) ++within;
  }
  return static_cast<double>(within) / static_cast<double>(problems);
}

int count_solved(const ProfileRow& row) {
  return static_cast<int>(
      std::count_if(row.seconds.begin(), row.seconds.end(), [](double seconds) { return std::isfinite(seconds); }));
}

}  // namespace tribo
