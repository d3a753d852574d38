// `bench robots`: every robot of $TRIBO_DATA/robots on a floor, at home, with servos that swing by a tenth of their range, and dropped
// from 0.3 m, at steps of 1, 2 and 5 ms. Promised: every robot loads, and every step is certified. Told: µs per step (mean, largest), the
// share of collision and of corrections, contacts, the deepest overlap, what corrections added in energy.
#include "tribo/core/clock.hpp"
#include "tribo/sim/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench.hpp"
#include "output.hpp"
#include "robots.hpp"

namespace tribo {
namespace {

constexpr double kMostSeconds = 20.0;  // of wall time for one motion; what is left is said

struct RobotRun {
  int steps = 0, failed = 0, uncorrected = 0;
  double seconds = 0.0, collide = 0.0, correct = 0.0, longest = 0.0;  // s
  double contacts = 0.0;                                              // mean
  double worst = 0.0, overlap = 0.0, correction_energy = 0.0;
  double mean_us() const { return steps == 0 ? 0.0 : 1e6 * seconds / steps; }
};

RobotRun run_robot(const Robot& robot, Simulation& simulation, RobotMotion motion, int steps) {
  RobotRun run;
  simulation.set_state(start_of(robot, motion));
  const Stopwatch watch;
  for (int k = 0; k < steps && watch.seconds() < kMostSeconds; ++k) {
    set_controls(robot, motion, simulation.time(), simulation.control());
    const StepReport& report = simulation.step();
    ++run.steps;
    run.failed += is_solved(report.status) ? 0 : 1;
    run.uncorrected += report.corrected ? 0 : 1;
    run.seconds += report.seconds;
    run.collide += report.seconds_collide;
    run.correct += report.seconds_correct;
    run.longest = std::max(run.longest, report.seconds);
    run.contacts += static_cast<double>(report.contacts);
    if (std::isnan(report.worst) || report.worst > run.worst) run.worst = report.worst;
    run.overlap = std::max(run.overlap, report.overlap);
    run.correction_energy += report.correction_energy;
  }
  run.contacts /= std::max(1, run.steps);
  return run;
}

void print(Output& output, const Robot& robot, RobotMotion motion, double h, int asked, const RobotRun& run) {
  const double share = run.seconds > 0.0 ? 100.0 / run.seconds : 0.0;
  output.object({{"kind", "cell"},
                 {"robot", robot.name},
                 {"motion", name_of(motion)},
                 {"step_s", h},
                 {"steps", run.steps},
                 {"asked", asked},
                 {"failed", run.failed},
                 {"uncorrected", run.uncorrected},
                 {"mean_us", run.mean_us()},
                 {"max_us", 1e6 * run.longest},
                 {"collide_share", 0.01 * share * run.collide},
                 {"correct_share", 0.01 * share * run.correct},
                 {"contacts_mean", run.contacts},
                 {"worst_certificate", run.worst},
                 {"overlap_m", run.overlap},
                 {"correction_energy_J", run.correction_energy}});
  output.line(format("  %-44s %-5s %3.0f %5d %6d %6d %9.1f %9.0f %5.0f %5.0f %7.1f %9.1e %9.1e", robot.name.c_str(),
                     name_of(motion), 1e3 * h, run.steps, run.failed, run.uncorrected, run.mean_us(), 1e6 * run.longest,
                     share * run.collide, share * run.correct, run.contacts, run.overlap, run.correction_energy));
}

}  // namespace

int run_robots_bench(const BenchOptions& options) {
  Output output(options, "robots");
  const std::vector<std::string> files =
      find_robots(options.data_dir.empty() ? "" : options.data_dir + "/robots", options.quick);
  if (files.empty()) {
    output.line("left out: robots of others (no folder robots/ under $TRIBO_DATA)");
    output.object({{"kind", "left-out"}, {"what", "robots of others"}});
    return 0;
  }
  const std::vector<double> steps_ms = options.quick ? std::vector<double>{2.0} : std::vector<double>{1.0, 2.0, 5.0};
  const int steps = options.quick ? 100 : 2000;
  output.line(format("  %-44s %-5s %3s %5s %6s %6s %9s %9s %5s %5s %7s %9s %9s", "robot", "", "ms", "steps", "failed",
                     "uncorr", "us/step", "most us", "coll%", "corr%", "cont", "overlap m", "added J"));
  int unread = 0, cells = 0, certified = 0, cut_short = 0;
  double logarithms = 0.0;
  for (const std::string& file : files) {
    const Expected<Robot> robot = read_robot(file);
    if (!robot) {
      ++unread;
      output.line("  not read: " + robot.error().text());
      output.object({{"kind", "failure"}, {"robot", file}, {"error", robot.error().text()}});
      continue;
    }
    if (!robot->left_out.empty()) {
      output.line("  left out: " + robot->name + " (" + robot->left_out + ")");
      output.object({{"kind", "left-out"}, {"what", robot->name}, {"why", robot->left_out}});
      continue;
    }
    for (const RobotMotion motion : {RobotMotion::kHome, RobotMotion::kSwing, RobotMotion::kDrop}) {
      if ((motion == RobotMotion::kDrop && !robot->floats) || (motion == RobotMotion::kSwing && robot->model.nu() == 0))
        continue;
      for (const double ms : steps_ms) {
        output.progress("robots: " + robot->name + ", " + name_of(motion));
        Expected<Simulation> made = Simulation::make(robot->model, {.step = 1e-3 * ms});
        if (!made) {
          ++unread;
          output.line("  not made: " + made.error().text());
          break;
        }
        const RobotRun run = run_robot(*robot, *made, motion, steps);
        print(output, *robot, motion, 1e-3 * ms, steps, run);
        ++cells;
        certified += run.failed == 0 ? 1 : 0;
        cut_short += run.steps < steps ? 1 : 0;
        logarithms += std::log(std::max(run.mean_us(), 1e-3));
      }
    }
  }
  output.line(format("  geometric mean %.1f us per step over %d motions; %d were cut short after %.0f s",
                     std::exp(logarithms / std::max(1, cells)), cells, cut_short, kMostSeconds));
  output.promise("every robot loads", unread == 0, format("%d of %zu files not", unread, files.size()));
  output.promise("every step of every motion is certified", certified == cells,
                 format("%d of %d motions", certified, cells));
  return output.exit_code();
}

}  // namespace tribo
