// Robots of ours: both engines in turn, round after round, on one state, so that what disturbs one disturbs the other.
#include "tribo/io/model_file.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "multibody/mujoco_peer.hpp"
#include "multibody/multibody_parts.hpp"

namespace tribo {
namespace {

constexpr double kSlower = 1.5;  // of promise (1)
constexpr double kAgree = 1e-9;  // of promise (2)

// Largest difference over the largest entry of `want`.
double calc_difference(const MatrixXd& got, const MatrixXd& want) {
  if (got.rows() != want.rows() || got.cols() != want.cols()) return std::numeric_limits<double>::infinity();
  return (got - want).cwiseAbs().maxCoeff() / want.cwiseAbs().maxCoeff();
}

struct RobotRow {
  std::string robot;
  Index dofs = 0;
  StageTimes ours, theirs, bare;  // bare: MuJoCo without geoms and sites
  double mass_difference = 0.0, bias_difference = 0.0;
};

void print(Output& output, const RobotRow& row) {
  const auto line = [&](const char* who, const StageTimes& t) {
    output.line(format("  %-22s %9.3g %9.3g %9.3g %9.3g %9.3g", who, 1e6 * t.positions, 1e6 * t.velocities,
                       1e6 * t.mass_matrix, 1e6 * t.bias, 1e6 * t.all));
    output.object({{"kind", "robot"},
                   {"robot", row.robot},
                   {"dofs", row.dofs},
                   {"engine", who},
                   {"positions_seconds", t.positions},
                   {"velocities_seconds", t.velocities},
                   {"mass_matrix_seconds", t.mass_matrix},
                   {"bias_seconds", t.bias},
                   {"seconds", t.all}});
  };
  output.line(format("%s, %ld degrees of freedom: us", row.robot.c_str(), row.dofs));
  output.line("                          positions  velocities     M      bias       all");
  line("ours", row.ours);
  if (mujoco_version().empty()) return;
  line("mujoco", row.theirs);
  line("mujoco without shapes", row.bare);
  output.line(format("  ours/mujoco %.2f, without shapes %.2f; difference of M %.1e, of bias %.1e",
                     row.ours.all / row.theirs.all, row.ours.all / row.bare.all, row.mass_difference,
                     row.bias_difference));
  output.object({{"kind", "comparison"},
                 {"robot", row.robot},
                 {"ratio", row.ours.all / row.theirs.all},
                 {"ratio_without_shapes", row.ours.all / row.bare.all},
                 {"mass_matrix_difference", row.mass_difference},
                 {"bias_difference", row.bias_difference}});
}

Expected<RobotRow> measure(const std::string& robot, const BenchOptions& options) {
  const std::string path = std::string(TRIBO_ROBOTS) + "/" + robot + ".xml";
  Expected<World> world = load(path);
  if (!world) return Unexpected<Error>{world.error()};
  RobotRow row;
  row.robot = robot;
  row.dofs = world->model.nv();
  OurEngine ours{world->model, make_bench_state(world->model, options.seed), Data(world->model)};
  MujocoPeer theirs(path);
  const bool both = theirs.error().empty();
  if (both && (theirs.nq() != world->model.nq() || theirs.nv() != world->model.nv())) {
    return fail("MuJoCo counts other coordinates than we do", path, "compare the joints of both");
  }
  if (both) theirs.set_state(ours.state.q, ours.state.v);

  constexpr int kBatch = 20;
  const Stopwatch watch;
  do {
    measure_round(ours, kBatch, row.ours);
    if (!both) continue;
    theirs.keep_shapes(true);
    measure_round(theirs, kBatch, row.theirs);
    theirs.keep_shapes(false);
    measure_round(theirs, kBatch, row.bare);
  } while (watch.seconds() < (options.quick ? 0.05 : 1.0));
  if (both) {
    row.mass_difference = calc_difference(make_dense_mass(world->model, ours.data), theirs.mass_matrix());
    row.bias_difference = calc_difference(ours.data.bias, theirs.bias());
  }
  return row;
}

}  // namespace

void run_multibody_robots(Output& output, const BenchOptions& options) {
  if (!std::filesystem::is_directory(TRIBO_ROBOTS)) {
    output.line(format("left out: robots (no folder %s)", TRIBO_ROBOTS));
    output.object({{"kind", "left-out"}, {"what", "robots"}});
    return;
  }
  const std::string version = mujoco_version();
  output.line(version.empty() ? "built without MuJoCo: nothing to compare with" : "beside MuJoCo " + version);
  for (const std::string robot : {"quadruped", "hand3", "hand5", "gripper", "arm6"}) {
    output.progress("multibody: " + robot);
    const Expected<RobotRow> row = measure(robot, options);
    output.progress("");
    if (!row) {
      output.promise("robot loads, " + robot, false, row.error().text());
      continue;
    }
    print(output, *row);
    if (version.empty()) continue;
    // The harder of the two comparisons: shapes are no part of M and bias.
    if (robot == "quadruped") {
      const double ratio = row->ours.all / row->bare.all;
      output.promise("time of M and bias beside mujoco, " + robot, ratio <= kSlower,
                     format("%.2f times its time (without shapes), at most %.1f", ratio, kSlower));
    }
    output.promise("same numbers as mujoco, " + robot, row->mass_difference <= kAgree && row->bias_difference <= kAgree,
                   format("M %.1e, bias %.1e of the largest entry", row->mass_difference, row->bias_difference));
  }
}

}  // namespace tribo
