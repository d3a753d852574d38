// `bench lemke`, the peg in a hole with d = 8 and random wrenches (Lloyd 2005, Figures 4 and 5) against the number of
// contacts n, from contact rows to all impulses and v⁺, means over the wrenches:
//     reduced at least 200 times as fast as the dense method at n = 32                                          (1)
//     time of reduced ~ n^p from n = 32 to 512,  p ≤ 1.15                                                        (2)
//     pivots of reduced from n = 8 to 512 within a factor 2                                                     (3)
//     from points and frames (make_one_body_rows, then all of the above) at least 5 times as fast as 40, 68, 241, 2282 µs at
//     n = 8, 16, 32, 128: the author's Java program, measured elsewhere on a machine like that of November 2026   (4)
//     every answer certified to 1e-9                                                                            (5)
// And what one call costs at n = 32, with validation, selection and certificate, phase by phase:
//     solve() at most 25 us, a kept pipeline started at the last answer at most 12 us                             (6)
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lemke_parts.hpp"
#include "lemke_problems.hpp"
#include "studies/statistics.hpp"
#include "timed_solve.hpp"

namespace tribo {
namespace {

constexpr double kOverStandard = 200.0, kPegExponent = 1.15, kPivots = 2.0, kOverJava = 5.0;
constexpr std::uint64_t kWrenches = 20;
constexpr std::array<std::pair<Index, double>, 4> kJava = {{{8, 40e-6}, {16, 68e-6}, {32, 241e-6}, {128, 2282e-6}}};

constexpr double kOneCall = 25e-6, kKeptCall = 12e-6;  // s, of (6)
constexpr std::string_view kReduced = "lemke/reduced", kStructural = "lemke/structural", kStandard = "lemke/standard";

struct PegCell {
  std::string_view solver = kReduced;
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

ContactProblem make_peg(Index n, std::uint64_t seed, std::uint64_t wrench) {
  Random random(derive_seed(seed, 401, 1000 * static_cast<std::uint64_t>(n) + wrench));
  return peg_in_hole(n, random);
}

PegCell measure_cell(std::string_view solver, Index n, std::uint64_t seed, const Effort& effort) {
  PegCell cell;
  cell.solver = solver;
  cell.n = n;
  ContactPipeline pipeline(CoulombPyramid{8}, {.solver = std::string(solver), .tolerance = kLemkeCertified});
  for (std::uint64_t w = 0; w < kWrenches; ++w) {
    if (solver == kStandard && w >= effort.timed) break;
    ContactProblem problem = make_peg(n, seed, w);
    const ContactAnswer& answer = pipeline.solve(problem);
    ++cell.problems;
    cell.failed += is_solved(answer.status) ? 0 : 1;
    cell.fallbacks += answer.report.fallback ? 1 : 0;
    cell.pivots += answer.report.pivots;
    cell.most_pivots = std::max(cell.most_pivots, answer.report.pivots);
    cell.worst = std::max(cell.worst, answer.certificate.worst);
    if (w >= effort.timed) continue;
    const double method = least_phases(pipeline, problem, effort.budget).method();
    cell.seconds += method;
    if (solver != kReduced) continue;
    cell.from_points +=
        method + least_seconds([&] { make_one_body_rows(problem, Vector3d::Zero()); }, 0.2 * effort.budget);
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
             static_cast<long>(cell.n), std::string(cell.solver).c_str(), 1e6 * cell.seconds,
             cell.from_points > 0.0 ? format("%.2f", 1e6 * cell.from_points).c_str() : "-", cell.pivots,
             cell.most_pivots, cell.fallbacks, cell.failed, cell.problems, cell.worst));
  Json fields = {{"kind", "peg"},
                 {"solver", cell.solver},
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

const PegCell* find(const std::vector<PegCell>& cells, std::string_view solver, Index n) {
  const auto found = std::find_if(cells.begin(), cells.end(),
                                  [&](const PegCell& cell) { return cell.solver == solver && cell.n == n; });
  return found == cells.end() ? nullptr : &*found;
}

void check(Output& output, const std::vector<PegCell>& cells) {
  const PegCell &reduced = *find(cells, kReduced, 32), &standard = *find(cells, kStandard, 32);
  const double speed = standard.seconds / reduced.seconds;
  output.promise("time of the dense method at n = 32 at least 200 times that of reduced", speed >= kOverStandard,
                 format("%.0f times: %.2f us against %.0f us, worst %.1e and %.1e", speed, 1e6 * reduced.seconds,
                        1e6 * standard.seconds, reduced.worst, standard.worst));
  std::vector<double> sizes, times;
  double least = 1e300, most = 0.0, worst = 0.0;
  for (const PegCell& cell : cells) {
    worst = std::max(worst, cell.worst);
    if (cell.solver != kReduced) continue;
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
    if (const PegCell* cell = find(cells, kReduced, n)) {
      output.promise(format("time at n = %ld at most a fifth of the author's program", static_cast<long>(n)),
                     kOverJava * cell->from_points <= java,
                     format("from points %.2f us against %.0f us: %.1f times as fast", 1e6 * cell->from_points,
                            1e6 * java, java / cell->from_points));
    }
  }
  output.promise("pegs are certified to 1e-9 by every form", worst <= kLemkeCertified, format("worst %.1e", worst));
}

void print(Output& output, const char* name, const PhaseSeconds& s, double call) {
  output.line(
      format("  %-28s %6.2f us: validate %.2f, islands %.2f, formulate %.2f, solve %.2f, lift %.2f, select %.2f, "
             "certify %.2f, classify %.2f, the rest %.2f",
             name, 1e6 * call, 1e6 * s.validate, 1e6 * s.islands, 1e6 * s.formulate, 1e6 * s.solve, 1e6 * s.lift,
             1e6 * s.select, 1e6 * s.certify, 1e6 * s.classify, 1e6 * (call - s.total())));
  output.object({{"kind", "call"},
                 {"call", name},
                 {"time_us", 1e6 * call},
                 {"validate_us", 1e6 * s.validate},
                 {"islands_us", 1e6 * s.islands},
                 {"formulate_us", 1e6 * s.formulate},
                 {"solve_us", 1e6 * s.solve},
                 {"lift_us", 1e6 * s.lift},
                 {"select_us", 1e6 * s.select},
                 {"certify_us", 1e6 * s.certify},
                 {"classify_us", 1e6 * s.classify},
                 {"rest_us", 1e6 * (call - s.total())}});
}

// (6), means over the wrenches.
void measure_calls(Output& output, std::uint64_t seed, double budget) {
  constexpr Index kContacts = 32;
  const CoulombPyramid model{8};
  PhaseSeconds once, cold, warm;
  double once_call = 0.0, cold_call = 0.0, warm_call = 0.0, worst = 0.0;
  ContactPipeline pipeline(model);
  for (std::uint64_t w = 0; w < kWrenches; ++w) {
    const ContactProblem problem = make_peg(kContacts, seed, w);
    const ContactAnswer& answer = pipeline.solve(problem);
    worst = std::max(worst, answer.certificate.worst);
    const ContactStart start = answer.start(problem);
    const auto share = [](double seconds) { return seconds / static_cast<double>(kWrenches); };
    const auto add = [&](PhaseSeconds& sum, const PhaseSeconds& one) {
      for (double PhaseSeconds::*phase : kPhases) sum.*phase += share(one.*phase);
    };
    add(once, least_phases([&] { return solve(problem, model).seconds; }, budget));
    add(cold, least_phases(pipeline, problem, budget));
    add(warm, least_phases(pipeline, problem, budget, start));
    once_call += share(least_seconds([&] { static_cast<void>(solve(problem, model)); }, budget));
    cold_call += share(least_seconds([&] { static_cast<void>(pipeline.solve(problem)); }, budget));
    warm_call += share(least_seconds([&] { static_cast<void>(pipeline.solve(problem, start)); }, budget));
  }
  output.line("one call with its certificate, peg, 32 contacts; means over random wrenches");
  print(output, "solve()", once, once_call);
  print(output, "kept pipeline, cold", cold, cold_call);
  print(output, "kept pipeline, from the answer", warm, warm_call);
  output.promise("time of solve() with certificate, 32 contacts, at most 25 us", once_call <= kOneCall,
                 format("%.2f us, the method %.2f us of it; worst %.1e", 1e6 * once_call, 1e6 * once.method(), worst));
  output.promise("time of a kept pipeline with certificate at most 12 us", warm_call <= kKeptCall,
                 format("%.2f us, the method %.2f us of it; cold %.2f us, the method %.2f us", 1e6 * warm_call,
                        1e6 * warm.method(), 1e6 * cold_call, 1e6 * cold.method()));
}

}  // namespace

void measure_peg(Output& output, const BenchOptions& options) {
  struct Row {
    std::string_view solver;
    std::vector<Index> sizes;
    Effort effort;
  };
  const std::vector<Row> rows = options.quick
                                    ? std::vector<Row>{{kReduced, {8, 16, 32, 128, 512}, {4, 3e-3}},
                                                       {kStructural, {8, 32}, {2, 3e-3}},
                                                       {kStandard, {8, 32}, {2, 3e-3}}}
                                    : std::vector<Row>{{kReduced, {8, 16, 32, 64, 128, 256, 512}, {20, 30e-3}},
                                                       {kStructural, {8, 16, 32, 64, 128}, {20, 20e-3}},
                                                       {kStandard, {8, 16, 32, 64}, {20, 30e-3}}};
  output.line("peg in a hole, d = 8, from contact rows to all impulses and v+; means over random wrenches");
  std::vector<PegCell> cells;
  for (const Row& row : rows) {
    for (const Index n : row.sizes) {
      output.progress(format("lemke: peg, %s, n %ld", std::string(row.solver).c_str(), static_cast<long>(n)));
      cells.push_back(measure_cell(row.solver, n, options.seed, row.effort));
      output.progress("");
      print(output, cells.back());
    }
  }
  check(output, cells);
  output.progress("lemke: one call");
  measure_calls(output, options.seed, options.quick ? 1e-3 : 10e-3);
  output.progress("");
}

}  // namespace tribo
