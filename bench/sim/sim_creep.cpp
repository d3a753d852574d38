// Promise (1): what friction holds does not creep, however long it is held.
#include <algorithm>
#include <array>

#include "sim/sim_parts.hpp"

namespace tribo {
namespace {

constexpr std::int64_t kHeld = 100000;  // steps

// Pyramids are solved anew in every step, some 20 ms for the row: it is held for a tenth of the steps, with a tenth of what
// is allowed.
struct FrictionLaw {
  ContactModel model;
  double allowed;  // m in kHeld steps
  std::int64_t row_steps, quick_row_steps;
};

}  // namespace

void measure_sim_creep(Output& output, const BenchOptions& options) {
  const std::array<FrictionLaw, 3> laws = {FrictionLaw{NoSlip{}, 1e-9, kHeld, 500},
                                           FrictionLaw{CoulombCone{}, 1e-6, kHeld, 1000},
                                           FrictionLaw{CoulombPyramid{}, 1e-6, kHeld / 10, 50}};
  print_sim_header(output, "held by friction");
  for (const char* scene : {"incline", "row_grasp"}) {
    const bool row = std::string(scene) == "row_grasp";
    for (const FrictionLaw& law : laws) {
      std::optional<Simulation> simulation = load_sim_scene(output, scene, {.model = law.model});
      if (!simulation) continue;
      const std::int64_t full = row ? law.row_steps : kHeld;
      const std::int64_t steps = !options.quick ? full : row ? law.quick_row_steps : 2000;
      const double allowed = law.allowed * static_cast<double>(full) / static_cast<double>(kHeld);
      const SimRun run = run_sim_scene(output, *simulation, scene, steps, std::min<std::int64_t>(100, steps / 2));
      print_sim_run(output, run);
      output.promise(format("%s with %s does not creep", scene, run.model.c_str()),
                     run.move < allowed && run.certified(),
                     format("moved %.2e m in %lld steps, allowed %.0e; %lld not certified", run.move,
                            static_cast<long long>(steps), allowed, static_cast<long long>(run.failed)));
    }
  }
}

}  // namespace tribo
