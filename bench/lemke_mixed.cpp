// `bench lemke`, mixed problems (spec C.4, G) by lemke/reduced and its other paths:
//     whatever is called solved is certified to 1e-9                                                            (1)
//     where b_N ≥ 0 and b_J = 0 an answer exists and is found                                                   (2)
// Others may have no answer: they are solved, or reported by name. Of those reported,
//     no motion   is proved: no v⁺ satisfies the rows N and J, with or without friction (verified Farkas vector)
//     dense       is a second opinion of the dense method; an answer that it finds is counted
#include "tribo/certify/certify.hpp"
#include "tribo/contact/solve.hpp"

#include <algorithm>
#include <map>

#include "lemke_parts.hpp"
#include "lemke_problems.hpp"

namespace tribo {
namespace {

constexpr int kShownMixed = 5;          // failures printed
constexpr Index kLargestChecked = 400;  // rows of an LCP that is worth a second opinion

struct MixedCount {
  long problems = 0, solved = 0, certified = 0, wrong = 0, unsolved = 0, missed = 0, fallbacks = 0;
  long motionless = 0;        // proved to have no motion
  long asked = 0, found = 0;  // second opinions
  double pivots = 0.0;        // sum
  int most_pivots = 0;
  double worst = 0.0;  // of those called solved

  void add(const MixedCount& other) {
    problems += other.problems;
    solved += other.solved;
    certified += other.certified;
    wrong += other.wrong;
    unsolved += other.unsolved;
    missed += other.missed;
    fallbacks += other.fallbacks;
    motionless += other.motionless;
    asked += other.asked;
    found += other.found;
    pivots += other.pivots;
    most_pivots = std::max(most_pivots, other.most_pivots);
    worst = std::max(worst, other.worst);
  }
};

ContactAnswer solve_by(const char* solver, const LemkeTrial& trial) {
  return solve(trial.problem, CoulombPyramid{trial.sides},
               {.solver = solver, .tolerance = kLemkeCertified, .islands = false});
}

MixedCount judge(const LemkeTrial& trial, std::string& ending) {
  const ContactAnswer answer = solve_by("lemke/reduced", trial);
  const SolveReport& report = answer.report;
  MixedCount count;
  count.problems = 1;
  count.pivots = count.most_pivots = report.pivots;
  count.fallbacks = report.fallback ? 1 : 0;
  ending = std::string(to_string(report.status));
  if (*report.detail != '\0') ending += std::string(", ") + report.detail;
  if (is_solved(report.status)) {
    const Certificate certificate = certify(trial.problem, CoulombPyramid{trial.sides}, answer.solution);
    count.solved = 1;
    count.certified = certificate.passes(kLemkeCertified) ? 1 : 0;
    count.wrong = 1 - count.certified;
    count.worst = certificate.worst;
    return count;
  }
  count.unsolved = 1;
  count.missed = trial.solvable ? 1 : 0;
  const Status frictionless = tribo::solve(trial.problem, Frictionless{}).status;
  if (frictionless == Status::kInfeasible || frictionless == Status::kInconsistentEqualities) {
    count.motionless = 1;
    return count;
  }
  if (trial.problem.size() * (trial.sides + 2) > kLargestChecked) return count;
  count.asked = 1;
  count.found = is_solved(solve_by("lemke/standard", trial).status) ? 1 : 0;
  return count;
}

void print(Output& output, const std::string& kind, const MixedCount& count) {
  const double mean = count.pivots / static_cast<double>(count.problems);
  output.line(format("  %-22s %8ld %8ld %9ld %6ld %8ld %7ld %9ld %8ld %5ld of %-4ld %7.1f %5d  %.1e", kind.c_str(),
                     count.problems, count.solved, count.certified, count.wrong, count.unsolved, count.missed,
                     count.motionless, count.fallbacks, count.found, count.asked, mean, count.most_pivots,
                     count.worst));
  output.object({{"kind", "mixed"},
                 {"problem", kind},
                 {"problems_count", count.problems},
                 {"solved_count", count.solved},
                 {"certified_count", count.certified},
                 {"wrong_count", count.wrong},
                 {"unsolved_count", count.unsolved},
                 {"solvable_unsolved_count", count.missed},
                 {"no_motion_count", count.motionless},
                 {"fallback_count", count.fallbacks},
                 {"second_opinion_count", count.asked},
                 {"second_opinion_solved_count", count.found},
                 {"pivots_mean", mean},
                 {"pivots_max", count.most_pivots},
                 {"worst_relative", count.worst}});
}

}  // namespace

void measure_mixed(Output& output, const BenchOptions& options) {
  const std::uint64_t problems = options.quick ? 320 : 10000;
  std::map<std::string, MixedCount> counts;
  std::map<std::string, long> endings;
  int shown = 0;
  for (std::uint64_t index = 0; index < problems; ++index) {
    if (index % 200 == 0) output.progress("lemke: mixed problems, " + std::to_string(index));
    const LemkeTrial trial = make_lemke_trial(options.seed, index);
    std::string ending;
    const MixedCount count = judge(trial, ending);
    counts[trial.kind].add(count);
    ++endings[ending];
    if ((count.wrong == 0 && count.missed == 0) || ++shown > kShownMixed) continue;
    output.progress("");
    output.line(format("  failed: seed %llu, index %llu (%s): %s, certificate %.1e",
                       static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(index),
                       trial.kind.c_str(), ending.c_str(), count.worst));
    output.object({{"kind", "failure"},
                   {"seed", options.seed},
                   {"index", index},
                   {"problem", trial.kind},
                   {"ending", ending},
                   {"worst_relative", count.worst}});
  }
  output.progress("");
  output.line("mixed problems, reduced and its other paths; missed: not solved although an answer exists by theory");
  output.line(
      "  kind                   problems   solved certified  wrong unsolved  missed no motion fallback dense solves  "
      "pivots   "
      "max  worst");
  MixedCount total;
  for (const auto& [kind, count] : counts) {
    print(output, kind, count);
    total.add(count);
  }
  print(output, "all", total);
  for (const auto& [ending, count] : endings) {
    output.line(format("  %6ld  %s", count, ending.c_str()));
    output.object({{"kind", "mixed-ending"}, {"ending", ending}, {"problems_count", count}});
  }
  output.promise(
      "no mixed problem is called solved and is not", total.wrong == 0,
      format("%ld of %ld called solved are certified to 1e-9, worst %.1e; %ld unsolved, %ld of them have no motion",
             total.certified, total.solved, total.worst, total.unsolved, total.motionless));
  output.promise("every mixed problem with b_N >= 0 and b_J = 0 is solved", total.missed == 0,
                 format("%ld missed", total.missed));
}

}  // namespace tribo
