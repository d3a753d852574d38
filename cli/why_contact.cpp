#include "why_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <Eigen/QR>
#include <fmt/format.h>

namespace tribo {
namespace {

constexpr double kStill = 1e-6;  // m/s; slower motion of a gap is not worth a word

bool is_joint(const RecordedContact& contact) { return contact.geom_a < 0 || contact.geom_b < 0; }

bool turns(const RecordingHeader& header, Index joint) {
  if (joint < 0) return false;
  const std::string& kind = header.joint_kinds[static_cast<std::size_t>(joint)];
  return kind == "hinge" || kind == "ball";
}

std::string percent_text(double share) { return fmt::format("{:.{}f} %", 100.0 * share, share < 0.0995 ? 1 : 0); }

std::string newton(double value) { return quantity_text(value, "N"); }

std::string limit_text(const RecordedContact& contact, const ContactNumbers& x) {
  return fmt::format("the cone allows {} (mu {:.3g} × {})", newton(x.allowed), contact.mu, newton(x.normal));
}

std::string open_sentence(const RecordedContact& contact, const ContactNumbers& x) {
  std::string text = contact.gap > 0.0 ? "Is open by " + quantity_text(contact.gap, "m")
                     : contact.gap < 0.0
                         ? "Carries nothing, though the shapes overlap by " + quantity_text(-contact.gap, "m")
                         : "Carries nothing: the shapes touch, and nothing presses";
  if (std::abs(x.apart) > kStill)
    text += fmt::format(", {} at {}", x.apart > 0.0 ? "parting" : "closing", quantity_text(std::abs(x.apart), "m/s"));
  if (x.friction > 0.0) text += "; the model holds it sideways with " + newton(x.friction);
  return text + ".";
}

std::string stick_sentence(const RecordedContact& contact, const ContactNumbers& x) {
  const std::string needs = fmt::format("it needs {} of friction, and {}", newton(x.friction), limit_text(contact, x));
  if (!(x.margin > 1e-5)) return fmt::format("Sticks, but only just: {}.", needs);
  return fmt::format("Sticks with {} margin: {}.", percent_text(x.margin), needs);
}

std::string joint_sentence(const RecordingHeader& header, const RecordedContact& contact, const ContactNumbers& x) {
  const bool turning = turns(header, contact.joint);
  const char *force = turning ? "N·m" : "N", *length = turning ? "rad" : "m", *speed = turning ? "rad/s" : "m/s";
  if (contact.mu > 0.0) {
    const std::string most =
        fmt::format("{} of at most {}", quantity_text(x.friction, force), quantity_text(x.normal, force));
    if (contact.state == ContactState::kSlide)
      return fmt::format("Its dry friction is overcome: it moves at {}, braked with {}.", quantity_text(x.slip, speed),
                         most);
    return fmt::format("Its dry friction holds it with {}.", most);
  }
  if (contact.state == ContactState::kOpen)
    return fmt::format("Its limit is {} away and carries nothing.", quantity_text(std::max(contact.gap, 0.0), length));
  return fmt::format("Its limit holds with {}.", quantity_text(x.normal, force));
}

// What counts as one body: whatever does not move is the world.
Index moving_body(const RecordingHeader& header, Index geom) {
  const Index body = header.geoms[static_cast<std::size_t>(geom)].body;
  return header.bodies[static_cast<std::size_t>(body)].moves ? body : 0;
}

// Normal forces act through force and moment; as many can be told apart as their six-vectors are independent.
Index count_needed(const RecordedFrame& frame, const BodyPair& pair) {
  std::vector<const RecordedContact*> pressed;
  Vector3d centre = Vector3d::Zero();
  for (const std::size_t i : pair.contacts) {
    if (frame.contacts[i].state == ContactState::kOpen) continue;
    pressed.push_back(&frame.contacts[i]);
    centre += frame.contacts[i].point;
  }
  if (pressed.empty()) return 0;
  centre /= static_cast<double>(pressed.size());
  double reach = 0.0;
  for (const RecordedContact* contact : pressed) reach = std::max(reach, (contact->point - centre).norm());
  constexpr double kFine = 1e-3;  // points are rounded by half a micrometre
  if (!(reach > 0.0) || !std::isfinite(reach)) reach = 1.0;
  Eigen::Matrix<double, 6, Eigen::Dynamic> rows(6, static_cast<Index>(pressed.size()));
  for (std::size_t i = 0; i < pressed.size(); ++i) {
    rows.col(static_cast<Index>(i)) << pressed[i]->normal,
        (pressed[i]->point - centre).cross(pressed[i]->normal) / reach;
  }
  if (!rows.allFinite()) return static_cast<Index>(pressed.size());
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(rows);
  factors.setThreshold(kFine);
  return factors.rank();
}

}  // namespace

ContactNumbers calc_contact_numbers(const RecordedContact& contact, double step) {
  ContactNumbers x;
  const Vector3d force = contact.impulse / step;
  if (is_joint(contact)) {
    x.normal = force.z();
    x.friction = std::abs(force.x());
    x.slip = std::abs(contact.velocity.x());
    x.apart = contact.velocity.z();
  } else {
    x.normal = force.dot(contact.normal);
    x.friction = (force - x.normal * contact.normal).norm();
    x.apart = contact.velocity.dot(contact.normal);
    x.slip = (contact.velocity - x.apart * contact.normal).norm();
  }
  x.allowed = contact.mu * std::max(x.normal, 0.0);
  x.margin = x.allowed > 0.0 ? 1.0 - x.friction / x.allowed : std::numeric_limits<double>::quiet_NaN();
  return x;
}

std::string quantity_text(double value, const char* unit) {
  constexpr std::pair<double, const char*> kPrefixes[] = {{1e9, "G"},  {1e6, "M"},  {1e3, "k"},  {1.0, ""},
                                                          {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}};
  const double size = std::abs(value);
  if (value == 0.0 || !std::isfinite(value)) return fmt::format("{:g} {}", value, unit);
  if (size < 1e-12 || size >= 1e12) return fmt::format("{:.2e} {}", value, unit);
  for (const auto& [factor, prefix] : kPrefixes) {
    if (size >= 0.9995 * factor) return fmt::format("{:.3g} {}{}", value / factor, prefix, unit);
  }
  return fmt::format("{:.3g} p{}", value * 1e12, unit);
}

std::string body_text(const RecordingHeader& header, Index body) {
  if (body == 0) return "the world";
  const std::string& name = header.bodies[static_cast<std::size_t>(body)].name;
  return name.empty() ? fmt::format("body {}", body) : name;
}

std::string shape_text(const RecordingHeader& header, Index geom) {
  const RecordedGeom& shape = header.geoms[static_cast<std::size_t>(geom)];
  const std::string kind = name_of(shape.shape.type);
  const std::string body = body_text(header, shape.body);
  return shape.name.empty() || shape.name == body ? fmt::format("{} ({} {})", body, kind, geom)
                                                  : fmt::format("{} ({} {})", body, kind, shape.name);
}

std::string partners_text(const RecordingHeader& header, const RecordedContact& contact) {
  if (!is_joint(contact)) {
    const bool swap = moving_body(header, contact.geom_a) == 0;  // what moves is named first
    const Index first = swap ? contact.geom_b : contact.geom_a, second = swap ? contact.geom_a : contact.geom_b;
    return shape_text(header, first) + " against " + shape_text(header, second);
  }
  if (contact.joint < 0) return "a joint";
  const auto joint = static_cast<std::size_t>(contact.joint);
  const std::string& name = header.joints[joint];
  return fmt::format("{} {}", header.joint_kinds[joint], name.empty() ? std::to_string(contact.joint) : name);
}

std::string contact_sentence(const RecordingHeader& header, const RecordedContact& contact) {
  const ContactNumbers x = calc_contact_numbers(contact, header.step);
  if (is_joint(contact)) return joint_sentence(header, contact, x);
  if (contact.state == ContactState::kOpen) return open_sentence(contact, x);
  const std::string presses = "is pressed with " + newton(x.normal);
  const std::string at = " at " + quantity_text(x.slip, "m/s");
  if (header.model.starts_with("frictionless"))
    return fmt::format("Slides freely{}: {}, and this model has no friction.", at, presses);
  if (header.model.starts_with("no-slip"))
    return fmt::format(
        "Sticks, as the no-slip model asks of every contact: {} and takes {} of friction, whatever mu is.", presses,
        newton(x.friction));
  if (header.model.starts_with("viscous"))
    return fmt::format("Slides{} against {} of viscous friction: {}.", at, newton(x.friction), presses);
  if (header.model.starts_with("friction-box"))
    return fmt::format("{}: {} and takes {} of friction, within bounds that were known before the step.",
                       x.slip > kStill ? "Slides" + at : "Sticks", presses, newton(x.friction));
  if (!(contact.mu > 0.0)) return fmt::format("Slides freely{}: {}, and mu is 0.", at, presses);
  if (contact.state == ContactState::kStick) return stick_sentence(contact, x);
  return fmt::format("Slides{}: holding on would need more than {}, and that is what friction brakes with: {}.", at,
                     limit_text(contact, x), newton(x.friction));
}

std::vector<BodyPair> find_body_pairs(const RecordingHeader& header, const RecordedFrame& frame) {
  std::vector<BodyPair> pairs;
  std::map<std::pair<Index, Index>, std::size_t> known;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const RecordedContact& contact = frame.contacts[i];
    if (is_joint(contact)) continue;
    const Index a = moving_body(header, contact.geom_a), b = moving_body(header, contact.geom_b);
    const auto [place, added] = known.try_emplace({std::min(a, b), std::max(a, b)}, pairs.size());
    if (added) pairs.push_back({.a = std::max(a, b), .b = std::min(a, b), .contacts = {}});
    BodyPair& pair = pairs[place->second];
    pair.contacts.push_back(i);
    if (contact.state != ContactState::kOpen) ++pair.pressed;
    pair.normal += std::max(calc_contact_numbers(contact, header.step).normal, 0.0);
  }
  for (BodyPair& pair : pairs) pair.needed = count_needed(frame, pair);
  return pairs;
}

std::string redundancy_sentence(const BodyPair& pair) {
  return fmt::format(
      "{} contacts press these two bodies together where {} normal force{} would do: how they share the load "
      "is one choice of many.",
      pair.pressed, pair.needed, pair.needed == 1 ? "" : "s");
}

}  // namespace tribo
