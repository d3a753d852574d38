#include "why_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace tribo {

Index moving_body(const RecordingHeader& header, Index geom) {
  const Index body = header.geoms[static_cast<std::size_t>(geom)].body;
  return header.bodies[static_cast<std::size_t>(body)].moves ? body : 0;
}

namespace {

// Models in which mu times the normal force bounds friction; the others hold, or know bounds from before the step.
bool has_cone(const std::string& model) {
  return model.starts_with("cone") || model.starts_with("coulomb") || model.starts_with("compliant");
}

}  // namespace

ContactNumbers calc_contact_numbers(const RecordingHeader& header, const RecordedContact& contact) {
  ContactNumbers x;
  const double step = header.step;
  const Vector3d force = contact.impulse / step, couple = contact.couple / step;
  const Vector3d& n = contact.normal;
  x.normal = force.dot(n);
  x.friction = (force - x.normal * n).norm();
  x.apart = contact.velocity.dot(n);
  x.slip = (contact.velocity - x.apart * n).norm();
  x.spin_couple = std::abs(couple.dot(n));
  x.roll_couple = (couple - couple.dot(n) * n).norm();
  x.spin = std::abs(contact.turning.dot(n));
  x.roll = (contact.turning - contact.turning.dot(n) * n).norm();
  const double pressed = std::max(x.normal, 0.0);
  x.allowed = contact.mu * pressed;
  x.spin_allowed = contact.mu_spin * pressed;
  x.roll_allowed = contact.mu_roll * pressed;
  x.turning = contact.mu_spin > 0.0 || contact.mu_roll > 0.0;
  x.partial = x.turning && !contact.couple.allFinite();
  double sum = 0.0;
  const auto add = [&](double needed, double allowed) {
    if (allowed > 0.0 && !std::isnan(needed)) sum += needed / allowed * (needed / allowed);
  };
  add(x.friction, x.allowed);
  add(x.spin_couple, x.spin_allowed);
  add(x.roll_couple, x.roll_allowed);
  const bool any = x.allowed > 0.0 || x.spin_allowed > 0.0 || x.roll_allowed > 0.0;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  x.margin = any ? 1.0 - std::sqrt(sum) : kNone;
  if (!has_cone(header.model)) x.allowed = x.margin = kNone;
  return x;
}

std::string percent_text(double share) {
  if (share > 0.0 && share < 0.001) return "less than 0.1 %";
  return fmt::format("{:.{}f} %", 100.0 * share, share < 0.0995 ? 1 : 0);
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
  const bool swap = moving_body(header, contact.geom_a) == 0;  // what moves is named first
  const Index first = swap ? contact.geom_b : contact.geom_a, second = swap ? contact.geom_a : contact.geom_b;
  return shape_text(header, first) + " against " + shape_text(header, second);
}

}  // namespace tribo
