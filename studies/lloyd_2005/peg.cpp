// Figures 4 and 5: a peg in a hole under a random wrench, n = 8 … 32 contacts on two rings; and on to 512.
#include <algorithm>

#include "parts.hpp"
#include "studies/statistics.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr double kLinear = 1.15;  // the exponent that still counts as linear from 32 contacts on

double pivot_exponent(const Table& table, LemkeMethod method) {
  std::vector<double> n, pivots;
  for (const Measured& row : table) {
    if (row.method != method) continue;
    n.push_back(static_cast<double>(row.contacts));
    pivots.push_back(row.pivots_mean);
  }
  return fit_exponent(n, pivots);
}

void report_times(StudyOutput& output, const Table& table) {
  const auto at = [&](LemkeMethod slow, Index n) { return time_ratio(table, slow, LemkeMethod::kReduced, n); };
  const std::string reason = "more is gained here: pivots of our reduced method do not grow with the contacts";
  claim_ratio(output, "peg of 16 contacts: time of standard over reduced", "15 (30 ms / 2 ms)", 15.0,
              at(LemkeMethod::kStandard, 16), reason);
  claim_ratio(output, "peg of 32 contacts: time of standard over reduced", "87 (400.75 ms / 4.58 ms)", 87.0,
              at(LemkeMethod::kStandard, 32), reason);
  claim_ratio(output, "peg of 32 contacts: time of structural over reduced", "5.8 (26.63 ms / 4.58 ms)", 5.8,
              at(LemkeMethod::kStructural, 32), reason);
  const auto exponent = [&](LemkeMethod method, const std::string& paper, double figure, const std::string& why) {
    claim_exponent(output, {"peg", method, 8, 32, time_exponent(table, method, 8, 32)}, paper, figure, why);
  };
  exponent(LemkeMethod::kStandard, "3.0 (6.18 to 400.75 ms)", 3.0,
           "our standard method inverts only the core of its basis: a pivot costs the rows times the core, not their "
           "square");
  exponent(LemkeMethod::kStructural, "1.7 (2.55 to 26.63 ms)", 1.7,
           fmt::format("what is paid once per pivot still counts at these sizes; from n = 8 to 128 it is {:.2f}",
                       time_exponent(table, LemkeMethod::kStructural, 8, 128)));
  exponent(LemkeMethod::kReduced, "1.04 (1.08 to 4.58 ms)", 1.04,
           "the pivots do not grow, and one pass over so few normals costs less than what is paid once per pivot");
}

void report_growth(StudyOutput& output, const Table& table) {
  const double linear = time_exponent(table, LemkeMethod::kReduced, 32, 512);
  output.object("exponent",
                {{"series", "peg"}, {"method", "reduced"}, {"first", 32}, {"last", 512}, {"exponent", linear}});
  output.claim("reduced: the time is close to O(n) for a fixed number of bodies", "O(n), seen up to n = 32",
               fmt::format("exponent {:.2f} from n = 32 to 512", linear), reproduced_if(linear <= kLinear));
  const double quadratic = time_exponent(table, LemkeMethod::kStructural, 8, 128);
  output.claim("structural: the time is O(n²) for a fixed number of bodies", "O(n²)",
               fmt::format("exponent {:.2f} from n = 8 to 128", quadratic), reproduced_if(quadratic <= 2.0 + kFit));
  const double pivots = pivot_exponent(table, LemkeMethod::kStructural);
  output.claim("all blocks from the start: pivots of the order of the rows, n (2 + d)", "O(n)",
               fmt::format("exponent {:.2f}; structural {:.0f} of {} rows at n = 8, {:.0f} of {} at n = 128", pivots,
                           row_of(table, LemkeMethod::kStructural, 8).pivots_mean, 8 * (kSides + 2),
                           row_of(table, LemkeMethod::kStructural, 128).pivots_mean, 128 * (kSides + 2)),
               reproduced_if(pivots <= 1.0 + kFit));
  double fewest = 1e300, most = 0.0;
  int worst = 0;
  for (const Measured& row : table) {
    if (row.method != LemkeMethod::kReduced) continue;
    fewest = std::min(fewest, row.pivots_mean);
    most = std::max(most, row.pivots_mean);
    worst = std::max(worst, row.pivots_max);
  }
  const std::string text = fmt::format("means {:.1f} … {:.1f} from n = 8 to 512, {} at most", fewest, most, worst);
  output.claim("reduced: O(m) pivots, whatever n", "O(m) in the best case", text, reproduced_if(most <= 2.0 * fewest));
  output.promise("pivots of the reduced method stay within a factor 2 from n = 8 to 512", most <= 2.0 * fewest, text);
}

}  // namespace

Table report_pegs(StudyOutput& output, const Cases& cases) {
  using enum LemkeMethod;
  Table table = measure_all(output, cases.pegs, {kStandard, kStructural, kReduced});
  for (const Case& one : cases.large_pegs) {
    const bool structural = one.contacts <= 128;
    const auto rows =
        measure_all(output, {one}, structural ? std::vector{kStructural, kReduced} : std::vector{kReduced});
    table.insert(table.end(), rows.begin(), rows.end());
  }
  output.heading("Figures 4 and 5: peg in hole");
  print_table(output, "peg", table);
  const Index rows = row_of(table, kStandard, 16).rows;
  output.claim("size of the LCP matrix for 16 contacts and 8 directions", "160", std::to_string(rows),
               reproduced_if(rows == 160));
  report_times(output, table);
  report_growth(output, table);
  promise_certified(output, "pegs: every solve of every method", table);
  return table;
}

}  // namespace tribo
