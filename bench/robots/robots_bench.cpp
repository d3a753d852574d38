// `bench robots`: robots of $TRIBO_DATA/robots and of data/robots on a floor, at home, with servos that swing by a
// tenth of their range, and dropped from 0.3 m, at steps of 1, 2 and 5 ms; beside them MuJoCo's WASM build where it is
// installed. Promised: every robot loads, every step is certified, and times beside MuJoCo's. docs/benchmarks.md says
// how to read the rows.
#include "tribo/core/clock.hpp"
#include "tribo/sim/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "bench.hpp"
#include "native_peer.hpp"
#include "output.hpp"
#include "robots.hpp"
#include "robots_table.hpp"
#include "wasm_peer.hpp"

namespace tribo {
namespace {

constexpr double kMostSeconds = 20.0;  // of wall time for one motion; what is left is said

// s of processor time of this thread: steps have one thread, and other work on the machine does not count as theirs.
double read_thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

RobotRun run_robot(const Robot& robot, Simulation& simulation, RobotMotion motion, int steps) {
  RobotRun run;
  simulation.set_state(start_of(robot, motion));
  const double energy = simulation.calc_energy();
  const Stopwatch watch;
  for (int k = 0; k < steps && watch.seconds() < kMostSeconds; ++k) {
    set_controls(robot, motion, simulation.time(), simulation.control());
    const double before = read_thread_seconds();
    const StepReport& report = simulation.step();
    const double seconds = read_thread_seconds() - before;
    ++run.steps;
    run.failed += is_solved(report.status) ? 0 : 1;
    run.uncorrected += report.corrected ? 0 : 1;
    run.cpu += seconds;
    run.longest = std::max(run.longest, seconds);
    run.seconds += report.seconds;
    run.collide += report.seconds_collide;
    run.correct += report.seconds_correct;
    run.contacts += static_cast<double>(report.contacts);
    if (std::isnan(report.worst) || report.worst > run.worst) run.worst = report.worst;
    run.overlap = std::max(run.overlap, report.overlap);
    run.correction_energy += report.correction_energy;
  }
  run.energy = simulation.calc_energy() - energy;
  run.contacts /= std::max(1, run.steps);
  return run;
}

std::vector<std::string> find_all_robots(const BenchOptions& options, Output& output) {
  std::vector<std::string> files =
      find_robots(options.data_dir.empty() ? "" : options.data_dir + "/robots", options.quick);
  if (files.empty()) {
    output.line("left out: robots of others (no folder robots/ under $TRIBO_DATA)");
    output.object({{"kind", "left-out"}, {"what", "robots of others"}});
  }
  const std::vector<std::string> own = find_robots(TRIBO_OWN_ROBOTS, options.quick);
  files.insert(files.end(), own.begin(), own.end());
  return files;
}

// Engine and whether it is there are said once, failures of a robot with that robot.
class PeerColumn {
 public:
  explicit PeerColumn(Output& output) : output_(output), missing_(find_missing_wasm_peer()) {
    if (!missing_.empty()) leave_out("MuJoCo", missing_);
  }
  PeerRobot run(const Robot& robot, const std::vector<double>& steps_s, int steps) {
    if (!missing_.empty()) return {};
    output_.progress("robots: " + robot.name + ", MuJoCo");
    PeerRobot peer = run_wasm_peer(robot, steps_s, steps, kMostSeconds);
    if (!told_ && !peer.engine.empty()) {
      told_ = true;
      output_.line("  beside them " + peer.engine +
                   ", its median step; solver, cones and integrator are those of the file");
    }
    if (!peer.error.empty()) leave_out("MuJoCo for " + robot.name, peer.error);
    return peer;
  }

 private:
  void leave_out(const std::string& what, const std::string& why) {
    output_.line("  left out: " + what + " (" + why + ")");
    output_.object({{"kind", "left-out"}, {"what", what}, {"why", why}});
  }

  Output& output_;
  std::string missing_;
  bool told_ = false;
};

// What Debian's MuJoCo does not read is in the JSON alone: that is most.
PeerRobot run_native_column(const Robot& robot, const std::vector<double>& steps_s, int steps, Output& output) {
  const std::string version = native_peer_version();
  if (version.empty()) return {};
  output.progress("robots: " + robot.name + ", MuJoCo " + version);
  PeerRobot peer = run_native_peer(robot, steps_s, steps, kMostSeconds);
  if (!peer.error.empty())
    output.object({{"kind", "left-out"}, {"what", "MuJoCo " + version + " for " + robot.name}, {"why", peer.error}});
  return peer;
}

}  // namespace

int run_robots_bench(const BenchOptions& options) {
  Output output(options, "robots");
  const std::vector<std::string> files = find_all_robots(options, output);
  const std::vector<double> steps_s = options.quick ? std::vector<double>{2e-3} : std::vector<double>{1e-3, 2e-3, 5e-3};
  const int steps = options.quick ? 100 : 2000;
  PeerColumn mujoco(output);
  RobotsTable table(output);
  table.begin();
  int unread = 0;
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
    const PeerRobot peer = mujoco.run(*robot, steps_s, steps);
    const PeerRobot native = run_native_column(*robot, steps_s, steps, output);
    for (const RobotMotion motion : motions_of(*robot)) {
      for (const double h : steps_s) {
        output.progress("robots: " + robot->name + ", " + name_of(motion));
        Expected<Simulation> made = Simulation::make(robot->model, {.step = h});
        if (!made) {
          ++unread;
          output.line("  not made: " + made.error().text());
          output.object({{"kind", "failure"}, {"robot", file}, {"error", made.error().text()}});
          break;
        }
        table.add(*robot, motion, h, steps, run_robot(*robot, *made, motion, steps), peer.find(motion, h),
                  native.find(motion, h));
      }
    }
  }
  output.promise("every robot loads", unread == 0, format("%d of %zu files not", unread, files.size()));
  table.end(kMostSeconds);
  return output.exit_code();
}

}  // namespace tribo
