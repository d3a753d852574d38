// <actuator>: motors, position and velocity servos, dampers, and general ones that reduce to
//     force = (gain_0 + gain_1 l + gain_2 l̇) ctrl + bias_0 + bias_1 l + bias_2 l̇.
// All kinds share one set of defaults: each layer, from the outermost class to the element, is applied as what it is.
// or to muscles. Kinds that we do not know stay in the list with zero force, so that controls keep their places.
#include <cmath>
#include <span>

#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

constexpr const char* kGains[] = {"fixed", "affine", "muscle", "user", "dcmotor", "so3", "pid"};
constexpr const char* kBiases[] = {"none", "affine", "muscle", "user", "dcmotor", "so3"};
constexpr const char* kDynamics[] = {"none", "integrator", "filter", "filterexact", "muscle", "user", "dcmotor", "pid"};
enum Gain { kFixed, kAffineGain, kMuscleGain };
enum Bias { kNoBias, kAffineBias, kMuscleBias };
enum Dynamics { kNoDynamics, kIntegrator, kFilter, kFilterExact, kMuscleDynamics };

struct Layered {
  std::string writer;  // the kind that wrote the gains last; empty: nobody yet
  int gain_type = kFixed, bias_type = kNoBias, dynamics = kNoDynamics;
  std::array<double, 10> gain{1.0}, bias{}, dynamics_prm{1.0};
  double inherit_range = 0.0;
  std::string unsupported;  // why it has no force
};

// Whether a short form goes on from the numbers it finds.
bool inherits(const Layered& a, const std::string& kind) {
  if (a.writer.empty() || a.writer == kind) return true;
  return a.writer == "general" && a.gain_type == (kind == "damper" ? kAffineGain : kFixed);
}

void apply_position(const XmlFields& layer, const std::string& kind, Layered& a) {
  const bool goes_on = inherits(a, kind);
  double kp = goes_on ? a.gain[0] : 1.0;
  double damping = goes_on ? a.bias[2] : 0.0;  // < 0: kv, > 0: damping ratio
  double kv = 0.0, ratio = 0.0, time = 0.0;
  layer.number("kp", kp);
  const bool by_kv = layer.number("kv", kv) != 0, by_ratio = layer.number("dampratio", ratio) != 0;
  if (by_kv && by_ratio) layer.fail("dampratio", "is given beside kv", "keep one of them");
  if (kv < 0.0) layer.fail("kv", "is negative", "give a number >= 0");
  if (ratio < 0.0) layer.fail("dampratio", "is negative", "give a number >= 0");
  if (by_kv) damping = -kv;
  if (by_ratio) damping = ratio;
  if (!goes_on) a.dynamics = kNoDynamics;
  if (layer.number("timeconst", time) != 0) {
    a.dynamics = time > 0.0 ? kFilterExact : kNoDynamics;
    a.dynamics_prm = {time};
  }
  if (kind == "intvelocity") a.dynamics = kIntegrator;
  layer.number("inheritrange", a.inherit_range);
  a.gain = {kp};
  a.bias = {0.0, -kp, damping};
  a.gain_type = kFixed;
  a.bias_type = kAffineBias;
}

// gainprm of a muscle: range, force, scale, lmin, lmax, vmax, fpmax, fvmax; dynprm: rise, decay, smoothing.
void apply_muscle(const XmlFields& layer, Layered& a) {
  if (a.gain_type != kMuscleGain) {
    a.gain = {0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2};
    a.dynamics_prm = {0.01, 0.04};
  }
  a.gain_type = kMuscleGain;
  a.bias_type = kMuscleBias;
  a.dynamics = kMuscleDynamics;
  layer.numbers("timeconst", std::span(a.dynamics_prm).first(2));
  layer.number("tausmooth", a.dynamics_prm[2]);
  layer.numbers("range", std::span(a.gain).first(2));
  static constexpr const char* kNames[] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
  for (std::size_t k = 0; k < std::size(kNames); ++k) layer.number(kNames[k], a.gain[2 + k]);
}

Muscle make_muscle(const Layered& a, const std::array<double, 2>& lengths) {
  Muscle muscle;
  muscle.range = {a.gain[0], a.gain[1]};
  double* const numbers[] = {&muscle.force, &muscle.scale, &muscle.lmin, &muscle.lmax,
                             &muscle.vmax,  &muscle.fpmax, &muscle.fvmax};
  for (std::size_t k = 0; k < std::size(numbers); ++k) *numbers[k] = a.gain[2 + k];
  muscle.rise_time = a.dynamics_prm[0];
  muscle.decay_time = a.dynamics_prm[1];
  muscle.smoothing = a.dynamics_prm[2];
  muscle.length_lower = lengths[0];
  muscle.length_upper = lengths[1];
  return muscle;
}

