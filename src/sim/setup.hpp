// What all stages of a step read and none of them changes.
#pragma once

#include "tribo/collision/collision_model.hpp"
#include "tribo/multibody/assembly.hpp"
#include "tribo/multibody/model.hpp"
#include "tribo/sim/simulation.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/contact_stiffness.hpp"

namespace tribo {

struct StepSetup {
  StepSetup(Model the_model, SimulationOptions the_options, CollisionModel shapes, ContactStiffness springs);

  const Geom& geom(Index shape) const { return model.description().geoms[static_cast<std::size_t>(shape)]; }
  // m: surfaces of these shapes that are this far apart touch.
  double rest_distance(Index shape_a, Index shape_b) const;
  // No contact moves the body of this shape.
  bool is_fixed(Index shape) const { return fixed[static_cast<std::size_t>(geom(shape).body)] != 0; }

  // The block of v that moves a body: its tree, or after the trees the kinematic body that carries it; -1: none.
  Index block_of(Index body) const {
    const Index carrier = model.carrier(body);
    return carrier >= 0 ? model.trees().blocks() + model.kinematic_index(carrier) : model.tree(body);
  }

  // m: contacts of the two shapes within it are listed, whatever their motion.
  double calc_margin(Index shape_a, Index shape_b) const { return std::min(margins[shape_a], margins[shape_b]); }

  Model model;
  SimulationOptions options;
  double h;  // s
  Integrator integrator;
  bool may_bounce;      // some pair has restitution
  double bounce_speed;  // m/s, > 0: of the options, and at least what gravity gives in a step
  CollisionModel collision;
  std::vector<double> margins;      // m, per shape; a pair has the smaller one of its two
  double most_margin;               // m, of all shapes
  ContactStiffness stiffness;       // where contacts are compliant
  AssemblyOptions assembly;         // of the rows of a step
  std::vector<std::uint8_t> fixed;  // per body
  double most_rest_distance;        // m, of all pairs of shapes; margins are larger by it at least
};

}  // namespace tribo
