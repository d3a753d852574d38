#include "why_joint_row.hpp"

#include <cmath>

#include "why_contact.hpp"
#include <fmt/format.h>

namespace tribo {
namespace {

int dof_count(const std::string& kind) {
  if (kind == "free") return 6;
  return kind == "ball" || kind == "planar" ? 3 : 1;
}

// The first degree of freedom that turns; those after it turn too.
int first_turning_dof(const std::string& kind) {
  if (kind == "hinge" || kind == "ball") return 0;
  if (kind == "free") return 3;
  return kind == "planar" ? 2 : 1;
}

std::string side_text(int place) { return place < 0 ? "lower limit" : place > 0 ? "upper limit" : "limit"; }

}  // namespace

JointRowUnits joint_row_units(const RecordingHeader& header, const RecordedJointRow& row) {
  const int dof = row.kind == JointRowKind::kDryFriction ? row.place : 0;
  if (dof >= first_turning_dof(header.joint_kinds[static_cast<std::size_t>(row.joint)])) return {"N·m", "rad", "rad/s"};
  return {"N", "m", "m/s"};
}

double joint_row_force(const RecordingHeader& header, double impulse) { return impulse / header.step; }

std::string joint_text(const RecordingHeader& header, Index joint) {
  const auto at = static_cast<std::size_t>(joint);
  const std::string& name = header.joints[at];
  return fmt::format("{} {}", header.joint_kinds[at], name.empty() ? std::to_string(joint) : name);
}

std::string joint_row_text(const RecordingHeader& header, const RecordedJointRow& row) {
  const std::string joint = joint_text(header, row.joint);
  if (row.kind == JointRowKind::kLimit) return fmt::format("{} of {}", side_text(row.place), joint);
  const int dofs = dof_count(header.joint_kinds[static_cast<std::size_t>(row.joint)]);
  return fmt::format("dry friction of {}{}", joint,
                     dofs > 1 ? fmt::format(" (degree of freedom {} of {})", row.place + 1, dofs) : "");
}

std::string joint_row_sentence(const RecordingHeader& header, const RecordedJointRow& row) {
  const JointRowUnits units = joint_row_units(header, row);
  const auto force = [&](double impulse) {
    return quantity_text(std::abs(joint_row_force(header, impulse)), units.force);
  };
  const std::string what = joint_row_text(header, row);
  if (row.kind == JointRowKind::kLimit) {
    const std::string limit = "The " + what;
    if (row.state != ContactState::kOpen) return fmt::format("{} holds with {}.", limit, force(row.impulse));
    if (row.gap > 0.0)
      return fmt::format("{} is {} away and carries nothing.", limit, quantity_text(row.gap, units.length));
    if (row.gap < 0.0)
      return fmt::format("{} is exceeded by {} and carries nothing.", limit, quantity_text(-row.gap, units.length));
    return limit + " is reached and carries nothing.";
  }
  const std::string friction = "Dry" + what.substr(3), of_most = force(row.impulse) + " of at most " + force(row.bound);
  if (row.state != ContactState::kSlide) return fmt::format("{} holds with {}.", friction, of_most);
  return fmt::format("{} is overcome: the joint moves at {}, braked with {}.", friction,
                     quantity_text(std::abs(row.velocity), units.speed), of_most);
}

bool is_telling(const RecordedJointRow& row) {
  return row.state == (row.kind == JointRowKind::kLimit ? ContactState::kStick : ContactState::kSlide);
}

}  // namespace tribo
