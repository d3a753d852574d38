// `bench robustness`: many random problems, every solver that claims them, through the interface without the fallback
// chain. The promises: no answer claimed as solved fails its certificate; no proof fails its check; the solvers that
// promise to end do so, and find an answer wherever one is known to exist.
//
// On copositive matrices Lemke's method may end in a ray although there is an answer: it cannot if zᵀq ≥ 0 for all z in
// SOL(0, M) (spec C.1). A ray's direction dz is such a z, so dzᵀq < 0 shows that the condition fails; only then the ray
// is allowed.
#include "tribo/certify/certify.hpp"
#include "tribo/certify/infeasibility.hpp"
#include "tribo/solve/registry.hpp"

#include <exception>
#include <memory>
#include <vector>

#include "bench.hpp"
#include "output.hpp"
#include "robustness_problems.hpp"
#include "robustness_tally.hpp"

namespace tribo {
namespace {

constexpr double kCertifiedWorst = 1e-8;  // of Certificate::worst, relative

bool shows_condition_fails(const Lcp& lcp, const Evidence& evidence) {
  return evidence.kind == Evidence::Kind::kRay && evidence.dz.size() == lcp.size() && evidence.dz.dot(lcp.q) < 0.0;
}
template <typename Problem>
bool shows_condition_fails(const Problem&, const Evidence&) {
  return false;
}

template <typename Problem, typename Solution>
Outcome judge(const Problem& problem, const SolveReport& report, const Solution& solution) {
  Outcome outcome;
  outcome.detail = report.detail;
  if (is_solved(report.status)) {
    outcome.worst = certify(problem, solution).worst;
    outcome.ending = outcome.worst <= kCertifiedWorst ? Ending::kSolved : Ending::kWrong;
    return outcome;
  }
  if (report.status == Status::kInfeasible || report.status == Status::kRay) {
    const Verdict verdict = certify_infeasible(problem, solution.evidence).verdict;
    const bool proved = verdict == Verdict::kInfeasible;
    const bool ray = report.status == Status::kRay && verdict == Verdict::kRay;
    outcome.ending = proved ? Ending::kInfeasible : ray ? Ending::kRay : Ending::kUnverified;
    outcome.ray_is_allowed = shows_condition_fails(problem, solution.evidence);
    return outcome;
  }
  outcome.ending = report.status == Status::kIterationLimit ? Ending::kIterationLimit : Ending::kBreakdown;
  return outcome;
}

template <typename Problem, typename Solution>
Outcome try_solver(ComplementaritySolver& solver, const Problem& problem, Solution& solution) {
  try {
    const SolveReport report = solver.solve(problem, WarmStart{}, solution);
    return judge(problem, report, solution);
  } catch (const std::exception& error) {
    Outcome outcome;
    outcome.detail = error.what();
    return outcome;
  }
}

// One workspace per solver serves all problems, as in a simulation. What goes wrong is tried again with a fresh one: a
// difference would be state that leaked from an earlier problem.
struct Runner {
  const Capability* capability;
  std::unique_ptr<ComplementaritySolver> solver;
};

template <typename Solution, typename Problem>
void run_trial(Output& output, Tallies& tallies, const Runner& runner, const Trial<Problem>& trial,
               Tallies::Place place) {
  const Promise promise{runner.capability->always_ends, trial.solvable, trial.copositive};
  Solution solution;
  Outcome outcome = try_solver(*runner.solver, trial.problem, solution);
  if (!ends_properly(outcome, promise) && outcome.ending != Ending::kIterationLimit) {
    Solution again;
    const Outcome fresh = try_solver(*runner.capability->make(), trial.problem, again);
    if (fresh.ending != outcome.ending) outcome.detail += "; a fresh solver: " + to_string(fresh.ending);
  }
  place.solver = runner.capability->name;
  place.group = trial.group;
  place.kind = trial.kind;
  place.n = trial.problem.size();
  tallies.add(output, place, outcome, promise);
}

template <typename Solution, typename Make>
void run_form(Output& output, Tallies& tallies, const char* form, bool Capability::*takes, std::uint64_t seed,
              std::uint64_t count, Make make) {
  std::vector<Runner> runners;
  for (const Capability& capability : capabilities()) {
    if (capability.*takes) runners.push_back({&capability, capability.make()});
  }
  for (std::uint64_t index = 0; index < count; ++index) {
    if (index % 1000 == 0) output.progress(format("robustness: %s %llu", form, static_cast<unsigned long long>(index)));
    const auto trial = make(seed, index);
    for (const Runner& runner : runners) {
      const Capability& capability = *runner.capability;
      if (capability.matrices == Matrices::kSymmetricPsd && !trial.symmetric) continue;
      if (capability.size_limit > 0 && trial.problem.size() > capability.size_limit) continue;
      Tallies::Place place;
      place.form = form;
      place.seed = seed;
      place.index = index;
      run_trial<Solution>(output, tallies, runner, trial, place);
    }
  }
  output.progress("");
}

}  // namespace

int run_robustness_bench(const BenchOptions& options) {
  Output output(options, "robustness");
  const std::uint64_t count = options.quick ? 2000 : 100000;
  Tallies tallies;
  run_form<LcpSolution>(output, tallies, "lcp", &Capability::lcp, options.seed, count, make_lcp_trial);
  run_form<BoxLcpSolution>(output, tallies, "box", &Capability::box, options.seed, count / 10, make_box_trial);
  run_form<MixedLcpSolution>(output, tallies, "mixed", &Capability::mixed, options.seed, count / 10, make_mixed_trial);
  run_form<LcpSolution>(output, tallies, "factored", &Capability::factored, options.seed, count / 10,
                        make_factored_trial);
  tallies.print(output);
  output.line(format("%ld solves", tallies.trials()));
  tallies.check(output);
  return output.exit_code();
}

}  // namespace tribo
