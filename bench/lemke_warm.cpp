// `bench lemke`, starts from the last answer. Forces and velocities are changed by a share ε at random, as from one step to
// the next. Promised: from the answer itself no pivot; every answer certified to 1e-9.
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "lemke_parts.hpp"
#include "timed_solve.hpp"

namespace tribo {
namespace {

constexpr double kGravity = 9.81;  // m/s²

struct LemkeWarmCount {
  int problems = 0, unmoved = 0, failed = 0;
  double cold_pivots = 0.0, warm_pivots = 0.0;    // sums
  double cold_seconds = 0.0, warm_seconds = 0.0;  // sums
  double worst = 0.0;
};

// ε of the weight (and, since they are written in one vector, of 9.81 N·m), ε of 0.1 m/s or rad/s.
ContactProblem changed(const ContactProblem& problem, double share, Random& random) {
  ContactProblem result = problem;
  if (share == 0.0) return result;
  for (Index i = 0; i < problem.dof(); ++i) {
    result.f(i) += share * kGravity * random.normal();
    result.v(i) += share * 0.1 * random.normal();
  }
  return result;
}

void compare(const ContactProblem& first, const ContactProblem& next, double budget, LemkeWarmCount& count) {
  ContactPipeline pipeline(CoulombPyramid{8}, {.solver = "lemke/reduced", .tolerance = kLemkeCertified});
  ++count.problems;
  const ContactAnswer before = pipeline.solve(first);
  const ContactStart start = before.start(first);
  const ContactAnswer cold = pipeline.solve(next);
  count.cold_seconds += least_phases(pipeline, next, budget).method();
  const ContactAnswer warm = pipeline.solve(next, start);
  count.warm_seconds += least_phases(pipeline, next, budget, start).method();
  if (!is_solved(before.status) || !is_solved(cold.status) || !is_solved(warm.status)) {
    ++count.failed;
    return;
  }
  count.worst = std::max(count.worst, warm.certificate.worst);
  count.cold_pivots += cold.report.pivots;
  count.warm_pivots += warm.report.pivots;
  count.unmoved += warm.report.pivots == 0 ? 1 : 0;
}

}  // namespace

void measure_lemke_warm(Output& output, const BenchOptions& options) {
  struct Case {
    const char* name;
    std::function<ContactProblem(Random&)> make;
  };
  const std::vector<Case> cases = {
      {"peg, 32 contacts", [](Random& random) { return peg_in_hole(32, random); }},
      {"stack of 5, 40 contacts", [](Random& random) { return box_stack(5, 8, random); }},
      {"block on a face, 16 contacts", [](Random& random) { return block_on_face(16, 0.2, random); }},
      {"random bodies", [](Random& random) { return random_bodies(random); }},
  };
  const std::uint64_t problems = options.quick ? 20 : 200;
  const double budget = options.quick ? 2e-4 : 1e-3;
  output.line("started from the answer to the problem before the change; pivots and us, means");
  int moved = 0, started = 0, failed = 0;
  double worst = 0.0;
  for (const Case& one : cases) {
    for (const double share : {0.0, 1e-3, 1e-2}) {
      output.progress(format("lemke: warm starts, %s, %.0e", one.name, share));
      LemkeWarmCount count;
      for (std::uint64_t k = 0; k < problems; ++k) {
        Random random(derive_seed(options.seed, 406, k));
        const ContactProblem problem = one.make(random);
        compare(problem, changed(problem, share, random), budget, count);
      }
      output.progress("");
      const double n = count.problems;
      output.line(
          format("  %-28s change %.0e  pivots cold %6.2f warm %6.2f  none in %3d of %3d  us cold %8.2f warm %8.2f  "
                 "failed %d  worst %.1e",
                 one.name, share, count.cold_pivots / n, count.warm_pivots / n, count.unmoved, count.problems,
                 1e6 * count.cold_seconds / n, 1e6 * count.warm_seconds / n, count.failed, count.worst));
      output.object({{"kind", "warm"},
                     {"problem", one.name},
                     {"change_relative", share},
                     {"problems_count", count.problems},
                     {"failed_count", count.failed},
                     {"without_pivot_count", count.unmoved},
                     {"cold_pivots_mean", count.cold_pivots / n},
                     {"warm_pivots_mean", count.warm_pivots / n},
                     {"cold_us", 1e6 * count.cold_seconds / n},
                     {"warm_us", 1e6 * count.warm_seconds / n},
                     {"worst_relative", count.worst}});
      failed += count.failed;
      worst = std::max(worst, count.worst);
      if (share > 0.0) continue;
      started += count.problems;
      moved += count.problems - count.unmoved;
    }
  }
  output.promise("no pivot from the answer itself", moved == 0, format("%d of %d moved", moved, started));
  output.promise("warm starts are solved and certified to 1e-9", failed == 0 && worst <= kLemkeCertified,
                 format("%d failed, worst %.1e", failed, worst));
}

}  // namespace tribo
