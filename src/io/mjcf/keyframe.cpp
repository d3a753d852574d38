// <keyframe>: states by name.
#include <algorithm>
#include <span>

#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

struct StateSizes {
  std::size_t q = 0, v = 0, control = 0, kinematic = 0, activation = 0;
};

StateSizes count(const ModelDescription& model) {
  StateSizes sizes;
  for (const Joint& joint : model.joints) {
    const bool free = joint.type == JointType::kFree, ball = joint.type == JointType::kBall;
    sizes.q += free ? 7 : ball ? 4 : 1;
    sizes.v += free ? 6 : ball ? 3 : 1;
  }
  for (const Body& body : model.bodies) sizes.kinematic += body.kinematic ? 1 : 0;
  sizes.control = model.actuators.size();
  for (const Actuator& actuator : model.actuators)
    sizes.activation += actuator.dynamics == ActuatorDynamics::kNone ? 0 : 1;
  return sizes;
}

class KeyframeReader {
 public:
  explicit KeyframeReader(MjcfContext& context) : context_(context), sizes_(count(context.model)) {}

  void read(const XmlElement& item) {
    const XmlFields fields(item, context_.errors);
    Keyframe key;
    fits_ = true;
    fields.text("name", key.name);
    fields.number("time", key.time);
    std::vector<double> q = list(fields, "qpos", sizes_.q);
    const std::vector<double> v = list(fields, "qvel", sizes_.v);
    mend_quaternions(q);
    const std::vector<double> control = list(fields, "ctrl", sizes_.control);
    const std::vector<double> p = list(fields, "mpos", 3 * sizes_.kinematic);
    const std::vector<double> quat = list(fields, "mquat", 4 * sizes_.kinematic);
    const std::vector<double> act = list(fields, "act", sizes_.activation);
    if (!fits_) {
      context_.notices.add("keyframe/key", false, "it speaks of flexible bodies, which are left out");
      return;
    }
    key.q = Eigen::Map<const VectorXd>(q.data(), static_cast<Index>(q.size()));
    key.v = Eigen::Map<const VectorXd>(v.data(), static_cast<Index>(v.size()));
    key.control = Eigen::Map<const VectorXd>(control.data(), static_cast<Index>(control.size()));
    if (!act.empty()) {  // the file has those of actuators with dynamics alone
      key.activation.setZero(static_cast<Index>(sizes_.control));
      std::size_t at = 0;
      for (std::size_t u = 0; u < sizes_.control; ++u) {
        const bool has = context_.model.actuators[u].dynamics != ActuatorDynamics::kNone;
        if (has) key.activation(static_cast<Index>(u)) = act[at++];
      }
    }
    if (!p.empty() || !quat.empty()) set_kinematic(fields, p, quat, key);
    if (context_.errors.failed()) return;
    context_.declare("keyframe", item, key.name, static_cast<Index>(context_.model.keyframes.size()));
    context_.model.keyframes.push_back(std::move(key));
  }

 private:
  std::vector<double> list(const XmlFields& fields, const char* name, std::size_t wanted) {
    std::vector<double> values;
    if (!fields.has(name)) return values;
    fields.list(name, values);
    if (values.empty() || values.size() == wanted) return values;
    if (context_.bodies_left_out) {
      fits_ = false;
    } else {
      fields.fail(name, "has " + std::to_string(values.size()) + " numbers", "give " + std::to_string(wanted));
    }
    return {};
  }

  // A free or ball joint whose quaternion is zero: others take the identity, and so do we, with a notice.
  void mend_quaternions(std::vector<double>& q) {
    if (q.empty()) return;
    std::size_t at = 0;
    for (const Joint& joint : context_.model.joints) {
      const auto size = static_cast<std::size_t>(calc_nq(joint.type));
      if (joint.type == JointType::kFree || joint.type == JointType::kBall) {
        const auto quat = std::span(q).subspan(at + size - 4, 4);
        if (std::all_of(quat.begin(), quat.end(), [](double x) { return x == 0.0; })) {
          quat[0] = 1.0;
          context_.notices.add("key@qpos", true, "the quaternion of joint '" + joint.name + "' is zero: the identity");
        }
      }
      at += size;
    }
  }

  void set_kinematic(const XmlFields& fields, const std::vector<double>& p, const std::vector<double>& quat,
                     Keyframe& key) {
    std::size_t k = 0;
    for (const Body& body : context_.model.bodies) {
      if (!body.kinematic) continue;
      Pose pose = body.pose;
      if (!p.empty()) pose.p = {p[3 * k], p[3 * k + 1], p[3 * k + 2]};
      if (!quat.empty()) pose.q = Quaterniond(quat[4 * k], quat[4 * k + 1], quat[4 * k + 2], quat[4 * k + 3]);
      if (pose.q.norm() < 1e-14) fields.fail("mquat", "a quaternion is zero", "give w x y z");
      pose.q.normalize();
      key.kinematic.push_back(pose);
      ++k;
    }
  }

  MjcfContext& context_;
  StateSizes sizes_;
  bool fits_ = true;
};

}  // namespace

void read_keyframes(MjcfContext& context) {
  KeyframeReader reader(context);
  context.for_each("keyframe", [&](const XmlElement& item) { reader.read(item); });
  if (context.source.left_out_keyframes > 0) {
    context.notices.add("keyframe/key", false, "keyframes of attached models are left out",
                        context.source.left_out_keyframes);
  }
}

}  // namespace tribo
