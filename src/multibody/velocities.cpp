#include "multibody/velocities.hpp"

#include "tribo/core/assert.hpp"
#include "tribo/core/same_bits.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <algorithm>

#include "multibody/spatial.hpp"

namespace tribo {

namespace {

// Adds dofs [at, at + count) to the motion of a body. Axes move with what was before them.
inline void add_dofs(const SpatialVector* S, const double* v, int count, SpatialVector& V, SpatialVector& A) {
  SpatialVector own = S[0] * v[0];
  for (int k = 1; k < count; ++k) own += S[k] * v[k];
  A += cross_motion(V, own);
  V += own;
}

// A kinematic body turns evenly and its origin does not accelerate.
void set_kinematic(const KinematicState& motion, Index b, Data& data) {
  const Vector3d& w = motion.angular_velocity;
  data.V[b] << w, motion.velocity;  // about its own origin
  data.A[b] << Vector3d::Zero(), -w.cross(motion.velocity);
}

// From the motion of the parent, among `all_V` and `all_A`.
void set_moved(const Model& model, const double* v, bool kinematics, Index b, const Data& data,
               std::vector<SpatialVector>& all_V, std::vector<SpatialVector>& all_A) {
  const Index parent = model.bodies()[b].parent;
  SpatialVector V = all_V[parent], A = all_A[parent];
  if (kinematics && (model.tree(b) < 0 || model.tree(parent) < 0) && data.origin[parent] != data.origin[b]) {
    V = move_motion(V, data.origin[parent], data.origin[b]);
    A = move_motion(A, data.origin[parent], data.origin[b]);
  }
  const Index first = model.first_joint(b);
  for (Index j = first; j < first + model.joint_count(b); ++j) {
    const Index at = model.v_start(j);
    switch (model.joints()[j].type) {
      case JointType::kFree:
        V.tail<3>() += Vector3d(v[at], v[at + 1], v[at + 2]);  // along world axes, which do not move
        add_dofs(&data.S[at + 3], v + at + 3, 3, V, A);
        break;
      case JointType::kBall:
        add_dofs(&data.S[at], v + at, 3, V, A);
        break;
      case JointType::kPlanar:
        add_dofs(&data.S[at], v + at, 2, V, A);
        add_dofs(&data.S[at + 2], v + at + 2, 1, V, A);
        break;
      default:
        add_dofs(&data.S[at], v + at, 1, V, A);
    }
  }
  all_V[b] = V;
  all_A[b] = A;
}

}  // namespace

void calc_velocities(const Model& model, const State& state, Data& data) {
  TRIBO_REQUIRE(state.v.size() == model.nv(), "v must have the size of the model");
  const double* v = state.v.data();
  const bool kinematics = !model.kinematic_bodies().empty();
  for (Index b = 1; kinematics && b < model.nb(); ++b) {
    if (model.tree(b) >= 0) continue;
    if (const Index k = model.kinematic_index(b); k >= 0)
      set_kinematic(state.kinematic[k], b, data);
    else
      set_moved(model, v, kinematics, b, data, data.V, data.A);
  }
  for (Index t = 0; t < model.trees().blocks(); ++t) {
    const Index at = model.trees().start(t), size = model.trees().size(t);
    const bool kept =
        data.keeps_trees && data.moved[t] > 0 && data.moved_at[t] == data.placed[t] && data.carried[t] == 0;
    if (kept && same_bits(v + at, data.v.data() + at, size)) continue;
    ++data.moved[t];
    data.moved_at[t] = data.placed[t];
    std::copy_n(v + at, size, data.v.data() + at);
    for (Index b = model.first_body(t); b < model.end_body(t); ++b)
      set_moved(model, v, kinematics, b, data, data.V, data.A);
  }
}

void calc_other_velocities(const Model& model, const VectorXd& v, Index tree, Data& data) {
  const bool kinematics = !model.kinematic_bodies().empty();
  const Index root = model.first_body(tree), parent = model.bodies()[root].parent;
  data.other_V[parent] = data.V[parent];
  data.other_A[parent] = data.A[parent];
  for (Index b = root; b < model.end_body(tree); ++b)
    set_moved(model, v.data(), kinematics, b, data, data.other_V, data.other_A);
}

}  // namespace tribo
