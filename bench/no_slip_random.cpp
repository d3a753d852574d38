// `bench no-slip`, redundant contacts at random: both pivoting methods answer every problem, each answer is certified
// from the problem alone, and no active set is larger than m − rank E (spec B.4). The certificate's residuals are
// momentum, bilateral rows, the friction law, and complementarity as the scaled min-map of f_n and w (spec B.7); all
// count. Why PPM fell back is asked of the printed rule alone: a cycle, or a row that depends on the active ones. With
// b_N = 0 such a row is never violated (the argument of the paper's Theorem 1); with b_N > 0 it is, quite often.
#include "tribo/core/assert.hpp"
#include "tribo/formulation/normal.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "no_slip_parts.hpp"
#include "no_slip_problems.hpp"
#include "studies/drumwright_2015/cycling_problem.hpp"
#include "studies/drumwright_2015/pivoting.hpp"

namespace tribo {
namespace {

constexpr int kShownNoSlip = 5;  // failures printed

struct NoSlipCount {
  long problems = 0, solved = 0, certified = 0, too_active = 0, fallbacks = 0, cycles = 0, dependent = 0, pivots = 0;
  int most_pivots = 0;
  double worst = 0.0, worst_normal = 0.0;

  void add(const NoSlipCount& other) {
    problems += other.problems;
    solved += other.solved;
    certified += other.certified;
    too_active += other.too_active;
    fallbacks += other.fallbacks;
    cycles += other.cycles;
    dependent += other.dependent;
    pivots += other.pivots;
    most_pivots = std::max(most_pivots, other.most_pivots);
    worst = std::max(worst, other.worst);
    worst_normal = std::max(worst_normal, other.worst_normal);
  }
};

// m − rank E, the most contacts that a basis may have active.
Index most_active(const ContactTrial& trial) {
  NormalFormulation formulation;
  TRIBO_REQUIRE(formulation.update(trial.problem, trial.model).has_value(), "the model does not fit the problem");
  return trial.problem.dof() - formulation.equality_rank();
}

NoSlipCount judge(const char* solver, const ContactTrial& trial) {
  const ContactAnswer answer = solve(trial.problem, trial.model, normal_options(solver));
  const SolveReport& report = answer.report;
  const Certificate& certificate = answer.certificate;
  const Residual* normal = certificate.find("normal");
  NoSlipCount count;
  count.problems = 1;
  count.solved = is_solved(answer.status) ? 1 : 0;
  count.certified = is_solved(answer.status) && certificate.passes(kNoSlipCertified) ? 1 : 0;
  count.too_active = (answer.solution.f_n.array() > 0.0).count() > most_active(trial) ? 1 : 0;
  count.fallbacks = report.fallback ? 1 : 0;
  if (report.fallback) {
    const Pivoting pivoting = pivot(trial.problem, trial.model);
    count.cycles = pivoting.printed_rule_cycled() ? 1 : 0;
    count.dependent = pivoting.printed_rule_met_dependent_row() ? 1 : 0;
  }
  count.pivots = count.most_pivots = report.pivots;
  count.worst = certificate.worst;
  count.worst_normal = normal != nullptr ? normal->relative : certificate.worst;
  return count;
}

void print(Output& output, const std::string& solver, const std::string& model, bool open, const NoSlipCount& count) {
  const double mean = static_cast<double>(count.pivots) / static_cast<double>(count.problems);
  output.line(format("  %-16s %-17s %-4s %8ld %8ld %9ld  %8.1e  %8.1e %8ld %6ld %9ld %7.2f %5d", solver.c_str(),
                     model.c_str(), open ? ">= 0" : "0", count.problems, count.solved, count.certified, count.worst,
                     count.worst_normal, count.fallbacks, count.cycles, count.dependent, mean, count.most_pivots));
  output.object({{"kind", "random"},
                 {"solver", solver},
                 {"model", model},
                 {"positive_offsets", open},
                 {"problems_count", count.problems},
                 {"solved_count", count.solved},
                 {"certified_count", count.certified},
                 {"active_above_bound_count", count.too_active},
                 {"fallback_count", count.fallbacks},
                 {"cycle_count", count.cycles},
                 {"dependent_row_count", count.dependent},
                 {"pivots_mean", mean},
                 {"pivots_max", count.most_pivots},
                 {"worst_relative", count.worst},
                 {"worst_min_map_relative", count.worst_normal}});
}

// The printed rule of the paper comes back to an active set that it had before; with the fallback it ends.
void check_cycle(Output& output) {
  const ContactProblem problem = cycling_problem();
  const Pivoting pivoting = pivot(problem, Frictionless{});
  const ContactAnswer answer = solve(problem, Frictionless{}, normal_options("ppm"));
  const SolveReport& report = answer.report;
  const double worst = answer.certificate.worst;
  output.object({{"kind", "cycle"},
                 {"printed_rule_cycled", pivoting.printed_rule_cycled()},
                 {"fallback", report.fallback},
                 {"pivots_count", report.pivots},
                 {"worst_relative", worst}});
  output.promise(
      "fr09: the printed rule cycles, and the cycle is caught",
      pivoting.printed_rule_cycled() && report.fallback && is_solved(answer.status) && worst <= kNoSlipCertified,
      format("alone: %s; with the fallback: %d pivots, certificate %.1e", pivoting.printed.detail, report.pivots,
             worst));
}

}  // namespace

void measure_random_contacts(Output& output, const BenchOptions& options) {
  const std::uint64_t problems = options.quick ? 300 : 20000;
  std::map<std::tuple<std::string, std::string, bool>, NoSlipCount> counts;
  int shown = 0;
  for (const char* solver : kNormalSolvers) {
    for (std::uint64_t index = 0; index < problems; ++index) {
      if (index % 500 == 0)
        output.progress(std::string("no-slip: random problems, ") + solver + " " + std::to_string(index));
      const ContactTrial trial = make_contact_trial(options.seed, index);
      const NoSlipCount count = judge(solver, trial);
      counts[{solver, to_string(trial.model), !trial.problem.b_N.isZero(0.0)}].add(count);
      if ((count.certified == 1 && count.too_active == 0) || ++shown > kShownNoSlip) continue;
      output.line(format("  failed: %s, seed %llu, index %llu (%s, %s), certificate %.1e", solver,
                         static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(index),
                         trial.kind.c_str(), to_string(trial.model).c_str(), count.worst));
      output.object({{"kind", "failure"},
                     {"solver", solver},
                     {"seed", options.seed},
                     {"index", index},
                     {"problem", trial.kind},
                     {"model", to_string(trial.model)},
                     {"worst_relative", count.worst}});
    }
  }
  output.progress("");
  output.line("random redundant contacts; worst: the largest residual, min-map: complementarity alone, both relative");
  output.line(
      "  solver           model             b_N  problems   solved certified     worst   min-map fallback cycles "
      "dependent  pivots   max");
  std::map<std::string, NoSlipCount> totals;
  for (const auto& [key, count] : counts) {
    const auto& [solver, model, open] = key;
    print(output, solver, model, open, count);
    totals[solver].add(count);
  }
  for (const auto& [solver, total] : totals) {
    output.promise("random problems solved and certified to 1e-9, " + solver, total.certified == total.problems,
                   format("%ld of %ld, worst %.1e, min-map %.1e, %ld fallbacks, %ld of them cycles", total.certified,
                          total.problems, total.worst, total.worst_normal, total.fallbacks, total.cycles));
    output.promise("active set never larger than m - rank E, " + solver, total.too_active == 0,
                   format("%ld of %ld are larger", total.too_active, total.problems));
  }
  check_cycle(output);
}

}  // namespace tribo
