// SimulationOptions that make no sense are refused, each with its name, its value and what to give.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/multibody/model.hpp"
#include "tribo/sim/simulation.hpp"

namespace tribo {

Checked check_options(const SimulationOptions& options, const Model& model);

}  // namespace tribo
