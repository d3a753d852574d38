// The seven contact models of the simulator, and small worlds that are at rest or in motion in each of them.
#pragma once

#include "tribo/sim/simulation.hpp"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "sim/worlds.hpp"

namespace tribo::testing {

struct ModelCase {
  const char* name;
  ContactModel model;
  bool compliant = false;
  bool holds = true;  // friction holds a body at rest on a slope

  SimulationOptions with(SimulationOptions options) const {
    options.model = model;
    options.compliant = compliant;
    return options;
  }
};

inline void PrintTo(const ModelCase& model, std::ostream* out) { *out << model.name; }

inline const std::vector<ModelCase>& every_model() {
  static const std::vector<ModelCase> models = {
      {.name = "frictionless", .model = Frictionless{}, .holds = false},
      {.name = "no_slip", .model = NoSlip{}},
      {.name = "viscous", .model = Viscous{}, .holds = false},
      {.name = "pyramid", .model = CoulombPyramid{}},
      {.name = "box", .model = FrictionBox{}},
      {.name = "cone", .model = CoulombCone{}},
      {.name = "compliant", .model = CoulombCone{}, .compliant = true},
  };
  return models;
}

struct NameOfModel {
  template <typename Info>
  std::string operator()(const Info& info) const {
    return info.param.name;
  }
};

inline constexpr double kSlope = 0.3;      // rad; mu = 0.5 holds, mu = 0.1 slides
inline constexpr double kMuViscous = 0.5;  // N·s/m, of every geom: the model viscous slides with it

inline void set_viscous(ModelDescription& d) {
  for (Geom& geom : d.geoms) geom.surface.mu_v = kMuViscous;
}

// `height` equal boxes on one another, their lowest face at `distance` down the slope from the origin and `aside` beside it.
inline void add_stack(ModelDescription& d, int height, double mu, double slope, double distance, double aside) {
  const Quaterniond turn(Eigen::AngleAxisd(slope, Vector3d::UnitY()));
  for (int k = 0; k < height; ++k)
    add_box(d, Vector3d(0.1, 0.1, 0.05), 1.0, mu, {.p = turn * Vector3d(distance, aside, 0.05 + 0.1 * k), .q = turn});
}

// A door on a hinge about y through `at`, with its centre of mass 0.3 m below, limits and dry friction.
inline void add_door(ModelDescription& d, const Vector3d& at, double friction_loss, double limit) {
  Body body;
  body.name = "door_" + std::to_string(d.bodies.size());
  body.pose.p = at;
  body.inertia = {1.0, Vector3d(0.0, 0.0, -0.3), 0.05 * Matrix3d::Identity()};
  d.bodies.push_back(body);
  Joint joint;
  joint.body = static_cast<Index>(d.bodies.size()) - 1;
  joint.axis = Vector3d::UnitY();
  joint.limited = true;
  joint.lower = -limit;
  joint.upper = limit;
  joint.friction_loss = friction_loss;
  d.joints.push_back(joint);
}

// In motion in every model: two stacks slide down a slope and stay together (no-slip: they stand), a ball rolls or slides, a tray that
// hangs on a hinge with limits and dry friction swings with a box on it.
inline Simulation make_motion(const ModelCase& model, SimulationOptions options = {.step = 1e-3}) {
  ModelDescription d;
  add_floor(d, 0.1, kSlope);
  add_stack(d, 1, 0.1, kSlope, 0.0, 0.0);
  add_stack(d, 2, 0.1, kSlope, 0.0, 1.0);
  const Quaterniond turn(Eigen::AngleAxisd(kSlope, Vector3d::UnitY()));
  add_sphere(d, 0.1, 1.0, 0.1, turn * Vector3d(0.0, 2.0, 0.1));
  // The tray, 4 m above the slope and 2 m below its hinge.
  add_door(d, Vector3d(0.0, -2.0, 6.0), 0.05, 0.5);
  d.bodies.back().inertia = {5.0, Vector3d(0.0, 0.0, -2.0), 0.2 * Matrix3d::Identity()};
  add_geom(d, std::ssize(d.bodies) - 1, {ShapeType::kBox, Vector3d(0.6, 0.3, 0.02), -1}, 0.5,
           {.p = Vector3d(0.0, 0.0, -2.0)});
  add_box(d, Vector3d(0.1, 0.1, 0.05), 1.0, 0.5, {.p = Vector3d(0.05, -2.0, 4.07)});
  set_viscous(d);
  Simulation simulation = make_simulation(std::move(d), model.with(std::move(options)));
  const Model& made = simulation.model();
  State state = simulation.state();
  const double turning = 0.2;  // rad/s; the box moves with the tray
  state.v(made.v_start(4)) = turning;
  state.v.segment<3>(made.v_start(5)) = Vector3d(0.0, turning, 0.0).cross(Vector3d(0.05, 0.0, -1.93));
  state.v(made.v_start(5) + 4) = turning;
  simulation.set_state(state);
  return simulation;
}

// At rest in every model: a stack, a wall with joints one above the middle of the other, a door on its limit. Where friction holds,
// a stack on a slope as well.
inline Simulation make_rest(const ModelCase& model, SimulationOptions options = {.step = 1e-3}) {
  ModelDescription d;
  add_floor(d, 0.5);
  add_stack(d, 5, 0.5, 0.0, 0.0, 0.0);
  for (int course = 0; course < 3; ++course) {
    for (int k = 0; k < 4 - course; ++k)
      add_box(d, Vector3d(0.12, 0.06, 0.04), 4.0, 0.5,
              {.p = Vector3d(1.0 + 0.25 * k + 0.125 * course, 0.0, 0.04 + 0.08 * course)});
  }
  if (model.holds) {
    const Quaterniond turn(Eigen::AngleAxisd(kSlope, Vector3d::UnitY()));
    const Vector3d at(0.0, 3.0, 2.0);
    add_geom(d, 0, {ShapeType::kBox, Vector3d(1.0, 1.0, 0.1), -1}, 0.5,
             {.p = at - turn * Vector3d(0.0, 0.0, 0.1), .q = turn});
    for (int k = 0; k < 2; ++k)
      add_box(d, Vector3d(0.1, 0.1, 0.05), 1.0, 0.5, {.p = at + turn * Vector3d(0.0, 0.0, 0.05 + 0.1 * k), .q = turn});
  }
  add_door(d, Vector3d(0.0, -2.0, 1.0), 0.0, 0.2);
  d.bodies.back().inertia.com = Vector3d(0.3, 0.0, 0.0);
  set_viscous(d);
  return make_simulation(std::move(d), model.with(std::move(options)));
}

}  // namespace tribo::testing