void apply_kind(const XmlFields& layer, const std::string& kind, Layered& a) {
  a.unsupported.clear();
  if (kind == "general" || kind == "plugin") {
    layer.choice("gaintype", kGains, a.gain_type);
    layer.choice("biastype", kBiases, a.bias_type);
    layer.choice("dyntype", kDynamics, a.dynamics);
    layer.numbers("gainprm", a.gain, 1);
    layer.numbers("biasprm", a.bias, 1);
    layer.numbers("dynprm", a.dynamics_prm, 1);
    if (kind == "plugin") a.unsupported = "plugins are not loaded: no force";
  } else if (kind == "motor") {
    a.gain = {1.0};
    a.bias = {};
    a.gain_type = kFixed;
    a.bias_type = kNoBias;
    a.dynamics = kNoDynamics;
  } else if (kind == "position" || kind == "intvelocity") {
    apply_position(layer, kind, a);
  } else if (kind == "velocity" || kind == "damper") {
    const bool damper = kind == "damper";
    double kv = !inherits(a, kind) || a.writer.empty() ? 1.0 : damper ? -a.gain[2] : a.gain[0];
    layer.number("kv", kv);
    if (kv < 0.0) layer.fail("kv", "is negative", "give a number >= 0");
    a.gain = damper ? std::array<double, 10>{0.0, 0.0, -kv} : std::array<double, 10>{kv};
    a.bias = damper ? std::array<double, 10>{} : std::array<double, 10>{0.0, 0.0, -kv};
    a.gain_type = damper ? kAffineGain : kFixed;
    a.bias_type = damper ? kNoBias : kAffineBias;
    a.dynamics = kNoDynamics;
  } else if (kind == "cylinder") {
    double area = inherits(a, kind) && !a.writer.empty() ? a.gain[0] : 1.0, diameter = 0.0;
    layer.number("area", area);
    if (layer.number("diameter", diameter) != 0) area = 3.14159265358979323846 / 4.0 * diameter * diameter;
    layer.numbers("bias", std::span(a.bias).first(3));
    a.gain = {area};
    a.gain_type = kFixed;
    a.bias_type = kAffineBias;
    a.dynamics = kFilter;
    layer.number("timeconst", a.dynamics_prm[0]);
  } else if (kind == "muscle") {
    apply_muscle(layer, a);
  } else {
    a.unsupported = "no force from it";
  }
  a.writer = kind;
}

void read_range(MjcfContext& context, const XmlFields& fields, const char* limited, const char* range, bool& on,
                double& lower, double& upper) {
  std::array<double, 2> values{};
  fields.numbers(range, values);
  on = read_limited(context, fields, limited, range, values[0] != 0.0 || values[1] != 0.0);
  lower = values[0];
  upper = values[1];
  if (on && !(lower < upper)) fields.fail(range, "the lower limit is not below the upper one", "give lower upper");
}

// What the actuator pulls on. Empty: we know how; else what is missing.
std::string read_target(MjcfContext& context, const XmlFields& fields, Actuator& actuator) {
  const XmlElement& element = fields.element();
  int targets = 0;
  std::string missing;
  const auto take = [&](const char* attribute, const char* kind, Transmission transmission) {
    if (element.find(attribute) == nullptr) return;
    ++targets;
    actuator.transmission = transmission;
    actuator.target = context.look_up(kind, fields, attribute);
  };
  take("joint", "joint", Transmission::kJoint);
  take("jointinparent", "joint", Transmission::kJoint);
  take("tendon", "tendon", Transmission::kTendon);
  take("site", "site", Transmission::kSite);
  take("body", "body", Transmission::kBody);
  take("cranksite", "site", Transmission::kSite);
  actuator.in_parent = element.find("jointinparent") != nullptr;
  if (element.find("cranksite") != nullptr) missing = "slider-cranks have no force";
  if (element.find("refsite") != nullptr) actuator.reference_site = context.look_up("site", fields, "refsite");
  if (targets != 1) {
    fields.fail("", targets == 0 ? "the actuator has no target" : "the actuator has several targets",
                "give one of joint, jointinparent, tendon, site, body");
  }
  return missing;
}

void inherit_range(MjcfContext& context, const XmlFields& fields, double factor, Actuator& actuator) {
  const ModelDescription& model = context.model;
  const std::size_t i = static_cast<std::size_t>(actuator.target);
  double lower = 0.0, upper = 0.0;
  if (actuator.transmission == Transmission::kJoint) {
    lower = model.joints[i].lower;
    upper = model.joints[i].upper;
  } else if (actuator.transmission == Transmission::kTendon) {
    lower = model.tendons[i].lower;
    upper = model.tendons[i].upper;
  }
  if (!(lower < upper)) {
    fields.fail("inheritrange", "the joint or tendon has no range", "give it one, or a ctrlrange here");
    return;
  }
  const double middle = (lower + upper) / 2.0, half = (upper - lower) / 2.0 * factor;
  actuator.control_lower = middle - half;
  actuator.control_upper = middle + half;
  actuator.control_limited = true;
}

