// Promises (2), (3) and (4): loads that stand for ten minutes, rest that costs nothing, a million steps without a trace.
// The scenes touch exactly and start at rest, where the impulses of the first step are the answer of all. So they are also
// knocked: then rest has to be found, with gaps and impulses that nobody chose.
#include "tribo/core/random.hpp"

#include "sim/sim_parts.hpp"

namespace tribo {
namespace {

constexpr double kSunk = 1e-6;          // m
constexpr double kGrowth = 1.0;         // MiB: buffers of the process' own output, no leak of a step
constexpr std::int64_t kSettled = 100;  // steps

void measure_loads(Output& output, const BenchOptions& options) {
  print_sim_header(output, "ten minutes");
  for (const char* scene : {"heavy_on_light", "box_stack"}) {
    std::optional<Simulation> simulation = load_sim_scene(output, scene, {});
    if (!simulation) continue;
    const double minutes = options.quick ? 0.05 : 10.0;
    const auto steps = static_cast<std::int64_t>(60.0 * minutes / simulation->h() + 0.5);
    const SimRun run = run_sim_scene(output, *simulation, scene, steps, kSettled);
    print_sim_run(output, run);
    output.promise(format("%s stands", scene), run.sink < kSunk && run.move < 2.0 * kSunk && run.certified(),
                   format("sunk %.2e m, moved %.2e m in %.3g min, allowed to sink %.0e; deepest overlap %.2e m",
                          run.sink, run.move, minutes, kSunk, run.overlap));
  }
}

void measure_rest(Output& output, const BenchOptions& options) {
  print_sim_header(output, "at rest");
  for (const char* scene : {"incline", "sphere_stack", "box_stack_20", "box_stack", "heavy_on_light", "heavy_top",
                            "row_grasp", "row_grasp_20", "arch", "brick_wall"}) {
    std::optional<Simulation> simulation = load_sim_scene(output, scene, {});
    if (!simulation) continue;
    const SimRun run = run_sim_scene(output, *simulation, scene, options.quick ? 150 : 2000, kSettled);
    print_sim_run(output, run);
    const std::int64_t counted = run.steps - run.settle;
    output.promise(format("%s rests for nothing", scene), run.busy == 0 && run.certified(),
                   format("%lld of %lld steps without pivots and sweeps (%.1f %%)",
                          static_cast<long long>(counted - run.busy), static_cast<long long>(counted),
                          100.0 * static_cast<double>(counted - run.busy) / static_cast<double>(counted)));
  }
}

// All bodies get speeds up to 50 mm/s and 0.5 rad/s, ten times what friction stops within a step (those of the row, which is
// squeezed, ten times more): a knock that moves no more than what passes for rest would measure nothing. What stands settles, and
// from then on neither drifts nor costs anything.
void measure_knocked(Output& output, const BenchOptions& options) {
  print_sim_header(output, "after a knock");
  for (const char* scene : {"incline", "box_stack_20", "heavy_on_light", "row_grasp", "arch", "brick_wall"}) {
    std::optional<Simulation> simulation = load_sim_scene(output, scene, {.step = 1e-3});
    if (!simulation) continue;
    Random random(options.seed);
    State state = simulation->state();
    const double speed = scene == std::string_view("row_grasp") ? 0.5 : 0.05;
    for (Index i = 0; i < state.v.size(); ++i) state.v(i) = random.uniform(-speed, speed) * (i % 6 < 3 ? 1.0 : 10.0);
    simulation->set_state(state);
    const SimRun run = run_sim_scene(output, *simulation, scene, options.quick ? 600 : 10000, 500);
    print_sim_run(output, run);
    const std::int64_t counted = run.steps - run.settle;
    output.promise(
        format("%s settles after a knock", scene),
        run.move > kSunk && run.drift < kSunk && run.busy == 0 && run.certified(),
        format("knocked by %.1e m, at least %.0e; then drift %.2e m, allowed %.0e; %lld of %lld steps without "
               "pivots and sweeps",
               run.move, kSunk, run.drift, kSunk, static_cast<long long>(counted - run.busy),
               static_cast<long long>(counted)));
  }
}

void measure_million(Output& output, const BenchOptions& options) {
  const std::int64_t steps = options.quick ? 20000 : 1000000;
  print_sim_header(output, "a million steps");
  for (const char* scene : {"incline", "heavy_on_light"}) {
    std::optional<Simulation> simulation = load_sim_scene(output, scene, {});
    if (!simulation) continue;
    const SimRun run = run_sim_scene(output, *simulation, scene, steps, 1000);
    print_sim_run(output, run);
    output.promise(format("%s leaves no trace", scene),
                   run.drift < 1e-9 && run.memory_growth < kGrowth && run.certified(),
                   format("drift %.2e m and %.2f MiB in %lld steps after the first thousand, allowed 1e-09 and %.0f",
                          run.drift, run.memory_growth, static_cast<long long>(steps), kGrowth));
  }
}

}  // namespace

void measure_sim_standing(Output& output, const BenchOptions& options) {
  measure_loads(output, options);
  measure_rest(output, options);
  measure_knocked(output, options);
  measure_million(output, options);
}

}  // namespace tribo
