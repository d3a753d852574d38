// `bench lcp`: the same problems for every solver, in one run on one machine. The promises:
//     our dense Lemke is at least three times as fast as Siconos' from n = 50 on, with a residual not larger       (1)
//     started at its own answer, a solver makes no pivot and no sweep                                               (2)
//     what comes back as solved has a certificate of at most 1e-8                                                   (3)
#include <map>
#include <vector>

#include "bench.hpp"
#include "lcp_cell.hpp"
#include "output.hpp"
#include "siconos.hpp"

namespace tribo {
namespace {

constexpr double kSpeed = 3.0;       // of (1)
constexpr Index kFrom = 50;          // of (1)
constexpr double kCertified = 1e-8;  // of (3), relative

struct WarmCount {
  int started = 0;
  int moved = 0;  // with a pivot or a sweep
  std::string first;
};

void print(Output& output, const LcpCell& cell) {
  const LcpRow* peer = cell.find("siconos/lemke");
  output.line(format("%-8s n %-4ld active %-4ld bound %.3g us", to_string(cell.family).c_str(), cell.n, cell.active,
                     1e6 * cell.bound_seconds));
  output.line(
      "  solver              status              us   pivots  sweeps   natural     worst  siconos/us  us/bound   warm "
      "us");
  for (const LcpRow& row : cell.rows) {
    const double speed = peer != nullptr ? peer->seconds / row.seconds : 0.0;
    const double over = row.seconds / cell.bound_seconds;
    output.line(format("  %-18s  %-15s %8.4g  %7d %7d  %8.1e  %8.1e  %10s  %8.3g  %8s", row.solver.c_str(),
                       row.status.c_str(), 1e6 * row.seconds, row.pivots, row.sweeps, row.natural, row.worst,
                       peer != nullptr ? format("%.3g", speed).c_str() : "-", over,
                       row.warmed ? format("%.3g", 1e6 * row.warm_seconds).c_str() : "-"));
    Json fields = {{"kind", "cell"},
                   {"family", to_string(cell.family)},
                   {"n", cell.n},
                   {"active", cell.active},
                   {"solver", row.solver},
                   {"status", row.status},
                   {"seconds", row.seconds},
                   {"pivots", row.pivots},
                   {"sweeps", row.sweeps},
                   {"natural", row.natural},
                   {"worst", row.worst},
                   {"bound_seconds", cell.bound_seconds},
                   {"ratio_to_bound", over},
                   {"speedup_over_siconos_lemke", nullptr},
                   {"warm_seconds", nullptr},
                   {"warm_pivots", nullptr},
                   {"warm_sweeps", nullptr}};
    if (peer != nullptr) fields["speedup_over_siconos_lemke"] = speed;
    if (row.warmed) {
      fields["warm_seconds"] = row.warm_seconds;
      fields["warm_pivots"] = row.warm_pivots;
      fields["warm_sweeps"] = row.warm_sweeps;
    }
    output.object(std::move(fields));
  }
}

// Promise (1) for one cell. Where theirs is no answer its time is none of a solve, and only ours can be judged.
void check_lemke(Output& output, const LcpCell& cell) {
  const LcpRow& ours = *cell.find("lemke/standard");
  const LcpRow* theirs = cell.find("siconos/lemke");
  if (theirs == nullptr) return;
  const std::string where = format("%s, n %ld", to_string(cell.family).c_str(), cell.n);
  const double speed = theirs->seconds / ours.seconds;
  const std::string residuals = format("worst %.1e against %.1e", ours.worst, theirs->worst);
  if (theirs->worst <= kCertified) {
    output.promise("lemke against siconos, " + where, ours.solved && speed >= kSpeed && ours.worst <= theirs->worst,
                   format("%.3g times as fast, ", speed) + residuals);
  } else {
    output.promise("lemke answers where siconos does not, " + where, ours.solved && ours.worst <= kCertified,
                   residuals);
  }
}

void count_warm(const LcpCell& cell, std::map<std::string, WarmCount>& counts) {
  for (const LcpRow& row : cell.rows) {
    if (!row.warmed) continue;
    WarmCount& count = counts[row.solver];
    ++count.started;
    if (row.warm_pivots == 0 && row.warm_sweeps == 0) continue;
    ++count.moved;
    if (count.first.empty()) {
      count.first = format("; first: %s n %ld, %d pivots, %d sweeps", to_string(cell.family).c_str(), cell.n,
                           row.warm_pivots, row.warm_sweeps);
    }
  }
}

}  // namespace

int run_lcp_bench(const BenchOptions& options) {
  Output output(options, "lcp");
  const std::vector<Index> sizes =
      options.quick ? std::vector<Index>{10, 50} : std::vector<Index>{10, 20, 50, 100, 200, 500};
  const double budget = options.quick ? 0.02 : 0.2;
  if (!has_siconos()) output.line("built without Siconos: nothing to compare with but the lower bound");

  std::vector<LcpCell> cells;
  for (const LcpFamily family : {LcpFamily::kSpd, LcpFamily::kPsd, LcpFamily::kStack, LcpFamily::kBodies}) {
    for (const Index n : sizes) {
      output.progress(format("lcp: %s, n %ld", to_string(family).c_str(), n));
      cells.push_back(measure_cell(family, n, make_bench_lcp(family, n, options.seed), budget));
      output.progress("");
      print(output, cells.back());
    }
  }

  std::map<std::string, WarmCount> warm;
  std::string wrong;
  for (const LcpCell& cell : cells) {
    if (cell.n >= kFrom) check_lemke(output, cell);
    count_warm(cell, warm);
    for (const LcpRow& row : cell.rows) {
      if (row.warmed && !(row.worst <= kCertified)) {
        wrong += format("%s %s n %ld (%.1e)  ", row.solver.c_str(), to_string(cell.family).c_str(), cell.n, row.worst);
      }
    }
  }
  for (const auto& [solver, count] : warm) {
    output.promise("warm start, " + solver, count.moved == 0,
                   format("%d of %d started at the answer needed no pivot and no sweep%s", count.started - count.moved,
                          count.started, count.first.c_str()));
  }
  output.promise("every answer of ours is certified", wrong.empty(), wrong);
  return output.exit_code();
}

}  // namespace tribo
