#include "tribo/multibody/dynamics.hpp"

#include "multibody/spatial.hpp"
#include "multibody/velocities.hpp"

namespace tribo {

namespace {

void sum_bias(const Model& model, Index tree, const std::vector<SpatialVector>& V, const std::vector<SpatialVector>& A,
              Data& data, VectorXd& bias) {
  // Gravity is an upward acceleration of everything.
  const Vector3d& gravity = model.description().gravity;
  const Index root = model.first_body(tree), end = model.end_body(tree);
  for (Index b = root; b < end; ++b) {
    SpatialVector lifted = A[b];
    lifted.tail<3>() -= gravity;
    data.force[b] = multiply(data.inertia[b], lifted) + cross_force(V[b], multiply(data.inertia[b], V[b]));
  }
  for (Index b = end - 1; b > root; --b) data.force[model.bodies()[b].parent] += data.force[b];
  const Index start = model.trees().start(tree);
  if (model.is_free(tree)) {
    const double* force = data.force[root].data();  // couple, force
    for (int k = 0; k < 3; ++k) {
      bias(start + k) = 0.0 + force[3 + k];
      bias(start + 3 + k) = dot_column(data.R[root], k, force);
    }
    return;
  }
  for (Index dof = start; dof < start + model.trees().size(tree); ++dof)
    bias(dof) = data.S[dof].dot(data.force[model.dof_body(dof)]);
}

}  // namespace

void calc_bias(const Model& model, Data& data) {
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    if (data.keeps_trees && data.bias_of[t] == data.moved[t]) continue;
    data.bias_of[t] = data.moved[t];
    sum_bias(model, t, data.V, data.A, data, data.bias);
  }
}

void calc_bias_of(const Model& model, Index tree, const VectorXd& v, Data& data, VectorXd& bias) {
  calc_other_velocities(model, v, tree, data);
  sum_bias(model, tree, data.other_V, data.other_A, data, bias);
}

void calc_dynamics(const Model& model, const State& state, Data& data) {
  calc_positions(model, state, data);
  calc_velocities(model, state, data);
  calc_mass_matrix(model, data);
  calc_bias(model, data);
  calc_passive(model, state, data);
}

}  // namespace tribo
