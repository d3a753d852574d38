#include "sim/setup.hpp"

#include <algorithm>

#include "sim/shapes.hpp"

namespace tribo {

namespace {

// Margin of a pair, of the radius of the smaller shape. A correction of positions moves a contact by half as much (correct.cpp): it
// must not close contacts that are not listed.
constexpr double kMarginOfRadius = 2e-2;
constexpr double kMostOwnMargin = 1e-2;  // m

std::vector<double> calc_margins(const CollisionModel& collision, const std::optional<double>& given) {
  std::vector<double> margins;
  for (std::size_t s = 0; s < collision.shapes().size(); ++s) {
    const std::array<Vector3d, 2>& bounds = collision.bounds(static_cast<Index>(s));
    const bool endless = collision.shapes()[s].shape.type == ShapeType::kPlane;
    const double radius = 0.5 * (bounds[1] - bounds[0]).norm();
    margins.push_back(given ? *given : endless ? kMostOwnMargin : std::min(kMostOwnMargin, kMarginOfRadius * radius));
  }
  return margins;
}

// Springs of contacts that open and close keep their energy law with Euler alone (CompliantRandomScenes.LinearConstraintsGainNoEnergy).
Integrator choose_integrator(const SimulationOptions& options, const Model& model) {
  if (options.compliant) return Integrator::kEuler;
  return options.integrator.value_or(model.description().integrator.value_or(Integrator::kMidpoint));
}

}  // namespace

StepSetup::StepSetup(Model the_model, SimulationOptions the_options, CollisionModel shapes, ContactStiffness springs)
    : model(std::move(the_model)),
      options(std::move(the_options)),
      h(options.step > 0.0 ? options.step : model.description().timestep),
      integrator(choose_integrator(options, model)),
      may_bounce(calc_most_restitution(model, options.restitution) > 0.0 && !options.compliant),
      bounce_speed(std::max(options.bounce_speed, h * model.description().gravity.norm())),
      collision(std::move(shapes)),
      margins(calc_margins(collision, options.margin)),
      most_margin(options.margin.value_or(kMostOwnMargin)),
      stiffness(std::move(springs)) {
  for (Index b = 0; b < model.nb(); ++b) fixed.push_back(model.tree(b) < 0 ? 1 : 0);
  most_rest_distance = calc_most_rest_distance(model);
  for (double& margin : margins) margin = std::max(margin + most_rest_distance, calc_most_margin(model));
  most_margin = std::max(most_margin + most_rest_distance, calc_most_margin(model));
  assembly.h = h;
  assembly.integrator = integrator;
  assembly.dry_friction = true;
  assembly.turning = std::holds_alternative<CoulombCone>(options.model) && needs_turning(model);
}

double StepSetup::rest_distance(Index shape_a, Index shape_b) const {
  return most_rest_distance > 0.0 ? calc_rest_distance(model, shape_a, shape_b) : 0.0;
}

}  // namespace tribo
