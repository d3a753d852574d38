#include "sim/setup.hpp"

#include <algorithm>

#include "sim/shapes.hpp"

namespace tribo {

namespace {

// A bounce starts at the beginning of its step, without the rest of the fall: restitution e adds energy to approaches slower than
// e/(1 − e²) times what gravity gives in two steps. Impact.MixedShapesGainNoEnergy fails without this bound.
constexpr double kFewSteps = 4.0;

}  // namespace

StepSetup::StepSetup(Model the_model, SimulationOptions the_options, CollisionModel shapes, ContactStiffness springs)
    : model(std::move(the_model)),
      options(std::move(the_options)),
      h(options.step > 0.0 ? options.step : model.description().timestep),
      bounce_speed(std::max(options.bounce_speed, kFewSteps * h * model.description().gravity.norm())),
      collision(std::move(shapes)),
      stiffness(std::move(springs)) {
  for (Index b = 0; b < model.nb(); ++b) fixed.push_back(model.tree(b) < 0 ? 1 : 0);
  most_rest_distance = calc_most_rest_distance(model);
  options.margin = std::max(options.margin + most_rest_distance, calc_most_margin(model));
  assembly.h = h;
  assembly.dry_friction = true;
  assembly.turning = std::holds_alternative<CoulombCone>(options.model) && needs_turning(model);
}

double StepSetup::rest_distance(Index shape_a, Index shape_b) const {
  return most_rest_distance > 0.0 ? calc_rest_distance(model, shape_a, shape_b) : 0.0;
}

}  // namespace tribo
