// Promise (5): many bodies. A wall, a pile that falls and comes to rest, and the same bits whoever computes them.
#include <vector>

#include "sim/sim_parts.hpp"

namespace tribo {
namespace {

constexpr double kWallMove = 1e-4;      // m
constexpr double kWallSeconds = 5e-3;   // a step
constexpr double kPileSeconds = 10e-3;  // a step, once it rests
constexpr double kPileOverlap = 1e-3;   // m
constexpr double kPileSpeed = 1e-3;     // m/s, rad/s

void measure_wall(Output& output, const BenchOptions& options) {
  std::optional<Simulation> simulation = load_sim_scene(output, "brick_wall", {});
  if (!simulation) return;
  const SimRun run = run_sim_scene(output, *simulation, "brick_wall", options.quick ? 100 : 2000, 10);
  print_sim_run(output, run);
  output.promise("brick_wall stands", run.move < kWallMove && run.certified(),
                 format("moved %.2e m, allowed %.0e", run.move, kWallMove));
  output.promise("time of brick_wall", run.seconds_per_step <= kWallSeconds,
                 format("%.2f ms a step, allowed %.0f", 1e3 * run.seconds_per_step, 1e3 * kWallSeconds));
}

// Falls for the first three quarters; the last one counts as rest.
void measure_pile(Output& output, const BenchOptions& options) {
  std::optional<Simulation> simulation = load_sim_scene(output, "pile", {});
  if (!simulation) return;
  const std::int64_t steps = options.quick ? 100 : 2000;
  const SimRun run = run_sim_scene(output, *simulation, "pile", steps, 3 * steps / 4);
  print_sim_run(output, run);
  output.promise(
      "pile is certified", run.certified(),
      format("%lld of %lld steps not certified, worst %.1e, %lld fallbacks", static_cast<long long>(run.failed),
             static_cast<long long>(steps), run.worst, static_cast<long long>(run.fallbacks)));
  output.promise("pile does not interpenetrate", run.overlap < kPileOverlap,
                 format("deepest overlap %.2e m, allowed %.0e; largest correction %.1e", run.overlap, kPileOverlap,
                        run.correction));
  if (options.quick) return;  // it is still falling
  output.promise("pile comes to rest", run.speed < kPileSpeed,
                 format("largest speed %.2e after %.1f s, allowed %.0e", run.speed, simulation->time(), kPileSpeed));
  output.promise("time of pile", run.seconds_per_step <= kPileSeconds,
                 format("%.2f ms a step, allowed %.0f", 1e3 * run.seconds_per_step, 1e3 * kPileSeconds));
}

void measure_bits(Output& output, const BenchOptions& options) {
  const int steps = options.quick ? 40 : 200;
  for (const char* scene : {"pile", "dominoes"}) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2}) {
      std::optional<Simulation> simulation = load_sim_scene(output, scene, {.threads = threads});
      if (!simulation) return;
      const SimRun run = run_sim_scene(output, *simulation, scene, steps, 0);
      hashes.push_back(run.hash);
    }
    std::optional<Simulation> first = load_sim_scene(output, scene, {}), second = load_sim_scene(output, scene, {});
    if (!first || !second) return;
    run_sim_scene(output, *first, scene, steps / 2, 0);
    const bool read = second->load_checkpoint(first->save_checkpoint()).has_value();
    hashes.push_back(read ? run_sim_scene(output, *second, scene, steps - steps / 2, 0).hash : 0);
    const auto text = [](std::uint64_t hash) { return format("%016llx", static_cast<unsigned long long>(hash)); };
    output.object({{"kind", "bits"},
                   {"scene", scene},
                   {"steps", steps},
                   {"one_thread", text(hashes[0])},
                   {"two_threads", text(hashes[1])},
                   {"resumed", text(hashes[2])}});
    output.promise(format("%s has the same bits", scene), hashes[0] == hashes[1] && hashes[0] == hashes[2],
                   format("one thread %s, two %s, resumed %s", text(hashes[0]).c_str(), text(hashes[1]).c_str(),
                          text(hashes[2]).c_str()));
  }
}

}  // namespace

void measure_sim_heaps(Output& output, const BenchOptions& options) {
  print_sim_header(output, "many bodies");
  measure_wall(output, options);
  measure_pile(output, options);
  measure_bits(output, options);
}

}  // namespace tribo
