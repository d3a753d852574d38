#include "tribo/multibody/description.hpp"

#include <algorithm>

namespace tribo {

const char* name_of(JointType type) {
  switch (type) {
    case JointType::kFree:
      return "free";
    case JointType::kBall:
      return "ball";
    case JointType::kHinge:
      return "hinge";
    case JointType::kSlide:
      return "slide";
    case JointType::kPlanar:
      return "planar";
  }
  return "unknown";
}

int calc_nq(JointType type) {
  switch (type) {
    case JointType::kFree:
      return 7;
    case JointType::kBall:
      return 4;
    case JointType::kPlanar:
      return 3;
    default:
      return 1;
  }
}

int calc_nv(JointType type) {
  switch (type) {
    case JointType::kFree:
      return 6;
    case JointType::kBall:
    case JointType::kPlanar:
      return 3;
    default:
      return 1;
  }
}

int calc_size(SensorType type) {
  switch (type) {
    case SensorType::kTouch:
    case SensorType::kJointPosition:
    case SensorType::kJointVelocity:
    case SensorType::kTendonPosition:
    case SensorType::kTendonVelocity:
    case SensorType::kActuatorPosition:
    case SensorType::kActuatorVelocity:
    case SensorType::kActuatorForce:
    case SensorType::kClock:
      return 1;
    case SensorType::kBallQuaternion:
    case SensorType::kFrameQuaternion:
      return 4;
    default:
      return 3;
  }
}

std::array<Vector3d, 2> planar_axes(const Vector3d& axis) {
  const Quaterniond turn = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
  return {turn * Vector3d::UnitX(), turn * Vector3d::UnitY()};
}

Checked validate(const SurfaceLaw& law, const std::string& where) {
  constexpr double kMost = 1e20;  // SI; beyond it rigid is meant, and products lose their digits
  constexpr double kLeastStiffness = 1e-3;
  const auto outside = [](const std::optional<double>& number, double least, double most) {
    return number && !(*number >= least && *number <= most);
  };
  if (outside(law.mu_v, 0.0, kMost))
    return fail("the viscous coefficient mu_v is out of range", where, "give 0 to 1e20 N·s/m");
  if (outside(law.restitution, 0.0, 1.0))
    return fail("the restitution is out of range", where, "give a number from 0 to 1");
  if (outside(law.stiffness, kLeastStiffness, kMost))
    return fail("the stiffness is out of range", where, "give 1e-3 to 1e20 N/m");
  if (outside(law.damping, 0.0, kMost)) return fail("the damping is out of range", where, "give 0 to 1e20 N·s/m");
  return ok();
}

bool can_move(const ModelDescription& description, Index body) {
  const auto moved = [&](const Joint& joint) { return joint.body == body; };
  for (; body > 0; body = description.bodies[body].parent) {
    if (description.bodies[body].kinematic) return true;
    if (std::any_of(description.joints.begin(), description.joints.end(), moved)) return true;
  }
  return false;
}

}  // namespace tribo
