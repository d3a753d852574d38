#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>

#include "multibody/quaternion.hpp"
#include "multibody/springs.hpp"

namespace tribo {

namespace {

void add_spring(const Model& model, const State& state, Index j, VectorXd& force) {
  const Joint& joint = model.joints()[j];
  if (joint.stiffness == 0.0) return;
  const double* q = state.q.data() + model.q_start(j);
  const double* reference = model.q0().data() + model.q_start(j);
  double* f = force.data() + model.v_start(j);
  switch (joint.type) {
    case JointType::kFree:
    case JointType::kBall: {
      const int shift = joint.type == JointType::kFree ? 3 : 0;
      for (int k = 0; k < shift; ++k) f[k] -= joint.stiffness * (q[k] - reference[k]);
      const Vector3d angle = rotation_between(reference + shift, q + shift);
      for (int k = 0; k < 3; ++k) f[shift + k] -= joint.stiffness * angle(k);
      break;
    }
    case JointType::kPlanar:
      for (int k = 0; k < 3; ++k) f[k] -= joint.stiffness * q[k];
      break;
    default:
      f[0] -= joint.stiffness * (q[0] - joint.spring_reference);
  }
}

// What carries the weight of a body from outside.
void add_compensation(const Model& model, const Data& data, Index b, VectorXd& force) {
  const Body& body = model.bodies()[b];
  const double carried = body.gravity_compensation * body.inertia.mass;
  if (carried == 0.0) return;
  add_row(model, data, b, data.com[b], model.description().gravity, Vector3d::Zero(), -carried,
          force.data() + model.trees().start(model.tree(b)));
}

}  // namespace

double calc_slack(const Tendon& tendon, double length) {
  if (tendon.stiffness == 0.0) return 0.0;
  return length < tendon.spring_lower ? tendon.spring_lower - length : std::min(0.0, tendon.spring_upper - length);
}

void calc_passive(const Model& model, const State& state, Data& data) {
  // What a tendon adds is added to what joints and bodies give: then no tree is kept.
  const std::vector<Tendon>& tendons = model.description().tendons;
  const auto is_kept = [&](Index t) {
    return data.keeps_trees && tendons.empty() && data.passive_of[t] == data.moved[t];
  };
  const Index trees = model.trees().blocks();
  for (Index t = 0; t < trees; ++t) {
    if (is_kept(t)) continue;
    const Index start = model.trees().start(t), end = start + model.trees().size(t);
    for (Index dof = start; dof < end; ++dof) data.passive(dof) = -model.damping()(dof) * state.v(dof);
    for (Index b = model.first_body(t); b < model.end_body(t); ++b) {
      for (Index j = model.first_joint(b); j < model.first_joint(b) + model.joint_count(b); ++j)
        add_spring(model, state, j, data.passive);
    }
  }
  for (std::size_t t = 0; t < tendons.size(); ++t) {
    const double pull = tendons[t].stiffness * calc_slack(tendons[t], data.tendons[t].length);
    for (const TendonArm& arm : data.tendons[t].arms) data.passive(arm.dof) += arm.value * pull;
  }
  for (Index t = 0; t < trees; ++t) {
    if (is_kept(t)) continue;
    data.passive_of[t] = data.moved[t];
    for (Index b = model.first_body(t); b < model.end_body(t); ++b) add_compensation(model, data, b, data.passive);
  }
  for (std::size_t t = 0; t < tendons.size(); ++t) {
    if (tendons[t].damping == 0.0) continue;
    const double speed = data.tendons[t].calc_speed(state.v);
    for (const TendonArm& arm : data.tendons[t].arms) data.passive(arm.dof) -= arm.value * tendons[t].damping * speed;
  }
}

}  // namespace tribo