void set_gains(MjcfContext& context, const Layered& a, const std::string& kind, const std::array<double, 2>& lengths,
               Actuator& actuator) {
  std::string missing = a.unsupported;
  const bool muscle = a.gain_type == kMuscleGain && a.bias_type == kMuscleBias;
  if (!muscle && (a.gain_type > kAffineGain || a.bias_type > kAffineBias))
    missing = "no force from gains or biases of this type";
  if (a.dynamics > kMuscleDynamics || (a.dynamics == kMuscleDynamics && !muscle))
    missing = "no force from this kind of activation";
  if (!missing.empty()) {
    actuator.gain = actuator.bias = {0.0, 0.0, 0.0};
    context.notices.add("actuator/" + kind, true, missing);
    return;
  }
  static constexpr ActuatorDynamics kKinds[] = {ActuatorDynamics::kNone, ActuatorDynamics::kIntegrator,
                                                ActuatorDynamics::kFilter, ActuatorDynamics::kFilter,
                                                ActuatorDynamics::kMuscle};
  actuator.dynamics = kKinds[a.dynamics];
  if (a.dynamics == kFilter || a.dynamics == kFilterExact) actuator.time_constant = a.dynamics_prm[0];
  if (muscle) {
    actuator.gain = actuator.bias = {0.0, 0.0, 0.0};
    actuator.muscle = make_muscle(a, lengths);
    return;
  }
  const bool affine = a.gain_type == kAffineGain, biased = a.bias_type == kAffineBias;
  actuator.gain = {a.gain[0], affine ? a.gain[1] : 0.0, affine ? a.gain[2] : 0.0};
  actuator.bias = {0.0, 0.0, 0.0};
  if (biased) actuator.bias = {a.bias[0], a.bias[1], a.bias[2]};
  // A servo whose damping is positive means a damping ratio.
  if (!affine && biased && a.gain[0] == -a.bias[1] && a.bias[2] > 0.0) {
    actuator.damping_ratio = a.bias[2];
    actuator.bias[2] = 0.0;
  }
}

void read_actuator(MjcfContext& context, const XmlElement& element) {
  const XmlFields fields = context.fields(element, "");
  Actuator actuator;
  fields.text("name", actuator.name);
  context.declare("actuator", element, actuator.name, static_cast<Index>(context.model.actuators.size()));
  Layered layered;
  for (const XmlElement* layer : context.defaults.layers(context.class_of(element, ""), "")) {
    apply_kind(XmlFields(*layer, context.errors), layer->name, layered);
  }
  apply_kind(XmlFields(element, context.errors), element.name, layered);
  fields.numbers("gear", actuator.gear, 1);
  read_range(context, fields, "ctrllimited", "ctrlrange", actuator.control_limited, actuator.control_lower,
             actuator.control_upper);
  read_range(context, fields, "forcelimited", "forcerange", actuator.force_limited, actuator.force_lower,
             actuator.force_upper);
  const std::string missing = read_target(context, fields, actuator);
  if (context.errors.failed()) return;
  if (!missing.empty()) layered.unsupported = missing;
  if (actuator.transmission == Transmission::kBody && layered.unsupported.empty()) {
    layered.unsupported = "adhesion has no force";
  }
  if (layered.inherit_range > 0.0 && (element.name == "position" || element.name == "intvelocity")) {
    inherit_range(context, fields, layered.inherit_range, actuator);
    if (element.name == "intvelocity") actuator.control_limited = false;
  }
  std::array<double, 2> lengths{};
  fields.numbers("lengthrange", lengths);
  if (lengths[0] > lengths[1])
    fields.fail("lengthrange", "the lower length is above the upper one", "give lower upper");
  set_gains(context, layered, element.name, lengths, actuator);
  read_range(context, fields, "actlimited", "actrange", actuator.activation_limited, actuator.activation_lower,
             actuator.activation_upper);
  bool early = false;
  fields.boolean("actearly", early);
  if (early && actuator.dynamics != ActuatorDynamics::kNone)
    context.notices.add("actuator@actearly", true, "forces come from the activation at the beginning of the step");
  double places = 1.0;
  fields.number("actdim", places);
  if (places > 1.0) context.notices.add("actuator@actdim", true, "one activation alone");
  for (const char* name : {"armature", "damping", "delay"}) {
    double value = 0.0;
    if (fields.has(name)) fields.numbers(name, {&value, 1}, 1);
    if (value != 0.0) context.notices.add("actuator@" + std::string(name), true, "not part of the motion");
  }
  int group = 0;
  fields.integer("group", group);
  context.actuator_group.push_back(group);
  context.model.actuators.push_back(std::move(actuator));
}

}  // namespace

void read_actuators(MjcfContext& context) {
  context.for_each("actuator", [&](const XmlElement& item) { read_actuator(context, item); });
}

}  // namespace tribo
