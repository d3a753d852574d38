#include "inspect_words.hpp"

#include <algorithm>

namespace tribo {
namespace {

constexpr std::size_t kWidth = 100;

template <typename Part>
std::string name_at(const std::vector<Part>& parts, const char* kind, Index index) {
  if (index < 0 || index >= static_cast<Index>(parts.size())) return "";
  const std::string& name = parts[static_cast<std::size_t>(index)].name;
  return name.empty() ? kind + std::string(" ") + std::to_string(index) : name;
}

}  // namespace

const char* kind_of(const Actuator& actuator) {
  if (actuator.muscle) return "muscle";
  const auto& [g0, g1, g2] = actuator.gain;
  const auto& [b0, b1, b2] = actuator.bias;
  const bool fixed = g1 == 0.0 && g2 == 0.0;
  if (fixed && b0 == 0.0 && b1 == 0.0 && b2 == 0.0) return g0 == 0.0 ? "none" : "motor";
  if (fixed && b1 < 0.0) return "position";
  if (fixed && b0 == 0.0 && b1 == 0.0 && b2 < 0.0) return "velocity";
  if (g0 == 0.0 && g1 == 0.0 && g2 < 0.0 && b0 == 0.0 && b1 == 0.0 && b2 == 0.0) return "damper";
  return "general";
}

const char* name_of(EqualityType type) {
  switch (type) {
    case EqualityType::kConnect:
      return "connect";
    case EqualityType::kWeld:
      return "weld";
    case EqualityType::kJoint:
      return "joint";
    case EqualityType::kTendon:
      return "tendon";
  }
  return "unknown";
}

const char* name_of(ActuatorDynamics dynamics) {
  switch (dynamics) {
    case ActuatorDynamics::kNone:
      return "none";
    case ActuatorDynamics::kIntegrator:
      return "integrator";
    case ActuatorDynamics::kFilter:
      return "filter";
    case ActuatorDynamics::kMuscle:
      return "muscle";
  }
  return "unknown";
}

const char* name_of(Transmission transmission) {
  switch (transmission) {
    case Transmission::kJoint:
      return "joint";
    case Transmission::kTendon:
      return "tendon";
    case Transmission::kSite:
      return "site";
    case Transmission::kBody:
      return "body";
  }
  return "unknown";
}

std::string target_of(const ModelDescription& d, const Actuator& actuator) {
  switch (actuator.transmission) {
    case Transmission::kJoint:
      return name_at(d.joints, "joint", actuator.target);
    case Transmission::kTendon:
      return name_at(d.tendons, "tendon", actuator.target);
    case Transmission::kSite:
      return name_at(d.sites, "site", actuator.target);
    case Transmission::kBody:
      return name_at(d.bodies, "body", actuator.target);
  }
  return "";
}

std::string object_of(const ModelDescription& d, const Equality& equality, Index index) {
  switch (equality.type) {
    case EqualityType::kConnect:
    case EqualityType::kWeld:
      return name_at(d.bodies, "body", index);
    case EqualityType::kJoint:
      return name_at(d.joints, "joint", index);
    case EqualityType::kTendon:
      return name_at(d.tendons, "tendon", index);
  }
  return "";
}

std::string shown(const std::string& name, const std::string& kind, Index index) {
  if (name.empty()) return kind + " " + std::to_string(index);
  std::string text = name;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text;
}

std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string shortened(const std::string& text, std::size_t columns) {
  if (columns_of(text) <= columns) return text;
  std::size_t bytes = 0, begun = 0;  // whole code points only
  while (bytes < text.size()) {
    begun += columns_of(text.substr(bytes, 1));
    if (begun == columns) break;
    ++bytes;
  }
  return text.substr(0, bytes) + "…";
}

std::string padded_to(const std::string& text, std::size_t columns) {
  const std::size_t taken = columns_of(text);
  return taken < columns ? text + std::string(columns - taken, ' ') : text;
}

std::string joined(const std::string& first, const std::vector<std::string>& phrases, std::size_t indent) {
  std::string text = first;
  std::size_t column = columns_of(first);
  for (const std::string& phrase : phrases) {
    if (phrase.empty()) continue;
    const std::size_t width = columns_of(phrase);
    if (column > indent && column + 2 + width > kWidth) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else {
      text += "  ";
      column += 2;
    }
    text += phrase;
    column += width;
  }
  return text + "\n";
}

}  // namespace tribo
