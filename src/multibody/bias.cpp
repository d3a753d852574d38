#include "tribo/multibody/dynamics.hpp"

#include "multibody/spatial.hpp"

namespace tribo {

void calc_bias(const Model& model, Data& data) {
  // Gravity is an upward acceleration of everything.
  const Vector3d& gravity = model.description().gravity;
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    if (data.keeps_trees && data.bias_of[t] == data.moved[t]) continue;
    data.bias_of[t] = data.moved[t];
    const Index root = model.first_body(t), end = model.end_body(t);
    for (Index b = root; b < end; ++b) {
      SpatialVector A = data.A[b];
      A.tail<3>() -= gravity;
      data.force[b] = multiply(data.inertia[b], A) + cross_force(data.V[b], multiply(data.inertia[b], data.V[b]));
    }
    for (Index b = end - 1; b > root; --b) data.force[model.bodies()[b].parent] += data.force[b];
    const Index start = model.trees().start(t);
    if (model.is_free(t)) {
      const double* force = data.force[root].data();  // couple, force
      for (int k = 0; k < 3; ++k) {
        data.bias(start + k) = 0.0 + force[3 + k];
        data.bias(start + 3 + k) = dot_column(data.R[root], k, force);
      }
      continue;
    }
    for (Index dof = start; dof < start + model.trees().size(t); ++dof)
      data.bias(dof) = data.S[dof].dot(data.force[model.dof_body(dof)]);
  }
}

void calc_dynamics(const Model& model, const State& state, Data& data) {
  calc_positions(model, state, data);
  calc_velocities(model, state, data);
  calc_mass_matrix(model, data);
  calc_bias(model, data);
  calc_passive(model, state, data);
}

}  // namespace tribo
