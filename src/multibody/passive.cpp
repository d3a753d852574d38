#include "tribo/multibody/dynamics.hpp"
#include "tribo/multibody/jacobian.hpp"

#include <algorithm>

#include "multibody/quaternion.hpp"
#include "multibody/springs.hpp"

namespace tribo {

void add_spring_forces(const Model& model, const State& state, VectorXd& force) {
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Joint& joint = model.joints()[j];
    if (joint.stiffness == 0.0) continue;
    const double* q = state.q.data() + model.q_start(static_cast<Index>(j));
    const double* reference = model.q0().data() + model.q_start(static_cast<Index>(j));
    double* f = force.data() + model.v_start(static_cast<Index>(j));
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
  for (const Tendon& tendon : model.description().tendons) {
    const double pull = tendon.stiffness * calc_slack(model, state, tendon);
    for (const Tendon::Term& term : tendon.terms) force(model.v_start(term.joint)) += term.coefficient * pull;
  }
}

void add_compensation(const Model& model, const Data& data, VectorXd& force) {
  const Vector3d& gravity = model.description().gravity;
  for (Index b = 1; b < model.nb(); ++b) {
    const Body& body = model.bodies()[b];
    const double carried = body.gravity_compensation * body.inertia.mass;
    if (carried == 0.0 || model.tree(b) < 0) continue;
    add_row(model, data, b, data.com[b], gravity, Vector3d::Zero(), -carried,
            force.data() + model.trees().start(model.tree(b)));
  }
}

double calc_slack(const Model& model, const State& state, const Tendon& tendon) {
  if (tendon.stiffness == 0.0) return 0.0;
  const double length = calc_length(model, state, tendon);
  return length < tendon.spring_lower ? tendon.spring_lower - length : std::min(0.0, tendon.spring_upper - length);
}

double calc_length(const Model& model, const State& state, const Tendon& tendon) {
  double length = 0.0;
  for (const Tendon::Term& term : tendon.terms) length += term.coefficient * state.q(model.q_start(term.joint));
  return length;
}

void calc_passive(const Model& model, const State& state, Data& data) {
  data.passive = -model.damping().cwiseProduct(state.v);
  add_spring_forces(model, state, data.passive);
  add_compensation(model, data, data.passive);
  for (const Tendon& tendon : model.description().tendons) {
    if (tendon.damping == 0.0) continue;
    double speed = 0.0;
    for (const Tendon::Term& term : tendon.terms) speed += term.coefficient * state.v(model.v_start(term.joint));
    for (const Tendon::Term& term : tendon.terms)
      data.passive(model.v_start(term.joint)) -= term.coefficient * tendon.damping * speed;
  }
}

}  // namespace tribo
