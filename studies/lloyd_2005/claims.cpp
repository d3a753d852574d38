// Verdicts that several parts share, and the claims about all tests together.
#include <algorithm>
#include <array>
#include <cmath>

#include "parts.hpp"
#include <fmt/format.h>

namespace tribo {

void claim_ratio(StudyOutput& output, const std::string& claim, const std::string& paper, double figure, double ours,
                 const std::string& reason) {
  const std::string verdict = ours > 2.0 * figure ? differs_if(true, reason) : reproduced_if(ours >= figure);
  output.claim(claim, paper, fmt::format("{:.1f}", ours), verdict);
}

void claim_exponent(StudyOutput& output, const Fit& fit, const std::string& paper, double figure,
                    const std::string& reason) {
  output.object("exponent", {{"series", fit.series},
                             {"method", to_string(fit.method)},
                             {"first", fit.first},
                             {"last", fit.last},
                             {"exponent", fit.ours}});
  const std::string verdict =
      fit.ours < figure - kFit ? differs_if(true, reason) : reproduced_if(fit.ours <= figure + kFit);
  output.claim(fmt::format("{}, {}: exponent of the time in n, n = {} … {}", fit.series, to_string(fit.method),
                           fit.first, fit.last),
               paper, fmt::format("{:.2f}", fit.ours), verdict);
}

void report_accuracy(StudyOutput& output, const std::vector<Table>& tables) {
  std::array<double, 3> worst{};
  std::array<int, 3> fallbacks{}, solves{};
  double fill = 0.0;  // of the bound
  Measured largest;
  for (const Table& table : tables) {
    for (const Measured& row : table) {
      const auto k = static_cast<std::size_t>(row.method);
      worst[k] = std::max(worst[k], row.worst);
      fallbacks[k] += row.fallbacks;
      solves[k] += row.solves;
      if (row.core_max > largest.core_max) largest = row;
      fill = std::max(fill, static_cast<double>(row.core_max) / static_cast<double>(row.dof));
    }
  }
  output.heading("All tests");
  output.claim("the system (21) has at most 6 m equations", "r ≤ 6 m",
               fmt::format("at the answers up to {} for m = {}; {:.2f} of the bound at most", largest.core_max,
                           largest.bodies, fill),
               reproduced_if(fill <= 1.0));
  output.claim("the structure improves numerical robustness", "smaller systems, no numbers given",
               fmt::format("worst certificate {:.1e} standard, {:.1e} structural, {:.1e} reduced; second paths {} of "
                           "{}, {} of {}, {} of {}",
                           worst[0], worst[1], worst[2], fallbacks[0], solves[0], fallbacks[1], solves[1], fallbacks[2],
                           solves[2]),
               worst[0] > 10.0 * std::max(worst[1], worst[2]) || fallbacks[0] > fallbacks[1] + fallbacks[2]
                   ? reproduced_if(true)
                   : differs_if(true, "on these problems all three answer to rounding, the standard method too"));
}

}  // namespace tribo
