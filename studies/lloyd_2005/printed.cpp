// How the reduced method ends with the covering vector of the paper's program (printed_reduced.hpp), and how ours does,
// on the peg.
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "parts.hpp"
#include "printed_reduced.hpp"
#include "studies/statistics.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

struct Ended {
  int solves = 0, rays = 0, singular = 0, limits = 0, wrong = 0;
  double pivots_sum = 0.0;  // of those solved
  int pivots_max = 0;

  int failed() const { return rays + singular + limits + wrong; }
  double pivots_mean() const { return pivots_sum / std::max(1, solves - failed()); }

  void add(const SolveReport& report, double certificate) {
    ++solves;
    rays += report.status == Status::kRay ? 1 : 0;
    singular += report.status == Status::kBreakdown ? 1 : 0;
    limits += report.status == Status::kIterationLimit ? 1 : 0;
    const bool solved = is_solved(report.status), certified = solved && certificate <= kCertified;
    wrong += solved && !certified ? 1 : 0;
    if (!certified) return;
    pivots_sum += report.pivots;
    pivots_max = std::max(pivots_max, report.pivots);
  }
};

Ended run_printed(const std::vector<ContactProblem>& problems, const CoverExit& exit) {
  Ended ended;
  const LemkeStep step(LemkeMethod::kReduced);
  ContactSolution solution;
  for (const ContactProblem& problem : problems) {
    const SolveReport report = solve_printed_reduced(problem, kSides, exit, solution);
    ended.add(report, is_solved(report.status) ? step.certificate(problem, solution) : 0.0);
  }
  return ended;
}

Ended run_ours(const std::vector<ContactProblem>& problems) {
  Ended ended;
  LemkeStep step(LemkeMethod::kReduced);
  ContactSolution solution;
  for (const ContactProblem& problem : problems) {
    const SolveReport report = step.solve(problem, solution);
    ended.add(report, is_solved(report.status) ? step.certificate(problem, solution) : 0.0);
  }
  return ended;
}

void print(StudyOutput& output, Index n, const std::string& variant, const Ended& ended) {
  output.line(fmt::format("  {:>4}  {:<30} {:>6}  {:>5} {:>9} {:>7} {:>6}  {:>7.1f} ({:>4})", n, variant, ended.solves,
                          ended.rays, ended.singular, ended.limits, ended.wrong, ended.pivots_mean(),
                          ended.pivots_max));
  output.object("printed", {{"n", n},
                            {"variant", variant},
                            {"solves", ended.solves},
                            {"rays", ended.rays},
                            {"singular", ended.singular},
                            {"limits", ended.limits},
                            {"wrong", ended.wrong},
                            {"pivots_mean", ended.pivots_mean()},
                            {"pivots_max", ended.pivots_max}});
}

std::string joined(const std::vector<int>& counts) {
  std::string text;
  for (const int count : counts) text += fmt::format("{}{}", text.empty() ? "" : ", ", count);
  return text;
}

}  // namespace

void report_printed(StudyOutput& output) {
  const std::vector<Index> sizes =
      output.quick() ? std::vector<Index>{8, 16, 32} : std::vector<Index>{8, 16, 24, 32, 48, 64};
  const int wrenches = output.quick() ? 10 : 40;
  output.heading(
      "The reduced method with the paper's covering vector, inferred from a description of its program; peg");
  output.line(fmt::format("  {:>4}  {:<30} {:>6}  {:>5} {:>9} {:>7} {:>6}  {:>14}", "n", "variant", "solves", "rays",
                          "singular", "limits", "wrong", "pivots (max)"));
  std::vector<double> n, pivots;
  std::vector<int> tight, loose, rounding;  // failures
  int ours_failed = 0;
  for (const Index size : sizes) {
    output.progress(fmt::format("printed reduced method, {}", size));
    std::vector<ContactProblem> problems;
    for (int i = 0; i < wrenches; ++i) {
      Random random(static_cast<std::uint64_t>(1000 * size + i));
      problems.push_back(peg_in_hole(size, random));
    }
    const Ended by_tie = run_printed(problems, {.of_step = 1e-11, .of_start = 0.0});
    const Ended by_loose_tie = run_printed(problems, {.of_step = 1e-9, .of_start = 0.0});
    const Ended by_rounding = run_printed(problems, {.of_step = 0.0, .of_start = 1e-11});
    const Ended ours = run_ours(problems);
    output.progress("");
    print(output, size, "printed, ties to 1e-11", by_tie);
    print(output, size, "printed, ties to 1e-9", by_loose_tie);
    print(output, size, "printed, until z0 is rounding", by_rounding);
    print(output, size, "ours", ours);
    tight.push_back(by_tie.failed());
    loose.push_back(by_loose_tie.failed());
    rounding.push_back(by_rounding.failed());
    ours_failed += ours.failed();
    n.push_back(static_cast<double>(size));
    pivots.push_back(by_rounding.pivots_mean());
  }
  const auto sum = [](const std::vector<int>& counts) { return std::accumulate(counts.begin(), counts.end(), 0); };
  output.claim(
      "the reduced method ends with an answer", "no failure is reported",
      fmt::format("failures of {} each from n = {} to {}: {} with ties to 1e-11, {} with ties to 1e-9, {} until z0 is "
                  "rounding; ours {} in all",
                  wrenches, sizes.front(), sizes.back(), joined(tight), joined(loose), joined(rounding), ours_failed),
      differs_if(sum(tight) > 0,
                 sum(rounding) < sum(tight)
                     ? "z0 does not reach zero alone, every block without load has a row that does so too, and a "
                       "path that passes z0 by is lost; the tolerance decides how often"
                     : "some paths end without an answer, whatever the tolerance"));
  const double exponent = fit_exponent(n, pivots);
  output.claim("the printed reduced method takes O(m) pivots", "O(m) in the best case",
               fmt::format("means {:.0f} … {:.0f} from n = {} to {}, exponent {:.2f}", pivots.front(), pivots.back(),
                           sizes.front(), sizes.back(), exponent),
               differs_if(exponent > kFit,
                          "with the friction rows covered too the pivots grow with n; with the normals alone covered "
                          "(ours) they do not"));
  output.promise("our reduced method solves what the printed one is tried on", ours_failed == 0,
                 fmt::format("{} failures in {} solves", ours_failed, wrenches * static_cast<int>(sizes.size())));
}

}  // namespace tribo
