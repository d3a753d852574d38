// `bench no-slip`, the grasp of [Drumwright 2015] Table I, on the problems that the study records: two grippers, two
// boxes, 36 contacts, ten trials of ten steps. The paper's figures: Stewart–Trinkle by Lemke takes 6.6 times as long as
// no-slip by PPM, which needs 5.5 pivots in the mean and 7 at most. For orientation there are times of the authors' own
// program: 4 µs for 36 contacts after its matrix was formed, 148 µs for 132; it fails on 12 % of such problems.
#include "tribo/certify/certify.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <vector>

#include "no_slip_parts.hpp"
#include "no_slip_yardstick.hpp"
#include "studies/drumwright_2015/methods.hpp"
#include "studies/drumwright_2015/parts.hpp"
#include "timed_solve.hpp"

namespace tribo {
namespace {

constexpr double kSpeedup = 50.0;
constexpr double kPivotsMean = 5.5;
constexpr int kPivotsMax = 7;
constexpr double kGrasp36 = 3.0 * 4e-6;  // s
constexpr double kGrasp132 = 148e-6;     // s

struct Recorded {
  std::size_t problems = 0;
  double seconds = 0.0, dual_seconds = 0.0;  // per solve, no-slip
  double pyramid_seconds = 0.0;              // per solve, Stewart–Trinkle
  double first_path_seconds = 0.0;           // the same over the problems that the first of Lemke's paths solves
  int first_paths = 0, failed = 0;
  double pivots_mean = 0.0, pyramid_pivots_mean = 0.0;
  int pivots_max = 0;
  double worst = 0.0, pyramid_worst = 0.0;
};

// Seconds per solve, the least over repeats, of the ten steps of a trial one after another.
double trial_seconds(ContactPipeline& pipeline, const RecordedTrial& trial, double budget) {
  const auto all = [&] {
    PhaseSeconds sum;
    for (const ContactProblem& problem : trial.problems) sum += pipeline.solve(problem).seconds;
    return sum;
  };
  return least_phases(all, budget).method() / static_cast<double>(trial.problems.size());
}

// Answers, pivots and certificates of both; one solve each.
void judge_recorded(const RecordedTrial& trial, StepMethod& pyramid, Recorded& sum, std::vector<bool>& first_path) {
  ContactPipeline ppm(NoSlip{}, normal_options("ppm"));
  ContactSolution solution;
  for (const ContactProblem& problem : trial.problems) {
    const ContactAnswer& answer = ppm.solve(problem);
    sum.worst = std::max(sum.worst, answer.certificate.worst);
    sum.failed += is_solved(answer.status) ? 0 : 1;
    sum.pivots_mean += answer.report.pivots;
    sum.pivots_max = std::max(sum.pivots_max, answer.report.pivots);
    const SolveReport slow = pyramid.solve(problem, solution);
    sum.pyramid_worst = std::max(sum.pyramid_worst, pyramid.certificate(problem, solution));
    sum.pyramid_pivots_mean += slow.pivots;
    first_path.push_back(!slow.fallback);
    ++sum.problems;
  }
}

// In rounds, so that a disturbance of the machine does not stay in any of the times; a peer that was disturbed would
// flatter us.
Recorded measure_recorded(const std::vector<RecordedTrial>& trials, double budget) {
  constexpr int kRounds = 4;
  Recorded sum;
  ContactPipeline ppm(NoSlip{}, normal_options("ppm")), dual(NoSlip{}, normal_options("dual-active-set"));
  const auto pyramid = make_stewart_trinkle(4);
  std::vector<bool> first_path;
  for (const RecordedTrial& trial : trials) judge_recorded(trial, *pyramid, sum, first_path);

  ContactSolution solution;
  std::vector<double> fast(trials.size(), 1e300), other = fast, slow(sum.problems, 1e300);
  const double share = budget / (kRounds * static_cast<double>(trials.size()));
  for (int round = 0; round < kRounds; ++round) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      fast[i] = std::min(fast[i], trial_seconds(ppm, trials[i], 0.1 * share));
      other[i] = std::min(other[i], trial_seconds(dual, trials[i], 0.1 * share));
      for (const ContactProblem& problem : trials[i].problems) {
        const auto work = [&] { static_cast<void>(pyramid->solve(problem, solution)); };
        slow[next] = std::min(slow[next], least_seconds(work, 0.08 * share));
        ++next;
      }
    }
  }
  const auto problems = static_cast<double>(sum.problems), count = static_cast<double>(trials.size());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    sum.seconds += fast[i] / count;
    sum.dual_seconds += other[i] / count;
  }
  for (std::size_t k = 0; k < slow.size(); ++k) {
    sum.pyramid_seconds += slow[k] / problems;
    if (!first_path[k]) continue;
    sum.first_path_seconds += slow[k];
    ++sum.first_paths;
  }
  if (sum.first_paths > 0) sum.first_path_seconds /= sum.first_paths;
  sum.pivots_mean /= problems;
  sum.pyramid_pivots_mean /= problems;
  return sum;
}

