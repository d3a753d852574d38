// `bench sim`: what a simulation must still show after a long time. The promises, with default options but the model:
//     a box on a slope of 20° and a row of ten boxes between jaws, 100,000 steps: they move by less than 1 nm without
//     slip, by less than 1 µm with Coulomb's law                                                                     (1)
//     1,000,000 kg on 1 kg and fifty boxes on one another, ten minutes: sunk by less than 1 µm                       (2)
//     at rest no step needs a pivot or a sweep, from the start and after a knock has settled                         (3)
//     a million steps of a settled scene: no drift, no memory                                                        (4)
//     a wall stands within 0.1 mm at no more than 5 ms a step; a pile is certified, comes to rest and then needs no more than
//     10 ms a step; one and two threads, and a run resumed from a checkpoint, end with the same bits                 (5)
#include "tribo/core/clock.hpp"
#include "tribo/io/model_file.hpp"

#include <algorithm>
#include <fstream>

#include "bench.hpp"
#include "sim/sim_parts.hpp"

namespace tribo {
namespace {

// MiB of this process in memory; 0 where the system does not say.
double read_resident_memory() {
  std::ifstream in("/proc/self/statm");
  double pages = 0.0;
  in >> pages >> pages;
  return pages * 4096.0 / (1024.0 * 1024.0);
}

// Positions of free bodies against `start`.
void look_at_bodies(const Simulation& simulation, const VectorXd& start, double& move, double& sink) {
  const Model& model = simulation.model();
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    if (model.joints()[j].type != JointType::kFree) continue;
    const Index at = model.q_start(static_cast<Index>(j));
    const Vector3d way = simulation.state().q.segment<3>(at) - start.segment<3>(at);
    move = std::max(move, way.norm());
    sink = std::max(sink, -way.z());
  }
}

}  // namespace

std::optional<Simulation> load_sim_scene(Output& output, const std::string& scene, const SimulationOptions& options) {
  const auto refuse = [&](const Error& error) {
    output.promise(scene + " can be read", false, error.text());
    return std::nullopt;
  };
  Expected<World> world = load(std::string(TRIBO_SIM_SCENES) + "/" + scene + ".xml");
  if (!world) return refuse(world.error());
  Expected<Simulation> simulation = Simulation::make(std::move(world->model), options);
  if (!simulation) return refuse(simulation.error());
  for (const Keyframe& keyframe : simulation->model().description().keyframes) {
    if (keyframe.name != "start" && keyframe.name != "home") continue;
    const Expected<State> state = make_state(simulation->model(), keyframe);
    if (!state) return refuse(state.error());
    simulation->set_state(*state);
    if (keyframe.control.size() > 0) simulation->control() = keyframe.control;
  }
  return std::move(*simulation);
}

SimRun run_sim_scene(Output& output, Simulation& simulation, const std::string& scene, std::int64_t steps,
                     std::int64_t settle) {
  SimRun run;
  run.scene = scene;
  run.model = name_model(simulation.options());
  run.threads = simulation.options().threads;
  run.steps = steps;
  run.settle = std::min(settle, steps);
  const VectorXd start = simulation.state().q;
  VectorXd settled = start;
  double memory = read_resident_memory(), seconds = 0.0, ignored = 0.0;
  Stopwatch since_told;
  double told = 0.0;
  for (std::int64_t k = 0; k < steps; ++k) {
    if (k == run.settle) {
      settled = simulation.state().q;
      memory = read_resident_memory();
    }
    const StepReport& report = simulation.step();
    run.failed += is_solved(report.status) ? 0 : 1;
    run.fallbacks += report.fallback ? 1 : 0;
    run.worst = std::max(run.worst, report.worst);
    run.overlap = std::max(run.overlap, report.overlap);
    run.correction = std::max(run.correction, report.correction);
    look_at_bodies(simulation, start, run.move, run.sink);
    if (k >= run.settle) {
      run.busy += report.pivots + report.sweeps > 0 ? 1 : 0;
      seconds += report.seconds;
      look_at_bodies(simulation, settled, run.drift, ignored);
    }
    if (k % 64 == 0 && since_told.seconds() > told) {
      told = since_told.seconds() + 0.5;
      output.progress(format("sim: %s, %s: step %lld of %lld", scene.c_str(), run.model.c_str(),
                             static_cast<long long>(k), static_cast<long long>(steps)));
    }
  }
  output.progress("");
  run.seconds_per_step = seconds / static_cast<double>(std::max<std::int64_t>(1, steps - run.settle));
  run.memory_growth = read_resident_memory() - memory;
  run.speed = simulation.state().v.size() > 0 ? simulation.state().v.cwiseAbs().maxCoeff() : 0.0;
  run.hash = simulation.calc_hash();
  return run;
}

void print_sim_header(Output& output, const std::string& title) {
  output.line(title);
  output.line(
      "  scene           model                 steps    move m    sunk m   drift m overlap m  worst     busy  us/step");
}

void print_sim_run(Output& output, const SimRun& run) {
  output.line(
      format("  %-15s %-17s %9lld %9.2e %9.2e %9.2e %9.2e %8.1e %6lld %8.1f%s%s", run.scene.c_str(), run.model.c_str(),
             static_cast<long long>(run.steps), run.move, run.sink, run.drift, run.overlap, run.worst,
             static_cast<long long>(run.busy), 1e6 * run.seconds_per_step,
             run.failed > 0 ? format("  %lld not certified", static_cast<long long>(run.failed)).c_str() : "",
             run.fallbacks > 0 ? format("  %lld fallbacks", static_cast<long long>(run.fallbacks)).c_str() : ""));
  output.object({{"kind", "run"},
                 {"scene", run.scene},
                 {"model", run.model},
                 {"threads", run.threads},
                 {"steps", run.steps},
                 {"settle", run.settle},
                 {"move", run.move},
                 {"sink", run.sink},
                 {"drift", run.drift},
                 {"overlap", run.overlap},
                 {"correction", run.correction},
                 {"worst_certificate", run.worst},
                 {"failed_solves", run.failed},
                 {"fallbacks", run.fallbacks},
                 {"busy_steps", run.busy},
                 {"speed_end", run.speed},
                 {"seconds_per_step", run.seconds_per_step},
                 {"memory_growth_mib", run.memory_growth},
                 {"state_hash", format("%016llx", static_cast<unsigned long long>(run.hash))}});
}

int run_sim_bench(const BenchOptions& options) {
  Output output(options, "sim");
  measure_sim_creep(output, options);
  measure_sim_standing(output, options);
  measure_sim_heaps(output, options);
  return output.exit_code();
}

}  // namespace tribo
