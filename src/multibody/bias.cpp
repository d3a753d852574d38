#include "tribo/multibody/dynamics.hpp"

#include "multibody/spatial.hpp"

namespace tribo {

void calc_bias(const Model& model, Data& data) {
  const Index nb = model.nb(), nv = model.nv();
  // Gravity is an upward acceleration of everything.
  const Vector3d& gravity = model.description().gravity;
  for (Index b = 1; b < nb; ++b) {
    if (model.tree(b) < 0) continue;
    SpatialVector A = data.A[b];
    A.tail<3>() -= gravity;
    data.force[b] = multiply(data.inertia[b], A) + cross_force(data.V[b], multiply(data.inertia[b], data.V[b]));
  }
  for (Index b = nb - 1; b > 0; --b) {
    const Index parent = model.bodies()[b].parent;
    if (model.tree(parent) >= 0) data.force[parent] += data.force[b];
  }
  for (Index dof = 0; dof < nv; ++dof) data.bias(dof) = data.S[dof].dot(data.force[model.dof_body(dof)]);
}

void calc_dynamics(const Model& model, const State& state, Data& data) {
  calc_positions(model, state, data);
  calc_velocities(model, state, data);
  calc_mass_matrix(model, data);
  calc_bias(model, data);
  calc_passive(model, state, data);
}

}  // namespace tribo
