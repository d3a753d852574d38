// The parts of `bench sim`, and what they share: one scene run for many steps and what was seen on the way.
#pragma once

#include "tribo/sim/simulation.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "output.hpp"

namespace tribo {

// What a run showed. Lengths in m, over all free bodies and all steps.
struct SimRun {
  std::string scene, model;
  int threads = 1;
  std::int64_t steps = 0, settle = 0;
  double move = 0.0, sink = 0.0;  // farthest from the start; deepest below it
  double drift = 0.0;             // farthest from where it was after `settle` steps
  double overlap = 0.0;           // deepest seen
  double correction = 0.0;        // largest move of a coordinate by the correction of positions
  double worst = 0.0;             // certificate
  std::int64_t failed = 0, fallbacks = 0;
  std::int64_t busy = 0;          // steps after `settle` with a pivot or a sweep
  double speed = 0.0;             // m/s, rad/s: largest at the end
  double seconds_per_step = 0.0;  // mean after `settle`
  double memory_growth = 0.0;     // MiB, resident, from `settle` to the end
  std::uint64_t hash = 0;

  bool certified() const { return failed == 0; }
};

// A scene of scenes/ at its keyframe; the failed promise is told where it cannot be read.
std::optional<Simulation> load_sim_scene(Output& output, const std::string& scene, const SimulationOptions& options);
// Every step is looked at; nothing but the steps themselves is timed.
SimRun run_sim_scene(Output& output, Simulation& simulation, const std::string& scene, std::int64_t steps,
                     std::int64_t settle);
void print_sim_header(Output& output, const std::string& title);
void print_sim_run(Output& output, const SimRun& run);

void measure_sim_creep(Output& output, const BenchOptions& options);
void measure_sim_standing(Output& output, const BenchOptions& options);
void measure_sim_heaps(Output& output, const BenchOptions& options);

}  // namespace tribo
