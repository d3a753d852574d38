// `bench lemke`, the peg in a hole with d = 8 and random wrenches (Lloyd 2005, Figures 4 and 5) against the number of
// contacts n, from contact rows to all impulses and v⁺, means over the wrenches:
//     reduced at least 200 times as fast as the dense method at n = 32                                          (1)
//     time of reduced ~ n^p from n = 32 to 512,  p ≤ 1.15                                                        (2)
//     pivots of reduced from n = 8 to 512 within a factor 2                                                     (3)
//     from points and frames (make_one_body_rows, then all of the above) at least 5 times as fast as 40, 68, 241, 2282 µs at
//     n = 8, 16, 32, 128: the author's Java program, measured elsewhere on a machine like that of November 2026   (4)
//     every answer certified to 1e-9                                                                            (5)
#include "tribo/certify/certify.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "lemke_parts.hpp"
#include "lemke_problems.hpp"
#include "lemke_solve.hpp"
#include "studies/statistics.hpp"
#include "timing.hpp"

namespace tribo {
namespace {

constexpr double kOverStandard = 200.0, kPegExponent = 1.15, kPivots = 2.0, kOverJava = 5.0;
constexpr std::uint64_t kWrenches = 20;
constexpr std::array<std::pair<Index, double>, 4> kJava = {{{8, 40e-6}, {16, 68e-6}, {32, 241e-6}, {128, 2282e-6}}};

struct PegCell {
  LemkeMethod method = LemkeMethod::kReduced;
  Index n = 0;
  double seconds = 0.0, pivots = 0.0;  // means
  double from_points = 0.0;            // s, mean; reduced only
  int most_pivots = 0, problems = 0, failed = 0, fallbacks = 0;
  double worst = 0.0;
};

struct Effort {
  std::uint64_t timed;  // of the wrenches
  double budget;        // s per problem
};

PegCell measure_cell(LemkeMethod method, Index n, std::uint64_t seed, const Effort& effort) {
  PegCell cell;
  cell.method = method;
  cell.n = n;
  PyramidSolve solve(method);
  for (std::uint64_t w = 0; w < kWrenches; ++w) {
    if (method == LemkeMethod::kStandard && w >= effort.timed) break;
    Random random(derive_seed(seed, 401, 1000 * static_cast<std::uint64_t>(n) + w));
    ContactProblem problem = peg_in_hole(n, random);
    const SolveReport report = solve.run(problem);
    ++cell.problems;
    cell.failed += is_solved(report.status) ? 0 : 1;
    cell.fallbacks += report.fallback ? 1 : 0;
    cell.pivots += report.pivots;
    cell.most_pivots = std::max(cell.most_pivots, report.pivots);
    cell.worst = std::max(cell.worst, is_solved(report.status) ? certify(problem, solve.model(), solve.solution()).worst
                                                               : std::numeric_limits<double>::infinity());
    if (w >= effort.timed) continue;
    cell.seconds += least_seconds([&] { static_cast<void>(solve.run(problem)); }, effort.budget);
    if (method != LemkeMethod::kReduced) continue;
    cell.from_points += least_seconds(
        [&] {
          make_one_body_rows(problem, Vector3d::Zero());
          static_cast<void>(solve.run(problem));
        },
        effort.budget);
  }
  cell.seconds /= static_cast<double>(std::min(effort.timed, kWrenches));
  cell.from_points /= static_cast<double>(std::min(effort.timed, kWrenches));
  cell.pivots /= cell.problems;
  return cell;
}

void print(Output& output, const PegCell& cell) {
  output.line(
      format("  n %4ld  %-16s %10.2f us  from points %7s  pivots %6.1f  most %4d  fallbacks %2d  failed %2d of %2d  "
             "worst %.1e",
             static_cast<long>(cell.n), to_string(cell.method).c_str(), 1e6 * cell.seconds,
             cell.from_points > 0.0 ? format("%.2f", 1e6 * cell.from_points).c_str() : "-", cell.pivots,
             cell.most_pivots, cell.fallbacks, cell.failed, cell.problems, cell.worst));
  Json fields = {{"kind", "peg"},
                 {"solver", to_string(cell.method)},
                 {"contacts_count", cell.n},
                 {"problems_count", cell.problems},
                 {"failed_count", cell.failed},
                 {"fallback_count", cell.fallbacks},
                 {"time_us", 1e6 * cell.seconds},
                 {"from_points_us", nullptr},
                 {"pivots_mean", cell.pivots},
                 {"pivots_max", cell.most_pivots},
                 {"worst_relative", cell.worst}};
  if (cell.from_points > 0.0) fields["from_points_us"] = 1e6 * cell.from_points;
  output.object(std::move(fields));
}

const PegCell* find(const std::vector<PegCell>& cells, LemkeMethod method, Index n) {
  const auto found = std::find_if(cells.begin(), cells.end(),
                                  [&](const PegCell& cell) { return cell.method == method && cell.n == n; });
  return found == cells.end() ? nullptr : &*found;
}

void check(Output& output, const std::vector<PegCell>& cells) {
  const PegCell &reduced = *find(cells, LemkeMethod::kReduced, 32),
                &standard = *find(cells, LemkeMethod::kStandard, 32);
  const double speed = standard.seconds / reduced.seconds;
  output.promise("time of the dense method at n = 32 at least 200 times that of reduced", speed >= kOverStandard,
                 format("%.0f times: %.2f us against %.0f us, worst %.1e and %.1e", speed, 1e6 * reduced.seconds,
                        1e6 * standard.seconds, reduced.worst, standard.worst));
  std::vector<double> sizes, times;
  double least = 1e300, most = 0.0, worst = 0.0;
  for (const PegCell& cell : cells) {
    worst = std::max(worst, cell.worst);
    if (cell.method != LemkeMethod::kReduced) continue;
    least = std::min(least, cell.pivots);
    most = std::max(most, cell.pivots);
    if (cell.n < 32) continue;
    sizes.push_back(static_cast<double>(cell.n));
    times.push_back(cell.seconds);
  }
  const double exponent = fit_exponent(sizes, times);
  output.object({{"kind", "peg-exponent"}, {"exponent_ratio", exponent}});
  output.promise("time of reduced grows like n^1.15 at most", exponent <= kPegExponent,
                 format("n^%.3f from n = 32 to 512", exponent));
  output.promise("pivots of reduced flat in n", most <= kPivots * least,
                 format("means from %.1f to %.1f, n = 8 to 512", least, most));
  for (const auto& [n, java] : kJava) {
    if (const PegCell* cell = find(cells, LemkeMethod::kReduced, n)) {
      output.promise(format("time at n = %ld at most a fifth of the author's program", static_cast<long>(n)),
                     kOverJava * cell->from_points <= java,
                     format("from points %.2f us against %.0f us: %.1f times as fast", 1e6 * cell->from_points,
                            1e6 * java, java / cell->from_points));
    }
  }
  output.promise("pegs are certified to 1e-9 by every form", worst <= kLemkeCertified, format("worst %.1e", worst));
}

}  // namespace

void measure_peg(Output& output, const BenchOptions& options) {
  struct Row {
    LemkeMethod method;
    std::vector<Index> sizes;
    Effort effort;
  };
  const std::vector<Row> rows =
      options.quick ? std::vector<Row>{{LemkeMethod::kReduced, {8, 16, 32, 128, 512}, {4, 3e-3}},
                                       {LemkeMethod::kStructural, {8, 32}, {2, 3e-3}},
                                       {LemkeMethod::kStandard, {8, 32}, {2, 3e-3}}}
                    : std::vector<Row>{{LemkeMethod::kReduced, {8, 16, 32, 64, 128, 256, 512}, {20, 30e-3}},
                                       {LemkeMethod::kStructural, {8, 16, 32, 64, 128}, {20, 20e-3}},
                                       {LemkeMethod::kStandard, {8, 16, 32, 64}, {20, 30e-3}}};
  output.line("peg in a hole, d = 8, from contact rows to all impulses and v+; means over random wrenches");
  std::vector<PegCell> cells;
  for (const Row& row : rows) {
    for (const Index n : row.sizes) {
      output.progress(format("lemke: peg, %s, n %ld", to_string(row.method).c_str(), static_cast<long>(n)));
      cells.push_back(measure_cell(row.method, n, options.seed, row.effort));
      output.progress("");
      print(output, cells.back());
    }
  }
  check(output, cells);
}

}  // namespace tribo
