// The kinematic tree as indented text: a line per body, and one for each of its joints.
#include <numbers>

#include "inspect_output.hpp"
#include "inspect_words.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr std::size_t kMassColumn = 44;
constexpr std::size_t kMaxIndent = 32;  // deeper bodies say their depth instead

std::string degrees(double radians) { return fmt::format("{:.6g}°", radians * 180.0 / std::numbers::pi); }

std::string limits_of(const Joint& joint) {
  if (!joint.limited) return "";
  if (joint.type == JointType::kBall) return fmt::format("up to {} ({:.4g} rad)", degrees(joint.upper), joint.upper);
  if (joint.type == JointType::kSlide) return fmt::format("{:.6g} … {:.6g} m", joint.lower, joint.upper);
  return fmt::format("{} … {} ({:.4g} … {:.4g} rad)", degrees(joint.lower), degrees(joint.upper), joint.lower,
                     joint.upper);
}

std::string unless_zero(const char* what, double x) { return x == 0.0 ? "" : fmt::format("{} {:.4g}", what, x); }

std::string axis_of(const Joint& joint) {
  if (joint.type == JointType::kFree || joint.type == JointType::kBall) return "";
  return fmt::format("axis ({:.4g}, {:.4g}, {:.4g})", joint.axis.x(), joint.axis.y(), joint.axis.z());
}

std::string joint_line(const Model& model, Index j, std::size_t indent) {
  const Joint& joint = model.joints()[static_cast<std::size_t>(j)];
  std::vector<std::string> phrases = {
      axis_of(joint),
      limits_of(joint),
      unless_zero("stiffness", joint.stiffness),
      unless_zero("damping", joint.damping),
      unless_zero("armature", joint.armature),
      unless_zero("friction", joint.friction_loss),
      unless_zero("reference", joint.reference),
  };
  if (joint.effort_limit != kUnlimited) phrases.push_back(fmt::format("effort {:.4g}", joint.effort_limit));
  if (joint.velocity_limit != kUnlimited) phrases.push_back(fmt::format("speed {:.4g}", joint.velocity_limit));
  const std::string name = shown(joint.name, "joint", j);
  return joined(std::string(indent, ' ') + "· " + name_of(joint.type) + " " + name, phrases, indent + 4);
}

std::string mark_of(const Model& model, Index b) {
  const Body& body = model.bodies()[static_cast<std::size_t>(b)];
  if (body.kinematic) return "kinematic";
  if (model.joint_count(b) > 0) return "";
  if (model.carrier(b) >= 0) return "on a kinematic body";
  return model.tree(b) < 0 ? "fixed to the world" : "welded";
}

}  // namespace

std::string inspect_tree(const Model& model) {
  std::string text;
  std::vector<std::size_t> depth(model.bodies().size(), 0);
  for (Index b = 0; b < model.nb(); ++b) {
    const Body& body = model.bodies()[static_cast<std::size_t>(b)];
    if (b > 0) depth[static_cast<std::size_t>(b)] = depth[static_cast<std::size_t>(body.parent)] + 1;
    const std::size_t level = depth[static_cast<std::size_t>(b)], indent = std::min(2 * level, kMaxIndent);
    std::string line = std::string(indent, ' ');
    if (2 * level > kMaxIndent) line += fmt::format("[{}] ", level);
    line += shown(body.name, "body", b);
    if (b == 0 && body.inertia.mass == 0.0) {
      text += line + "\n";
      continue;
    }
    std::vector<std::string> phrases = {fmt::format("{:.6g} kg", body.inertia.mass), mark_of(model, b)};
    if (body.gravity_compensation != 0.0)
      phrases.push_back(fmt::format("gravity compensation {:.4g}", body.gravity_compensation));
    text += joined(padded_to(line, kMassColumn), phrases, kMassColumn);
    for (Index k = 0; k < model.joint_count(b); ++k) text += joint_line(model, model.first_joint(b) + k, indent + 2);
  }
  return text;
}

}  // namespace tribo
