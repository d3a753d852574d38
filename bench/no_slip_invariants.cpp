// `bench no-slip`, what must not change: v⁺ when every contact is there twenty times (spec A.5: v⁺ is unique, however
// the forces are shared), the active set when a solve starts at its own answer, v⁺ when islands are solved apart; and
// the place of the boxes when the grasp of the study is held for a very long time.
#include "tribo/contact/pipeline.hpp"
#include "tribo/problem/generate.hpp"

#include <algorithm>

#include "no_slip_parts.hpp"
#include "no_slip_problems.hpp"
#include "studies/drumwright_2015/grasp.hpp"
#include "timing.hpp"

namespace tribo {
namespace {

constexpr double kUnchanged = 1e-12;  // of relative_change()
constexpr double kNanometre = 1e-9;   // m
constexpr int kTimes = 20;

const ContactModel kThreeModels[] = {Frictionless{}, NoSlip{}, Viscous{}};

}  // namespace

void measure_repeated_contacts(Output& output, const BenchOptions& options) {
  const std::uint64_t problems = options.quick ? 20 : 200;
  output.line("every contact twenty times: relative change of v+, in the norm of the mass matrix");
  for (const char* solver : kNormalSolvers) {
    for (const ContactModel& model : kThreeModels) {
      double most = 0.0;
      std::uint64_t at = 0;
      std::string kind;
      int failed = 0;
      for (std::uint64_t index = 0; index < problems; ++index) {
        const ContactTrial trial = make_contact_trial(options.seed, index);
        const ContactAnswer once = solve(trial.problem, model, normal_options(solver));
        const ContactAnswer often = solve(repeat_contacts(trial.problem, kTimes), model, normal_options(solver));
        failed += is_solved(once.status) && is_solved(often.status) ? 0 : 1;
        const double change = relative_change(trial.problem, once.v_next, often.v_next);
        if (change > most) {
          most = change;
          at = index;
          kind = trial.kind;
        }
      }
      const std::string name = to_string(model) + ", " + std::string(solver);
      output.line(format("  %-32s %.1e (index %llu, %s)", name.c_str(), most, static_cast<unsigned long long>(at),
                         kind.c_str()));
      output.object({{"kind", "repeated"},
                     {"model", to_string(model)},
                     {"solver", solver},
                     {"problems_count", problems},
                     {"times_count", kTimes},
                     {"change_relative", most},
                     {"worst_index", at},
                     {"worst_problem", kind},
                     {"failed_count", failed}});
      output.promise(
          "twenty times every contact changes v+ by less than 1e-12, " + name, failed == 0 && most < kUnchanged,
          format("%.1e over %llu problems, %d failed", most, static_cast<unsigned long long>(problems), failed));
    }
  }
}

void measure_hold(Output& output, const BenchOptions& options) {
  const int steps = options.quick ? 1000 : 100000;
  ContactPipeline pipeline(NoSlip{}, normal_options("dual-active-set"));
  Grasp grasp{GraspSettings{}};
  ContactStart start;
  int failed = 0;
  long pivots = 0;
  double worst = 0.0;
  for (int step = 0; step < steps; ++step) {
    if (step % 1000 == 0) output.progress(format("no-slip: the grasp held, step %d", step));
    const ContactProblem problem = grasp.problem();
    const ContactAnswer& answer = pipeline.solve(problem, start);
    worst = std::max(worst, answer.certificate.worst);
    failed += is_solved(answer.status) ? 0 : 1;
    pivots += answer.report.pivots;
    start = answer.start(problem);
    grasp.advance(answer.v_next);
  }
  output.progress("");
  const double slip = grasp.max_slip();
  output.line(format("the grasp held for %d steps: slip %.1e m, gaps within %.1e m, %ld pivots in all, worst %.1e",
                     steps, slip, grasp.max_gap(), pivots, worst));
  output.object({{"kind", "hold"},
                 {"steps_count", steps},
                 {"slip_m", slip},
                 {"gap_m", grasp.max_gap()},
                 {"pivots_count", pivots},
                 {"failed_count", failed},
                 {"worst_relative", worst}});
  output.promise("the grasp is held without a failed solve", failed == 0,
                 format("%d of %d steps failed, worst certificate %.1e", failed, steps, worst));
  output.promise("the grasp slips by less than a nanometre", slip < kNanometre,
                 format("%.1e m in %d steps", slip, steps));
}

void measure_restarts(Output& output, const BenchOptions& options) {
  const std::uint64_t problems = options.quick ? 64 : 2000;
  for (const char* solver : kNormalSolvers) {
    long moved = 0;
    std::string first;
    for (std::uint64_t index = 0; index < problems; ++index) {
      const ContactTrial trial = make_contact_trial(options.seed, index);
      ContactPipeline pipeline(trial.model, normal_options(solver));
      const ContactStart start = pipeline.solve(trial.problem).start(trial.problem);
      const ContactAnswer& again = pipeline.solve(trial.problem, start);
      if (is_solved(again.status) && again.report.pivots == 0) continue;
      if (++moved == 1) {
        first = format("; first: index %llu (%s, %s), %d pivots", static_cast<unsigned long long>(index),
                       trial.kind.c_str(), to_string(trial.model).c_str(), again.report.pivots);
      }
    }
    output.object({{"kind", "warm"}, {"solver", solver}, {"problems_count", problems}, {"moved_count", moved}});
    output.promise("no pivot from a start at the answer, " + std::string(solver), moved == 0,
                   format("%ld of %llu moved%s", moved, static_cast<unsigned long long>(problems), first.c_str()));
  }

  const std::uint64_t worlds = options.quick ? 20 : 500;
  long several = 0, failed = 0;
  double most = 0.0;
  for (std::uint64_t index = 0; index < worlds; ++index) {
    Random random(derive_seed(options.seed, 305, index));
    const RandomBodies settings{.bodies = random.integer(2, 10), .contacts = random.integer(1, 30), .redundant = 0.8};
    const ContactProblem problem = random_bodies(settings, random);
    for (const ContactModel& model : kThreeModels) {
      const ContactAnswer parts = solve(problem, model), whole = solve(problem, model, {.islands = false});
      several += parts.islands > 1 ? 1 : 0;
      failed += is_solved(parts.status) && is_solved(whole.status) ? 0 : 1;
      most = std::max(most, relative_change(problem, parts.v_next, whole.v_next));
    }
  }
  output.object({{"kind", "islands"},
                 {"problems_count", 3 * worlds},
                 {"several_islands_count", several},
                 {"failed_count", failed},
                 {"change_relative", most}});
  output.promise("islands solved apart give the velocities of the whole",
                 failed == 0 && several > 0 && most < kUnchanged,
                 format("%ld of %llu problems have several islands, %ld failed, change %.1e", several,
                        static_cast<unsigned long long>(3 * worlds), failed, most));
}

}  // namespace tribo
