// Figure 10 and §6.5: stacks of spheres, what they cost and why they stand.
#include "tribo/contact/solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "parts.hpp"
#include "spheres.hpp"
#include "studies/statistics.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr Compliant kStackModel{UnilateralLaw::kComplementarity, FrictionLaw::kConvexCone};

struct StackOutcome {
  bool symmetric = true, settled = true;
  double depth_error = 0.0;
  std::vector<double> sizes, seconds;
  long unsolved = 0;  // of the steps that were timed
};

void stand_stacks(StudyOutput& output, StackOutcome& outcome, StepTally& tally) {
  const std::vector<Index> sizes =
      output.quick() ? std::vector<Index>{2, 5, 10, 20} : std::vector<Index>{2, 5, 10, 20, 50, 100};
  for (const Index n : sizes) {
    output.progress(fmt::format("{} spheres", n));
    StackSettings settings;
    settings.spheres = n;
    Stepper stepper(kStackModel, 20);
    const StackRun run = run_stack(settings, stepper);
    tally.add(stepper.tally);
    const auto above = static_cast<double>(n);
    const double error = std::max({std::abs(run.depth_top / calc_stack_depth(1.0, n == 1) - 1.0),
                                   std::abs(run.depth_low / calc_stack_depth(above - 1.0, false) - 1.0),
                                   std::abs(run.depth_ground / calc_stack_depth(above, true) - 1.0)});
    outcome.symmetric = outcome.symmetric && run.lateral == 0.0 && run.tangential == 0.0;
    outcome.settled = outcome.settled && run.kinetic < 2e-25;
    outcome.depth_error = std::max(outcome.depth_error, error);
    output.line(fmt::format(
        "  n = {:<4} kinetic {:.1e} J; depths top {:.3e}, lowest pair {:.3e}, ground {:.3e} m ({:.0e} off static); "
        "deepest {:.2g} mm; "
        "{:.2f} systems and {:.3f} ms per step",
        n, run.kinetic, run.depth_top, run.depth_low, run.depth_ground, error, 1e3 * run.deepest,
        static_cast<double>(stepper.tally.systems) / static_cast<double>(stepper.tally.steps), 1e3 * run.step_seconds));
    output.object("stack",
                  {{"n", n},
                   {"kinetic", run.kinetic},
                   {"depth_top", run.depth_top},
                   {"depth_low", run.depth_low},
                   {"depth_ground", run.depth_ground},
                   {"depth_error", error},
                   {"deepest", run.deepest},
                   {"lateral", run.lateral},
                   {"tangential", run.tangential},
                   {"systems", static_cast<double>(stepper.tally.systems) / static_cast<double>(stepper.tally.steps)}});
  }
}

// Cost of a step: the whole of it, geometry and certificate included, once the stack has met. Under Coulomb's law, which has a
// sparse way for many bodies.
void measure_stacks(StudyOutput& output, StackOutcome& outcome) {
  const auto solve_step = [](const CompliantProblem& problem, CompliantSolution& solution) {
    CompliantAnswer answer = solve(problem, Compliant{});
    solution = std::move(answer.solution);
    return answer.report;
  };
  const std::vector<Index> sizes =
      output.quick() ? std::vector<Index>{30, 100, 300} : std::vector<Index>{30, 100, 300, 1000};
  for (const Index n : sizes) {
    StackSettings settings;
    settings.spheres = n;
    settings.steps = output.quick() ? 60 : 200;  // 1,000 spheres have met after 1.5 s
    output.progress(fmt::format("{} spheres: time", n));
    Stepper stepper(Compliant{}, solve_step, 0);
    const StackRun run = run_stack(settings, stepper);
    outcome.unsolved += stepper.tally.unsolved;
    outcome.sizes.push_back(static_cast<double>(n));
    outcome.seconds.push_back(run.step_seconds);
    output.line(fmt::format("  n = {:<4} {:.3f} ms per step, {:.2f} s for one second", n, 1e3 * run.step_seconds,
                            100.0 * run.step_seconds));
    output.object("stack-time", {{"n", n}, {"seconds", run.step_seconds}});
  }
}

void topple_stacks(StudyOutput& output, StepTally& tally) {
  struct Case {
    Index n;
    double offset, spec;
  };
  const std::array<Case, 6> cases = {
      {{2, 1e-9, 3.1}, {5, 1e-9, 1.95}, {10, 1e-9, 1.45}, {2, 1e-6, 2.0}, {5, 1e-6, 1.3}, {10, 1e-6, 1.1}}};
  double worst = 0.0;
  std::string text;
  for (const Case& one : cases) {
    StackSettings settings;
    settings.spheres = one.n;
    settings.offset = one.offset;
    settings.stop_toppled = true;
    Stepper stepper(kStackModel, 20);
    const StackRun run = run_stack(settings, stepper);
    tally.add(stepper.tally);
    worst = std::max(worst, run.toppled < 0.0 ? 1e300 : std::abs(run.toppled / one.spec - 1.0));
    text += fmt::format("{}n = {}, {:g} m: {:.2f} s ({:g})", text.empty() ? "" : "; ", one.n, one.offset, run.toppled,
                        one.spec);
    output.object("topple", {{"n", one.n}, {"offset", one.offset}, {"time", run.toppled}, {"spec", one.spec}});
  }
  output.claim("the stack is stable without walls around it", "said of §6.5",
               "with the top sphere a nanometre aside: " + text,
               "differs because the data are symmetric: lateral coordinates stay exactly zero, and any offset topples "
               "the stack, as it must");
  output.promise("E.7: topple times within 5 % of the spec's", worst <= 0.05, text);
}

}  // namespace

void report_sphere_stack(StudyOutput& output) {
  output.heading("Figure 10: stacks of spheres");
  StepTally tally;
  StackOutcome outcome;
  stand_stacks(output, outcome, tally);
  topple_stacks(output, tally);
  measure_stacks(output, outcome);
  const double exponent = fit_exponent(outcome.sizes, outcome.seconds);
  output.object("exponent", {{"series", "spheres"},
                             {"first", outcome.sizes.front()},
                             {"last", outcome.sizes.back()},
                             {"exponent", exponent}});
  output.claim("stacks of up to 100 stiff spheres are simulated robustly", "figure 10, 500 steps of 10 ms",
               fmt::format("all settle, n up to {}", output.quick() ? 20 : 100), reproduced_if(outcome.settled));
  output.promise("E.7: symmetry kept exactly", outcome.symmetric, "lateral coordinates and tangential forces are zero");
  output.promise("E.7: settled at the static depths", outcome.settled && outcome.depth_error < 1e-3,
                 fmt::format("kinetic energy < 2e-25 J; depths within {:.1e}", outcome.depth_error));
  promise_time(output, "E.7, cost per step linear in n to 1,000, exponent at most 1.15",
               exponent <= 1.15 && outcome.unsolved == 0 && (output.quick() || outcome.sizes.back() >= 1000.0),
               fmt::format("{:.2f}, n = {:g} … {:g}", exponent, outcome.sizes.front(), outcome.sizes.back()));
  promise_steps(output, "E.7", tally);
}

}  // namespace tribo
