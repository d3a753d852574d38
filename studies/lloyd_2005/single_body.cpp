// Figures 6 and 7: ten situations of one body, n = 1 … 16.
#include <algorithm>

#include "parts.hpp"
#include <fmt/format.h>

namespace tribo {

Table report_situations(StudyOutput& output, const Cases& cases) {
  using enum LemkeMethod;
  const Table table = measure_all(output, cases.situations, {kStandard, kStructural, kReduced});
  output.heading("Figures 6 and 7: ten situations of one body");
  print_table(output, "situation", table);

  double least = 1e300;
  std::string where;
  for (const Case& one : cases.situations) {
    const auto seconds = [&](LemkeMethod method) {
      return std::find_if(table.begin(), table.end(),
                          [&](const Measured& row) { return row.name == one.name && row.method == method; })
          ->seconds;
    };
    const double ratio = std::min(seconds(kStandard), seconds(kStructural)) / seconds(kReduced);
    if (ratio < least) {
      least = ratio;
      where = one.name;
    }
  }
  output.claim("reduced is the fastest in every situation", "in all ten",
               fmt::format("the faster of the others over reduced at least {:.1f} ({})", least, where),
               reproduced_if(least >= 1.0));
  claim_ratio(output, "situation of 16 contacts: time of standard over reduced", "38 (50.9 ms / 1.34 ms)", 38.0,
              time_ratio(table, kStandard, kReduced, 16),
              "more is gained here: pivots of our reduced method do not grow with the contacts");
  const auto exponent = [&](LemkeMethod method, const std::string& paper, double figure, const std::string& why) {
    claim_exponent(output, {"situations", method, 8, 16, time_exponent(table, method, 8, 16)}, paper, figure, why);
  };
  exponent(kStandard, "3.3 (5.2 to 50.9 ms)", 3.3,
           "our standard method inverts only the core of its basis: a pivot costs the rows times the core, not their "
           "square");
  exponent(kStructural, "2.6 (2.1 to 12.5 ms)", 2.6,
           "the shapes are ours, and a few different shapes tell an exponent poorly");
  std::string pivots;
  for (const Measured& row : table) {
    if (row.method != kReduced || row.contacts < 8) continue;
    pivots += fmt::format("{}{:.0f} at {}", pivots.empty() ? "" : ", ", row.pivots_mean, row.contacts);
  }
  exponent(kReduced, "1.2 (0.57 to 1.34 ms)", 1.2,
           fmt::format("the time follows the pivots, and these the shape and not n: {}", pivots));
  promise_certified(output, "situations: every solve of every method", table);
  return table;
}

}  // namespace tribo
