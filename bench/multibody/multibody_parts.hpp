// The parts of `bench multibody`, and what they share.
#pragma once

#include "tribo/multibody/dynamics.hpp"

#include "output.hpp"
#include "timing.hpp"

namespace tribo {

// Least seconds of the stages that lead to M and bias.
struct StageTimes {
  double positions = 1e30, velocities = 1e30, mass_matrix = 1e30, bias = 1e30;
  double all = 1e30;  // one after the other, measured as such
};

// Calls `work` `count` times and keeps the time of one call where it is the least so far.
template <typename Work>
void keep_least(double& least, int count, Work&& work) {
  const Stopwatch watch;
  for (int i = 0; i < count; ++i) work();
  least = std::min(least, watch.seconds() / count);
}

// One round of measurements. `Engine` has the four stages as members.
template <typename Engine>
void measure_round(Engine& engine, int count, StageTimes& times) {
  keep_least(times.positions, count, [&] { engine.calc_positions(); });
  keep_least(times.velocities, count, [&] { engine.calc_velocities(); });
  keep_least(times.mass_matrix, count, [&] { engine.calc_mass_matrix(); });
  keep_least(times.bias, count, [&] { engine.calc_bias(); });
  keep_least(times.all, count, [&] {
    engine.calc_positions();
    engine.calc_velocities();
    engine.calc_mass_matrix();
    engine.calc_bias();
  });
}

// Ours, in the shape of the peer.
struct OurEngine {
  const Model& model;
  State state;
  Data data;

  void calc_positions() { tribo::calc_positions(model, state, data); }
  void calc_velocities() { tribo::calc_velocities(model, state, data); }
  void calc_mass_matrix() { tribo::calc_mass_matrix(model, data); }
  void calc_bias() { tribo::calc_bias(model, data); }
};

// All coordinates in [−1, 1], quaternions unit, v normal.
State make_bench_state(const Model& model, std::uint64_t seed);

void run_multibody_robots(Output& output, const BenchOptions& options);
void run_multibody_chains(Output& output, const BenchOptions& options);

}  // namespace tribo
