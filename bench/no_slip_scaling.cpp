// `bench no-slip`, time and memory against the number of contacts n at fixed degrees of freedom m:
//     time(n) ~ n^p,  p ≤ 1.05;   iterations flat: max ≤ 2 min or max ≤ min + 3                                (1)
//     time(10,000) ≤ 2 (iterations + 6) passes + one Cholesky of size m                                       (2)
//     bytes per contact of workspaces and answer at n = 100,000 within 0.8 … 1.25 of those at 10,000          (3)
// The time is that from a ContactProblem to all impulses and v⁺: update, solve, lift. The motion and the applied forces
// of a series are the same at every n, so that only the number of contacts differs. Viscous friction is reported, and
// nothing is promised of it.
#include "tribo/certify/certify.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>
#include <variant>
#include <vector>

#include "no_slip_parts.hpp"
#include "no_slip_yardstick.hpp"
#include "studies/statistics.hpp"
#include "timed_solve.hpp"

namespace tribo {
namespace {

constexpr double kExponent = 1.05;                      // of (1)
constexpr Index kPromised = 10000;                      // contacts, of (2) and (3)
constexpr Index kLargest = 100000;                      // contacts, of (3)
constexpr double kLeastShare = 0.8, kMostShare = 1.25;  // of (3)

struct ScalingCell {
  Index n = 0, dof = 0;
  std::size_t numbers = 0;  // of one pass
  double seconds = 0.0, pass_seconds = 0.0, cholesky_seconds = 0.0;
  int iterations = 0;
  double worst = 0.0;
  double bytes = -1.0;  // per contact; negative: not known

  double bound_seconds() const { return 2.0 * (iterations + 6) * pass_seconds + cholesky_seconds; }
};

struct Series {
  std::string bodies, model, solver;
  bool promised = true;
  std::vector<ScalingCell> cells;

