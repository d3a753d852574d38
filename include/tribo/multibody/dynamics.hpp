// Dynamics of kinematic trees:   M(q) v̇ + bias(q, v) = passive(q, v) + applied + constraints.
//     bias     Coriolis, centrifugal and gravity, by recursive Newton–Euler                         O(bodies)
//     M        with armature, by composite rigid bodies                                             O(dofs · depth)
//     passive  springs, dampers, gravity compensation
// Call in the order of this file; what a function reads from Data is said beside it.
#pragma once

#include "tribo/multibody/data.hpp"

namespace tribo {

void calc_positions(const Model& model, const State& state, Data& data);
void calc_velocities(const Model& model, const State& state, Data& data);  // after positions
void calc_mass_matrix(const Model& model, Data& data);                     // after positions
void calc_bias(const Model& model, Data& data);                            // after velocities
void calc_passive(const Model& model, const State& state, Data& data);     // after velocities
// The bias of one tree with other velocities v of its joints, into its part of `bias`; the results in data stay. After velocities.
void calc_bias_of(const Model& model, Index tree, const VectorXd& v, Data& data, VectorXd& bias);
// All of the above.
void calc_dynamics(const Model& model, const State& state, Data& data);

MatrixXd make_dense_mass(const Model& model, const Data& data);
// M⁻¹ b tree by tree. Fails, naming the tree's first body, where M is not positive definite.
Expected<VectorXd> solve_mass(const Model& model, const Data& data, const VectorIn& b);

struct Energy {
  double kinetic = 0.0;    // J, ½ vᵀ M v
  double potential = 0.0;  // J, of gravity (zero at height zero) and springs
};
Energy calc_energy(const Model& model, const State& state, const Data& data);     // after mass matrix and velocities
double calc_potential(const Model& model, const State& state, const Data& data);  // J; after positions
// Of one tree, springs left out; after velocities, with the same v.
Energy calc_energy_of(const Model& model, Index tree, const VectorXd& v, const Data& data);

// Of the bodies that move or do not, from positions and velocities; armature is not matter and has no momentum.
struct Momentum {
  double mass = 0.0;
  Vector3d com = Vector3d::Zero();      // m, world
  Vector3d linear = Vector3d::Zero();   // N·s
  Vector3d angular = Vector3d::Zero();  // N·m·s about com
};
Momentum calc_momentum(const Model& model, const Data& data, Index root = 0);  // of a body and all that hangs on it

}  // namespace tribo