void report_recorded(Output& output, const Recorded& r) {
  const double speedup = r.pyramid_seconds / r.seconds;
  const double first_speedup = r.first_path_seconds / r.seconds;
  output.line(format("the grasp of the paper, %zu recorded problems of 36 contacts; us per solve", r.problems));
  output.line(format("  no-slip, PPM                %9.2f  pivots %.2f, at most %d, worst %.1e", 1e6 * r.seconds,
                     r.pivots_mean, r.pivots_max, r.worst));
  output.line(format("  no-slip, dual active set    %9.2f", 1e6 * r.dual_seconds));
  output.line(
      format("  Stewart-Trinkle, Lemke      %9.1f  pivots %.1f, worst %.1e, %d of %zu on the first path (%.1f us)",
             1e6 * r.pyramid_seconds, r.pyramid_pivots_mean, r.pyramid_worst, r.first_paths, r.problems,
             1e6 * r.first_path_seconds));
  output.object({{"kind", "grasp"},
                 {"problems_count", r.problems},
                 {"ppm_us", 1e6 * r.seconds},
                 {"dual_active_set_us", 1e6 * r.dual_seconds},
                 {"stewart_trinkle_us", 1e6 * r.pyramid_seconds},
                 {"stewart_trinkle_first_path_us", 1e6 * r.first_path_seconds},
                 {"stewart_trinkle_first_path_count", r.first_paths},
                 {"speedup_ratio", speedup},
                 {"speedup_first_path_ratio", first_speedup},
                 {"pivots_mean", r.pivots_mean},
                 {"pivots_max", r.pivots_max},
                 {"stewart_trinkle_pivots_mean", r.pyramid_pivots_mean},
                 {"worst_relative", r.worst},
                 {"stewart_trinkle_worst_relative", r.pyramid_worst},
                 {"failed_count", r.failed}});
  output.promise("time of Stewart-Trinkle by Lemke at least 50 times that of no-slip by PPM",
                 r.first_paths > 0 && speedup >= kSpeedup,
                 format("%.0f times; %.0f where Lemke's first path succeeds; the paper: 6.6", speedup, first_speedup));
  output.promise("pivots of the grasp as in the paper or fewer",
                 r.pivots_mean <= kPivotsMean && r.pivots_max <= kPivotsMax,
                 format("mean %.2f, max %d; the paper: 5.5 and 7", r.pivots_mean, r.pivots_max));
  output.promise("the grasp is certified to 1e-9", r.failed == 0 && r.worst <= kNoSlipCertified,
                 format("%d failed, worst %.1e", r.failed, r.worst));
  output.promise("time of the 36-contact grasp at most 12 us", r.seconds <= kGrasp36,
                 format("%.2f us by PPM, %.2f us by the dual active set", 1e6 * r.seconds, 1e6 * r.dual_seconds));
}

void report_long_row(Output& output, double budget) {
  const ContactProblem problem = grasp_row(10, 12);
  double ppm_seconds = 0.0;
  output.line(format("a row of ten boxes, %ld contacts", static_cast<long>(problem.size())));
  for (const char* solver : kNormalSolvers) {
    ContactPipeline pipeline(NoSlip{}, normal_options(solver));
    const ContactAnswer& answer = pipeline.solve(problem);
    const SolveReport report = answer.report;
    const double worst = answer.certificate.worst;
    const double seconds = least_phases(pipeline, problem, budget).method();
    if (solver == std::string_view("ppm")) ppm_seconds = seconds;
    output.line(format("  %-16s %9.2f us  pivots %d  worst %.1e", solver, 1e6 * seconds, report.pivots, worst));
    output.object({{"kind", "long-row"},
                   {"solver", solver},
                   {"contacts_count", problem.size()},
                   {"time_us", 1e6 * seconds},
                   {"pivots_count", report.pivots},
                   {"worst_relative", worst}});
  }
  output.promise("time of the grasp of ten boxes below 148 us", ppm_seconds < kGrasp132,
                 format("%.1f us by PPM", 1e6 * ppm_seconds));
}

// Stacks and long grasps: where the authors' program fails most.
void report_failures(Output& output, const BenchOptions& options) {
  std::vector<ContactProblem> problems;
  const int draws = options.quick ? 1 : 20;
  for (Index bodies = 1; bodies <= 12; ++bodies) {
    for (const Index contacts : {4, 8, 12}) {
      problems.push_back(grasp_row(bodies, contacts));
      for (int draw = 0; draw < draws; ++draw) {
        Random random(derive_seed(options.seed, 303, static_cast<std::uint64_t>(1000 * draw + 20 * bodies + contacts)));
        problems.push_back(box_stack(bodies, contacts, random));
      }
    }
  }
  for (const char* solver : kNormalSolvers) {
    ContactPipeline pipeline(NoSlip{}, normal_options(solver));
    int failed = 0, fallbacks = 0;
    double worst = 0.0;
    for (const ContactProblem& problem : problems) {
      const ContactAnswer& answer = pipeline.solve(problem);
      failed += is_solved(answer.status) ? 0 : 1;
      fallbacks += answer.report.fallback ? 1 : 0;
      worst = std::max(worst, answer.certificate.worst);
    }
    output.object({{"kind", "stacks"},
                   {"solver", solver},
                   {"problems_count", problems.size()},
                   {"failed_count", failed},
                   {"fallback_count", fallbacks},
                   {"worst_relative", worst}});
    output.promise("no failure on stacks and long grasps, " + std::string(solver), failed == 0,
                   format("%d of %zu failed, %d fallbacks, worst %.1e", failed, problems.size(), fallbacks, worst));
  }
}

}  // namespace

void measure_grasps(Output& output, const BenchOptions& options) {
  output.progress("no-slip: the grasp of the paper");
  const std::vector<RecordedTrial> trials = record_trials(options.quick ? 2 : 10);
  const Recorded recorded = measure_recorded(trials, options.quick ? 0.4 : 10.0);
  output.progress("");
  report_recorded(output, recorded);
  report_long_row(output, options.quick ? 0.02 : 0.5);
  output.progress("no-slip: stacks and long grasps");
  report_failures(output, options);
}

}  // namespace tribo
