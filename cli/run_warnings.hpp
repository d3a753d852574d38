// What tribo run does otherwise than the scene or the user may expect, one line each on standard error.
#pragma once

#include "tribo/io/model_file.hpp"
#include "tribo/sim/simulation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tribo {

// What the scene asks for and these options, or Tribo at all, do not do.
void warn_of_scene(const std::string& path, const World& world, const SimulationOptions& options);

// `turn`: rad, the most that a body turned in one step.
void warn_of_turn(const std::string& path, double turn);

// The warnings of steps, of which there were `count`.
void warn_of_steps(const std::string& path, const std::vector<std::string>& warnings, std::int64_t count);

}  // namespace tribo
