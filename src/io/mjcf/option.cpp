// <option> and its flags, and the sections that say nothing about motion.
#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

bool is_off(const XmlFields& flags, const char* name) {
  static constexpr const char* kWords[] = {"enable", "disable"};
  int word = 0;
  flags.choice(name, kWords, word);
  return word == 1;
}

void read_medium(MjcfContext& context, const XmlFields& fields) {
  for (const char* name : {"density", "viscosity"}) {
    double value = 0.0;
    fields.number(name, value);
    if (value == 0.0) continue;
    context.medium = true;
    context.notices.add("option@" + std::string(name), true, "no force of the medium on moving bodies");
  }
  Vector3d wind = Vector3d::Zero();
  fields.vector("wind", wind);
  if (context.medium && !wind.isZero())
    context.notices.add("option@wind", true, "no force of the medium on moving bodies");
}

void switch_off_constraints(ModelDescription& model, bool contacts, bool equalities, bool friction, bool limits) {
  if (contacts) {
    for (Geom& geom : model.geoms) geom.contype = geom.conaffinity = 0;
    model.pairs.clear();
  }
  if (equalities) {
    for (Equality& equality : model.equalities) equality.active = false;
  }
  for (Joint& joint : model.joints) {
    if (friction) joint.friction_loss = 0.0;
    if (limits) joint.limited = false;
  }
  for (Tendon& tendon : model.tendons) {
    if (friction) tendon.friction_loss = 0.0;
    if (limits) tendon.limited = false;
  }
}

void switch_off_passive(MjcfContext& context, bool springs, bool dampers) {
  ModelDescription& model = context.model;
  for (Joint& joint : model.joints) {
    if (springs) joint.stiffness = 0.0;
    if (dampers) joint.damping = 0.0;
    if (!(springs || dampers) || !(joint.spring_time > 0.0)) continue;
    joint.spring_time = 0.0;
    if (springs != dampers) context.notices.add("joint@springdamper", true, "off: its spring and its damper");
  }
  for (Tendon& tendon : model.tendons) {
    if (springs) tendon.stiffness = 0.0;
    if (dampers) tendon.damping = 0.0;
  }
}

// Euler is Tribo's euler, all the others its midpoint.
void read_integrator(MjcfContext& context, const XmlFields& fields) {
  constexpr const char* kNames[] = {"Euler", "RK4", "implicit", "implicitfast"};
  int word = 0;
  if (fields.choice("integrator", kNames, word) == 0) return;
  const Integrator integrator = word == 0 ? Integrator::kEuler : Integrator::kMidpoint;
  context.model.integrator = integrator;
  context.notices.add(std::string("option@integrator ") + kNames[word], false, "taken as " + to_string(integrator));
}

void switch_off(Actuator& actuator) {
  actuator.gain = actuator.bias = {0.0, 0.0, 0.0};
  actuator.damping_ratio = 0.0;
  actuator.dynamics = ActuatorDynamics::kNone;
  actuator.muscle.reset();
}

}  // namespace

void read_options(MjcfContext& context) {
  for (const XmlElement& section : context.source.root.children) {
    const XmlFields fields(section, context.errors);
    if (section.name == "option") {
      fields.number("timestep", context.model.timestep);
      if (!(context.model.timestep > 0.0)) fields.fail("timestep", "is not positive", "give seconds > 0");
      fields.vector("gravity", context.model.gravity);
      read_integrator(context, fields);
      read_medium(context, fields);
    } else if (section.name == "visual" || section.name == "statistic") {
      context.notices.add(section.name, false, "for pictures");
    } else if (section.name == "extension") {
      for (const XmlElement& item : section.children) {
        context.notices.add("extension/" + item.name, false, "plugins are not loaded");
      }
    } else if (section.name == "deformable") {
      for (const XmlElement& item : section.children) {
        const bool flex = item.name == "flex";
        context.notices.add("deformable/" + item.name, flex, flex ? "not flexible, no contact" : "for pictures");
      }
    } else if (section.name == "compiler" && section.find("fusestatic") != nullptr &&
               context.compiler(section).fuse_static) {
      context.notices.add("compiler@fusestatic", false, "static bodies are kept, the motion is the same");
    }
  }
}

void apply_flags(MjcfContext& context) {
  ModelDescription& model = context.model;
  for (const XmlElement& section : context.source.root.children) {
    if (section.name != "option") continue;
    const XmlFields option(section, context.errors);
    std::vector<double> groups;
    option.list("actuatorgroupdisable", groups);
    for (std::size_t i = 0; i < model.actuators.size(); ++i) {
      for (const double group : groups) {
        if (group == context.actuator_group[i]) switch_off(model.actuators[i]);
      }
    }
    const XmlElement* element = section.find_child("flag");
    if (element == nullptr) continue;
    const XmlFields flags(*element, context.errors);
    if (is_off(flags, "gravity")) model.gravity.setZero();
    const bool all = is_off(flags, "constraint");
    switch_off_constraints(model, all || is_off(flags, "contact"), all || is_off(flags, "equality"),
                           all || is_off(flags, "frictionloss"), all || is_off(flags, "limit"));
    const bool passive = is_off(flags, "passive");
    switch_off_passive(context, passive || is_off(flags, "spring"), passive || is_off(flags, "damper"));
    if (passive) {
      for (Body& body : model.bodies) body.gravity_compensation = 0.0;
    }
    if (is_off(flags, "actuation")) {
      for (Actuator& actuator : model.actuators) switch_off(actuator);
    }
    if (is_off(flags, "clampctrl")) {
      for (Actuator& actuator : model.actuators) actuator.control_limited = false;
    }
    if (is_off(flags, "filterparent")) model.filter_parent = false;
  }
}

}  // namespace tribo
