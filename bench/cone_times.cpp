// `bench cone`, time by number of contacts, cold: making the cone problem, the solve, all of it; beside the lower bound
//     one dense Cholesky of the system (size m, the degrees of freedom) + one pass over the rows N, S, T           (1)
// Promised: certified to 1e-8;
// one contact below 0.5 us at solver level.
#include "tribo/problem/generate.hpp"
#include "tribo/problem/model.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "cone_parts.hpp"
#include "no_slip_yardstick.hpp"
#include "timed_solve.hpp"

namespace tribo {
namespace {

struct Times {
  double formulate = 0.0, solve = 0.0, lift = 0.0, bound = 0.0;  // s, means
  double sweeps = 0.0, factors = 0.0;                            // means
  double slowest = 0.0;                                          // s, of the solves
  int certified = 0;
};

Times measure_times(const std::vector<ContactProblem>& problems, double budget) {
  Times mean;
  const auto count = static_cast<double>(problems.size());
  const double cholesky = cholesky_seconds(problems.front().dof(), 0.1 * budget);
  for (const ContactProblem& problem : problems) {
    ContactPipeline pipeline(CoulombCone{}, {.solver = "cone", .tolerance = kConeDefault, .islands = false});
    const ContactAnswer& answer = pipeline.solve(problem);
    mean.certified += is_solved(answer.status) ? 1 : 0;
    mean.sweeps += answer.report.sweeps / count;
    mean.factors += answer.report.pivots / count;
    const double share = budget / count;
    const PhaseSeconds seconds = least_phases(pipeline, problem, 0.8 * share);
    mean.slowest = std::max(mean.slowest, seconds.solve);
    mean.solve += seconds.solve / count;
    mean.formulate += seconds.formulate / count;
    mean.lift += seconds.lift / count;
    const RowNumbers rows(problem, NoSlip{});
    mean.bound += (cholesky + least_seconds_short([&] { rows.pass(); }, 0.1 * share)) / count;
  }
  return mean;
}

}  // namespace

void measure_cone_times(Output& output, const BenchOptions& options) {
  struct Case {
    std::string name;
    Index contacts;
    std::function<ContactProblem(Random&)> make;
  };
  std::vector<Case> cases;
  for (const Index n : {1, 2, 3, 4, 5, 6, 8, 16, 64, 256}) {
    cases.push_back({"block on a face", n, [n](Random& random) { return block_on_face(n, 0.3, random); }});
  }
  for (const Index n : {4, 8, 16, 32}) {
    cases.push_back({"peg", n, [n](Random& random) { return peg_in_hole(n, random); }});
  }
  for (const Index blocks : {2, 5, 10, 20}) {
    cases.push_back({format("stack of %ld", static_cast<long>(blocks)), 4 * blocks,
                     [blocks](Random& random) { return box_stack(blocks, 4, random); }});
  }
  const std::uint64_t count = options.quick ? 2 : 10;
  const double budget = options.quick ? 0.02 : 0.5;
  output.line("time by number of contacts, cold; us, means; bound: one Cholesky of the degrees of freedom + a pass");
  int certified = 0, asked = 0;
  double one_contact = 0.0;
  for (const Case& one : cases) {
    output.progress(format("cone: %s, %ld contacts", one.name.c_str(), static_cast<long>(one.contacts)));
    std::vector<ContactProblem> problems;
    for (std::uint64_t k = 0; k < count; ++k) {
      Random random(derive_seed(options.seed, 505, k));
      problems.push_back(one.make(random));
    }
    const Times times = measure_times(problems, budget);
    output.progress("");
    const double whole = times.formulate + times.solve + times.lift;
    output.line(
        format("  %-16s %4ld contacts, %3ld dof  make %8.2f  solve %9.2f (%5.1f sweeps, %5.1f factors)  lift "
               "%7.2f  bound %7.3f  time/bound %7.1f  certified %d of %d",
               one.name.c_str(), static_cast<long>(one.contacts), static_cast<long>(problems[0].dof()),
               1e6 * times.formulate, 1e6 * times.solve, times.sweeps, times.factors, 1e6 * times.lift,
               1e6 * times.bound, whole / times.bound, times.certified, static_cast<int>(count)));
    output.object({{"kind", "time"},
                   {"problem", one.name},
                   {"contacts_count", one.contacts},
                   {"dof_count", problems[0].dof()},
                   {"problems_count", count},
                   {"certified_count", times.certified},
                   {"formulate_us", 1e6 * times.formulate},
                   {"solve_us", 1e6 * times.solve},
                   {"lift_us", 1e6 * times.lift},
                   {"sweeps_mean", times.sweeps},
                   {"factorizations_mean", times.factors},
                   {"bound_us", 1e6 * times.bound},
                   {"time_over_bound_ratio", whole / times.bound}});
    asked += static_cast<int>(count);
    certified += times.certified;
    if (one.contacts == 1) one_contact = times.slowest;
  }
  output.promise("problems of every size are certified to 1e-8", certified == asked,
                 format("%d of %d", certified, asked));
  output.promise("time: one contact below 0.5 us", one_contact < 0.5e-6, format("at most %.3f us", 1e6 * one_contact));
}

}  // namespace tribo
