#include "tribo/core/assert.hpp"
#include "tribo/multibody/model.hpp"

#include <cmath>

#include "multibody/quaternion.hpp"

namespace tribo {

namespace {

// Eigen's stableNorm() sums in an order that depends on where the numbers lie in memory: the last bit is not always the same.
double calc_length(const Eigen::Vector4d& x) { return std::hypot(std::hypot(x(0), x(1)), std::hypot(x(2), x(3))); }

}  // namespace

State make_state(const Model& model) {
  State state;
  state.q = model.q0();
  state.v = VectorXd::Zero(model.nv());
  state.activation = VectorXd::Zero(model.nu());
  for (const Index body : model.kinematic_bodies()) state.kinematic.push_back({.pose = model.bodies()[body].pose});
  return state;
}

Expected<State> make_state(const Model& model, const Keyframe& keyframe) {
  State state = make_state(model);
  if (keyframe.q.size() > 0) state.q = keyframe.q;
  if (keyframe.v.size() > 0) state.v = keyframe.v;
  if (keyframe.activation.size() > 0) state.activation = keyframe.activation;
  if (!keyframe.kinematic.empty()) {
    if (keyframe.kinematic.size() != state.kinematic.size())
      return fail("it has poses for " + std::to_string(keyframe.kinematic.size()) +
                      " kinematic bodies, the model has " + std::to_string(state.kinematic.size()),
                  "", "give one pose per kinematic body");
    for (std::size_t k = 0; k < state.kinematic.size(); ++k) state.kinematic[k].pose = keyframe.kinematic[k];
  }
  if (Checked checked = validate(model, state); !checked) return Unexpected<Error>{checked.error()};
  return state;
}

Checked validate(const Model& model, State& state) {
  if (state.q.size() != model.nq() || state.v.size() != model.nv())
    return fail("q has " + std::to_string(state.q.size()) + " numbers and v " + std::to_string(state.v.size()), "",
                "give " + std::to_string(model.nq()) + " and " + std::to_string(model.nv()));
  if (!state.q.allFinite() || !state.v.allFinite())
    return fail("q or v has a number that is not finite", "", "give finite numbers");
  if (state.kinematic.size() != model.kinematic_bodies().size())
    return fail("there are " + std::to_string(state.kinematic.size()) + " motions of kinematic bodies", "",
                "give " + std::to_string(model.kinematic_bodies().size()));
  if (state.activation.size() == 0) state.activation = VectorXd::Zero(model.nu());
  if (state.activation.size() != model.nu() || !state.activation.allFinite())
    return fail("there are " + std::to_string(state.activation.size()) + " activations, or one is not finite", "",
                "give " + std::to_string(model.nu()) + " finite numbers, one per actuator");
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Joint& joint = model.joints()[j];
    if (joint.type != JointType::kFree && joint.type != JointType::kBall) continue;
    auto quaternion =
        state.q.segment<4>(model.q_start(static_cast<Index>(j)) + (joint.type == JointType::kFree ? 3 : 0));
    const double norm = calc_length(quaternion);
    if (!(norm > 1e-12))
      return fail("the quaternion of a joint is zero", "joint '" + joint.name + "'", "give a unit quaternion, w first");
    quaternion /= norm;
  }
  for (KinematicState& kinematic : state.kinematic) {
    const double norm = calc_length(kinematic.pose.q.coeffs());
    if (!kinematic.pose.p.allFinite() || !(norm > 1e-12) || !std::isfinite(norm))
      return fail("the pose of a kinematic body is not finite, or its quaternion is zero", "", "give finite numbers");
    if (!kinematic.velocity.allFinite() || !kinematic.angular_velocity.allFinite())
      return fail("the velocity of a kinematic body is not finite", "", "give finite numbers");
    kinematic.pose.q.coeffs() /= norm;
  }
  return ok();
}

namespace {

void integrate_joint(const Model& model, Index joint, const VectorIn& v, double h, VectorXd& q) {
  const Index at_q = model.q_start(joint), at_v = model.v_start(joint);
  switch (model.joints()[joint].type) {
    case JointType::kFree:
      q.segment<3>(at_q) += h * v.segment<3>(at_v);
      turn(v.segment<3>(at_v + 3), h, q.data() + at_q + 3);
      break;
    case JointType::kBall:
      turn(v.segment<3>(at_v), h, q.data() + at_q);
      break;
    case JointType::kPlanar:
      q.segment<3>(at_q) += h * v.segment<3>(at_v);
      break;
    default:
      q(at_q) += h * v(at_v);
  }
}

}  // namespace

void integrate(const Model& model, const VectorIn& v, double h, VectorXd& q) {
  TRIBO_REQUIRE(v.size() == model.nv() && q.size() == model.nq(), "q and v must have the sizes of the model");
  for (Index j = 0; j < std::ssize(model.joints()); ++j) integrate_joint(model, j, v, h, q);
}

void integrate_tree(const Model& model, Index tree, const VectorIn& v, double h, VectorXd& q) {
  TRIBO_REQUIRE(v.size() == model.nv() && q.size() == model.nq(), "q and v must have the sizes of the model");
  for (Index b = model.first_body(tree); b < model.end_body(tree); ++b) {
    const Index first = model.first_joint(b);
    for (Index j = first; j < first + model.joint_count(b); ++j) integrate_joint(model, j, v, h, q);
  }
}

void difference(const Model& model, const VectorIn& q, const VectorIn& q_next, VectorXd& v) {
  TRIBO_REQUIRE(q.size() == model.nq() && q_next.size() == model.nq(),
                "both positions must have the size of the model");
  v.resize(model.nv());
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Index at_q = model.q_start(static_cast<Index>(j)), at_v = model.v_start(static_cast<Index>(j));
    switch (model.joints()[j].type) {
      case JointType::kFree:
        v.segment<3>(at_v) = q_next.segment<3>(at_q) - q.segment<3>(at_q);
        v.segment<3>(at_v + 3) = rotation_between(q.data() + at_q + 3, q_next.data() + at_q + 3);
        break;
      case JointType::kBall:
        v.segment<3>(at_v) = rotation_between(q.data() + at_q, q_next.data() + at_q);
        break;
      case JointType::kPlanar:
        v.segment<3>(at_v) = q_next.segment<3>(at_q) - q.segment<3>(at_q);
        break;
      default:
        v(at_v) = q_next(at_q) - q(at_q);
    }
  }
}

}  // namespace tribo
