// `bench cone`, starts from the last answer (spec 12): q changed by a share of max|q| along a random vector in the
// range of W, as from one step to the next. Reported: sweeps, factorizations and time, warm beside cold. Promised: both
// are solved and certified to 1e-8.
#include "tribo/certify/certify.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>
#include <vector>

#include "cone_alone.hpp"
#include "cone_parts.hpp"
#include "cone_problems.hpp"
#include "studies/siconos_corpus/corpus.hpp"
#include "timing.hpp"

namespace tribo {
namespace {

struct Start {
  std::string name;
  LocalFriction problem;
};

std::vector<Start> make_starts(const BenchOptions& options) {
  std::vector<Start> starts;
  Random random(derive_seed(options.seed, 503, 0));
  starts.push_back({"stack of 5, 40 contacts", make_local(box_stack(5, 8, random))});
  starts.push_back({"random bodies, 30 contacts", make_local(random_bodies({.bodies = 6, .contacts = 30}, random))});
  for (const FrictionFile& file : read_friction_corpus(options.data_dir).files) {
    for (const char* name : {"Rover1040", "fclib_local", "Capsules-i101-404", "Capsules-i100-1090", "RockPile"}) {
      if (file.kind != "fc3d" || file.name.find(name) == std::string::npos) continue;
      starts.push_back({file.name, std::get<LocalFriction>(file.problem)});
    }
  }
  return starts;
}

LocalFriction changed(const LocalFriction& problem, double share, Random& random) {
  VectorXd x(problem.q.size());
  for (Index i = 0; i < x.size(); ++i) x(i) = random.normal();
  const VectorXd along = problem.W * x;
  LocalFriction result = problem;
  result.q += along * (share * problem.q.cwiseAbs().maxCoeff() / std::max(along.cwiseAbs().maxCoeff(), 1e-300));
  return result;
}

bool is_certified(ConeAlone& run, const LocalFriction& problem, const SolveReport& report) {
  FrictionSolution solution;
  run.lift(solution);
  return is_solved(report.status) && certify(problem, solution).passes(kConeDefault);
}

}  // namespace

void measure_cone_warm(Output& output, const BenchOptions& options) {
  const double budget = options.quick ? 0.005 : 0.2;
  output.line("started from the answer before the change of q; sweeps + factorizations, us");
  int solved = 0, asked = 0;
  for (const Start& start : make_starts(options)) {
    for (const double share : {0.0, 1e-6, 1e-4, 1e-2}) {
      output.progress(format("cone: warm starts, %s, %.0e", start.name.c_str(), share));
      Random random(derive_seed(options.seed, 504, 0));
      ConeAlone run;
      static_cast<void>(run.run(start.problem));
      const ConeWarmStart warm = run.warm_start();
      const LocalFriction next = changed(start.problem, share, random);
      const SolveReport cold_report = run.run(next);
      solved += is_certified(run, next, cold_report) ? 1 : 0;
      const SolveReport warm_report = run.solve(warm);
      solved += is_certified(run, next, warm_report) ? 1 : 0;
      asked += 2;
      const double cold_seconds = least_seconds([&] { static_cast<void>(run.solve()); }, budget);
      const double warm_seconds = least_seconds([&] { static_cast<void>(run.solve(warm)); }, budget);
      output.progress("");
      output.line(format("  %-30s change %.0e  cold %4d + %-4d %10.1f us  warm %4d + %-4d %10.1f us  %6.1f times",
                         start.name.c_str(), share, cold_report.sweeps, cold_report.pivots, 1e6 * cold_seconds,
                         warm_report.sweeps, warm_report.pivots, 1e6 * warm_seconds, cold_seconds / warm_seconds));
      output.object({{"kind", "warm"},
                     {"problem", start.name},
                     {"change_relative", share},
                     {"cold_sweeps_count", cold_report.sweeps},
                     {"cold_factorizations_count", cold_report.pivots},
                     {"cold_us", 1e6 * cold_seconds},
                     {"warm_sweeps_count", warm_report.sweeps},
                     {"warm_factorizations_count", warm_report.pivots},
                     {"warm_us", 1e6 * warm_seconds},
                     {"cold_over_warm_ratio", cold_seconds / warm_seconds}});
    }
  }
  output.promise("warm and cold starts are solved and certified to 1e-8", solved == asked,
                 format("%d of %d", solved, asked));
}

}  // namespace tribo
