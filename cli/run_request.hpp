// What tribo run is asked to do, checked.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/sim/simulation.hpp"

#include <cstdint>

#include "run_command.hpp"

namespace tribo {

struct RunRequest {
  SimulationOptions options;
  double duration = 1.0;   // s
  std::int64_t every = 1;  // steps from one recorded time to the next
};
Expected<RunRequest> make_run_request(const RunArguments& arguments);

// Steps for a duration: the last one ends at it or just beyond.
Expected<std::int64_t> calc_steps(double duration, double h);

// The keyframe to start from: the one named, else "start", else "home", else none (nullptr: the reference).
Expected<const Keyframe*> choose_start(const Model& model, const std::string& scene,
                                       const std::optional<std::string>& key);

}  // namespace tribo