  std::string name() const { return bodies + ", " + model + ", " + solver; }
  const ScalingCell* find(Index n) const {
    const auto found = std::find_if(cells.begin(), cells.end(), [n](const ScalingCell& cell) { return cell.n == n; });
    return found == cells.end() ? nullptr : &*found;
  }
  double exponent(double ScalingCell::*time) const {
    std::vector<double> x, y;
    for (const ScalingCell& cell : cells) {
      x.push_back(static_cast<double>(cell.n));
      y.push_back(cell.*time);
    }
    return fit_exponent(x, y);
  }
};

ScalingCell measure_cell(const ContactProblem& problem, const ContactModel& model, const char* solver, double budget) {
  ScalingCell cell;
  cell.n = problem.size();
  cell.dof = problem.dof();
  const auto before = allocated_bytes();
  ContactPipeline pipeline(model, normal_options(solver));
  const ContactAnswer& answer = pipeline.solve(problem);
  const auto after = allocated_bytes();
  if (before && after) cell.bytes = static_cast<double>(*after - *before) / static_cast<double>(cell.n);
  cell.iterations = answer.report.iterations;
  cell.worst = is_solved(answer.status) ? answer.certificate.worst : std::numeric_limits<double>::infinity();

  const VectorXd numbers = RowNumbers(problem, model).copy();
  cell.numbers = static_cast<std::size_t>(numbers.size());
  const auto measure = [](const auto& work, double share) { return least_seconds(work, share); };
  const auto pass = [&] {
    const double sum = multiply_add_all({numbers.data(), cell.numbers}, 0.5);
    keep(&sum);
  };
  cell.seconds = cell.pass_seconds = std::numeric_limits<double>::infinity();
  constexpr int kRounds = 4;  // in turns, so that a disturbance of the machine does not stay in one of the times
  for (int round = 0; round < kRounds; ++round) {
    cell.seconds = std::min(cell.seconds, least_phases(pipeline, problem, 0.5 * budget / kRounds).method());
    cell.pass_seconds = std::min(cell.pass_seconds, measure(pass, 0.5 * budget / kRounds));
  }
  cell.cholesky_seconds = cholesky_seconds(cell.dof, 0.05 * budget);
  return cell;
}

void print(Output& output, const Series& series) {
  output.line(format("  %s: time ~ n^%.3f, pass ~ n^%.3f", series.name().c_str(),
                     series.exponent(&ScalingCell::seconds), series.exponent(&ScalingCell::pass_seconds)));
  for (const ScalingCell& cell : series.cells) {
    output.line(
        format("    n %6ld  %10.2f us  iterations %3d  pass %9.3f us  time/pass %7.1f  time/bound %6.2f  %6.0f "
               "bytes/contact  worst %.1e",
               static_cast<long>(cell.n), 1e6 * cell.seconds, cell.iterations, 1e6 * cell.pass_seconds,
               cell.seconds / cell.pass_seconds, cell.seconds / cell.bound_seconds(), cell.bytes, cell.worst));
    Json fields = {{"kind", "scaling"},
                   {"bodies", series.bodies},
                   {"model", series.model},
                   {"solver", series.solver},
                   {"contacts_count", cell.n},
                   {"dof_count", cell.dof},
                   {"time_us", 1e6 * cell.seconds},
                   {"iterations_count", cell.iterations},
                   {"pass_us", 1e6 * cell.pass_seconds},
                   {"pass_numbers_count", cell.numbers},
                   {"cholesky_us", 1e6 * cell.cholesky_seconds},
                   {"bound_us", 1e6 * cell.bound_seconds()},
                   {"time_over_bound_ratio", cell.seconds / cell.bound_seconds()},
                   {"memory_bytes_per_contact", nullptr},
                   {"worst_relative", cell.worst}};
    if (cell.bytes >= 0.0) fields["memory_bytes_per_contact"] = cell.bytes;
    output.object(std::move(fields));
  }
}

void check(Output& output, const Series& series) {
  const double exponent = series.exponent(&ScalingCell::seconds);
  output.promise(
      "time grows like n^1.05 at most, " + series.name(), exponent <= kExponent,
      format("exponent %.3f; that of the pass is %.3f", exponent, series.exponent(&ScalingCell::pass_seconds)));
  int least = series.cells.front().iterations, most = least;
  double worst = 0.0;
  for (const ScalingCell& cell : series.cells) {
    least = std::min(least, cell.iterations);
    most = std::max(most, cell.iterations);
    worst = std::max(worst, cell.worst);
  }
  output.promise("iterations flat, " + series.name(), most <= 2 * least || most <= least + 3,
                 format("%d to %d", least, most));
  output.promise("certified to 1e-9, " + series.name(), worst <= kNoSlipCertified, format("worst %.1e", worst));
  if (const ScalingCell* cell = series.find(kPromised)) {
    const double ratio = cell->seconds / cell->bound_seconds();
    output.promise("time within 2 (iterations + 6) passes + Cholesky at n = 10,000, " + series.name(), ratio <= 1.0,
                   format("%.1f us of %.1f us allowed (%.2f of it), %d iterations, pass %.2f us", 1e6 * cell->seconds,
                          1e6 * cell->bound_seconds(), ratio, cell->iterations, 1e6 * cell->pass_seconds));
  }
}

void check_memory(Output& output, const std::vector<Series>& all) {
  double least = 1e300, most = 0.0;
  for (const Series& series : all) {
    const ScalingCell *small = series.find(kPromised), *large = series.find(kLargest);
    if (small == nullptr || large == nullptr || !(small->bytes > 0.0)) continue;
    least = std::min(least, large->bytes / small->bytes);
    most = std::max(most, large->bytes / small->bytes);
  }
  if (most == 0.0) {
    output.line("left out: memory against n (it needs n = 100,000 and a C library that counts)");
    output.object({{"kind", "left-out"}, {"what", "memory against n"}});
    return;
  }
  output.promise("memory linear in n", least >= kLeastShare && most <= kMostShare,
                 format("bytes per contact at n = 100,000 over those at 10,000: %.3f to %.3f", least, most));
}

}  // namespace

void measure_contact_scaling(Output& output, const BenchOptions& options) {
  struct Bodies {
    std::string name;
    std::function<ContactProblem(Index)> make;
  };
  const std::uint64_t seed = derive_seed(options.seed, 302, 0);
  const std::vector<Bodies> all_bodies = {
      {"block on a face",
       [seed](Index n) {
         Random random(seed);
         return block_on_face(n, 0.3, random);
       }},
      {"peg in a hole",
       [seed](Index n) {
         Random random(seed);
         return peg_in_hole(n, random);
       }},
      {"box between grippers", [](Index n) { return grasp_row(1, n / 2); }},
  };
  const std::vector<Index> sizes =
      options.quick ? std::vector<Index>{100, 1000, 10000} : std::vector<Index>{100, 1000, 10000, kLargest};
  const double budget = options.quick ? 0.012 : 0.5;

  std::vector<Series> all;
  for (const Bodies& bodies : all_bodies) {
    std::vector<ContactProblem> problems;
    for (const Index n : sizes) {
      problems.push_back(bodies.make(n));
      problems.back().v = problems.front().v;
      problems.back().f = problems.front().f;
    }
    for (const ContactModel& model : {ContactModel(Frictionless{}), ContactModel(NoSlip{}), ContactModel(Viscous{})}) {
      for (const char* solver : kNormalSolvers) {
        Series& series = all.emplace_back();
        series.bodies = bodies.name;
        series.model = to_string(model);
        series.solver = solver;
        series.promised = !std::holds_alternative<Viscous>(model);
        for (const ContactProblem& problem : problems) {
          output.progress(format("no-slip: %s, n %ld", series.name().c_str(), static_cast<long>(problem.size())));
          series.cells.push_back(measure_cell(problem, model, solver, budget));
        }
      }
    }
  }
  output.progress("");
  output.line("time from contact rows to all impulses and v+, against the number of contacts n");
  for (const Series& series : all) print(output, series);
  for (const Series& series : all) {
    if (series.promised) check(output, series);
  }
  check_memory(output, all);
}

}  // namespace tribo
