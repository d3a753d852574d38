#include <algorithm>
#include <cmath>

#include "inspect_output.hpp"
#include "inspect_words.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tribo {
namespace {

// "1 tree", "3 trees", "2 bodies".
std::string count_of(std::size_t count, const std::string& one, const std::string& many = "") {
  return fmt::format("{} {}", count, count == 1 ? one : many.empty() ? one + "s" : many);
}

std::string range_of(const char* what, bool limited, double lower, double upper) {
  return limited ? fmt::format("{} {:.6g} … {:.6g}", what, lower, upper) : "";
}

std::string law_of(const Actuator& actuator) {
  const auto& [g0, g1, g2] = actuator.gain;
  const auto& [b0, b1, b2] = actuator.bias;
  const std::string kind = kind_of(actuator);
  if (kind == "none") return "no force";
  if (kind == "muscle")
    return fmt::format("muscle, peak {:.6g} N, lengths {:.6g} … {:.6g}", actuator.muscle->force,
                       actuator.muscle->length_lower, actuator.muscle->length_upper);
  if (kind == "motor") return g0 == 1.0 ? "motor" : fmt::format("motor, gain {:.6g}", g0);
  if (kind == "velocity") {
    return g0 == -b2 ? fmt::format("velocity servo, kv {:.6g}", g0)
                     : fmt::format("velocity servo, kv {:.6g}, target {:.6g} ctrl", -b2, -g0 / b2);
  }
  if (kind == "damper") return fmt::format("damper, {:.6g} ctrl", -g2);
  if (kind == "position") {
    std::string text = fmt::format("position servo, kp {:.6g}", -b1);
    if (b2 != 0.0) text += fmt::format(", kv {:.6g}", -b2);
    if (g0 != -b1 || b0 != 0.0) text += fmt::format(", target {:.6g} ctrl", -g0 / b1);
    if (b0 != 0.0) text += fmt::format(" {:+.6g}", -b0 / b1);
    return text;
  }
  return fmt::format("general, gain ({:.6g}, {:.6g}, {:.6g}), bias ({:.6g}, {:.6g}, {:.6g})", g0, g1, g2, b0, b1, b2);
}

std::string dynamics_of(const Actuator& actuator) {
  switch (actuator.dynamics) {
    case ActuatorDynamics::kIntegrator:
      return "integrates ctrl";
    case ActuatorDynamics::kFilter:
      return fmt::format("filters ctrl over {:.6g} s", actuator.time_constant);
    default:
      return "";
  }
}

std::string gear_of(const Actuator& actuator) {
  std::size_t used = 6;
  while (used > 1 && actuator.gear[used - 1] == 0.0) --used;
  if (used == 1) return actuator.gear[0] == 1.0 ? "" : fmt::format("gear {:.6g}", actuator.gear[0]);
  std::string text = "gear (";
  for (std::size_t k = 0; k < used; ++k) text += fmt::format("{}{:.6g}", k == 0 ? "" : ", ", actuator.gear[k]);
  return text + ")";
}

std::string actuators_text(const ModelDescription& d) {
  std::string text;
  for (std::size_t u = 0; u < d.actuators.size(); ++u) {
    const Actuator& actuator = d.actuators[u];
    const std::string on =
        fmt::format("on {} {}", name_of(actuator.transmission), shown(target_of(d, actuator), "", actuator.target));
    text += joined("  " + shown(actuator.name, "actuator", static_cast<Index>(u)) + ":",
                   {law_of(actuator), dynamics_of(actuator), on, gear_of(actuator),
                    range_of("ctrl", actuator.control_limited, actuator.control_lower, actuator.control_upper),
                    range_of("force", actuator.force_limited, actuator.force_lower, actuator.force_upper)},
                   6);
  }
  return text.empty() ? "" : "\nactuators\n" + text;
}

// "a, round g, b": the points of a path by name.
std::string path_of(const ModelDescription& d, const Tendon& tendon) {
  std::vector<std::string> names;
  for (const Tendon::PathPoint& point : tendon.path) {
    const auto i = static_cast<std::size_t>(std::max<Index>(point.index, 0));
    if (point.type == PathPointType::kPulley)
      names.push_back(fmt::format("pulley 1/{:.6g}", point.divisor));
    else if (point.type == PathPointType::kSite)
      names.push_back(shown(d.sites[i].name, "site", point.index));
    else
      names.push_back("round " + shown(d.geoms[i].name, "geom", point.index));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string tendons_text(const ModelDescription& d) {
  std::string text;
  for (std::size_t t = 0; t < d.tendons.size(); ++t) {
    const Tendon& tendon = d.tendons[t];
    std::vector<std::string> phrases;
    for (const Tendon::Term& term : tendon.terms) {
      const std::string& joint = d.joints[static_cast<std::size_t>(term.joint)].name;
      phrases.push_back(fmt::format("{:+.6g} {}", term.coefficient, shown(joint, "joint", term.joint)));
    }
    if (!tendon.path.empty()) phrases.push_back("way over " + path_of(d, tendon));
    phrases.push_back(range_of("range", tendon.limited, tendon.lower, tendon.upper));
    for (const auto& [what, x] : {std::pair{"stiffness", tendon.stiffness},
                                  {"damping", tendon.damping},
                                  {"armature", tendon.armature},
                                  {"friction", tendon.friction_loss}}) {
      if (x != 0.0) phrases.push_back(fmt::format("{} {:.6g}", what, x));
    }
    text += joined("  " + shown(tendon.name, "tendon", static_cast<Index>(t)) + ": length", phrases, 6);
  }
  return text.empty() ? "" : "\ntendons\n" + text;
}

// "2 x − 0.5 x²", x what the second joint or tendon is away from its reference.
std::string polynomial_of(const std::array<double, 5>& c, const std::string& x) {
  static const char* const kPowers[] = {"", "", "²", "³", "⁴"};
  std::string text;
  for (std::size_t k = 0; k < (x.empty() ? 1u : c.size()); ++k) {
    if (c[k] == 0.0) continue;
    const std::string factor = text.empty() ? fmt::format("{:.6g}", c[k]) : fmt::format(" {:+.6g}", c[k]);
    text += k == 0 ? factor : factor + " " + x + kPowers[k];
  }
  return text.empty() ? "0" : text;
}

std::string equalities_text(const ModelDescription& d) {
  std::string text;
  for (std::size_t e = 0; e < d.equalities.size(); ++e) {
    const Equality& equality = d.equalities[e];
    const bool bodies = equality.type == EqualityType::kConnect || equality.type == EqualityType::kWeld;
    const std::string a = shown(object_of(d, equality, equality.a), "", equality.a);
    const std::string b = equality.b < 0 ? "" : shown(object_of(d, equality, equality.b), "", equality.b);
    const std::string what = bodies ? a + " to " + b : a + " = " + polynomial_of(equality.polynomial, b);
    text +=
        joined(fmt::format("  {}: {}", shown(equality.name, "equality", static_cast<Index>(e)), name_of(equality.type)),
               {what, equality.active ? "" : "not active"}, 6);
  }
  return text.empty() ? "" : "\nloops and couplings\n" + text;
}

std::string notices_text(const std::vector<Notice>& notices) {
  std::string text;
  for (const bool physical : {true, false}) {
    for (const Notice& notice : notices) {
      if (notice.physical != physical) continue;
      const std::string what =
          fmt::format("  {} {} ×{}", physical ? "!" : " ", shown(notice.element, "", 0), notice.count);
      text += joined(padded_to(what, 36), {shown(notice.meaning, "", 0)}, 6);
    }
  }
  return text.empty() ? "" : "\nignored (!: the motion differs without it)\n" + text;
}

}  // namespace

std::string inspect_couplings(const Model& model) {
  const ModelDescription& d = model.description();
  return tendons_text(d) + equalities_text(d) + actuators_text(d);
}

std::string inspect_text(const std::string& file, const World& world, const StateNumbers* numbers) {
  const Model& model = world.model;
  const ModelDescription& d = model.description();
  std::string text = fmt::format("{} ({})\n", d.name.empty() ? "a model without a name" : shown(d.name, "", 0), file);
  const auto trees = static_cast<std::size_t>(model.trees().blocks());
  text += joined(
      " ",
      {count_of(d.bodies.size() - 1, "body", "bodies") + " and the world", count_of(d.joints.size(), "joint"),
       fmt::format("{} q, {} v", model.nq(), model.nv()), count_of(trees, "tree"), count_of(d.geoms.size(), "geom"),
       count_of(d.actuators.size(), "actuator"), count_of(d.tendons.size(), "tendon"),
       count_of(d.equalities.size(), "equality", "equalities"), count_of(d.keyframes.size(), "keyframe")},
      3);
  text += fmt::format("   total mass {:.9g} kg, gravity ({:.6g}, {:.6g}, {:.6g}) m/s², step {:.6g} s\n",
                      model.total_mass(), d.gravity.x(), d.gravity.y(), d.gravity.z(), d.timestep);
  if (!d.keyframes.empty()) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < d.keyframes.size(); ++k)
      names.push_back(shown(d.keyframes[k].name, "keyframe", static_cast<Index>(k)));
    text += joined("   keyframes:", names, 6);
  }
  text += "\n" + inspect_tree(model) + inspect_couplings(model);
  if (numbers != nullptr) text += inspect_numbers(model, *numbers);
  return text + notices_text(world.notices);
}

}  // namespace tribo
