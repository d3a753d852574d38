#include <cmath>

#include "io/text_reader.hpp"
#include "io/urdf/parts.hpp"
#include <Eigen/Geometry>

namespace tribo {
namespace {

constexpr const char* kTypes[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"};

// A limit may be infinite, in the spellings of several writers.
int read_limit(const XmlFields& fields, const char* attribute, double& out) {
  if (const std::string* text = fields.find(attribute)) {
    std::string word;
    for (const char c : *text) {
      if (c != ' ') word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    const bool minus = word.starts_with("-");
    if (minus || word.starts_with("+")) word.erase(0, 1);
    if (word == "inf" || word == "infinity" || word == ".inf") {
      out = minus ? -kUnlimited : kUnlimited;
      return 1;
    }
  }
  return fields.number(attribute, out);
}

void read_limits(const XmlElement& element, UrdfJoint& joint, NoticeList& notices, XmlErrors& errors) {
  const XmlFields fields(element, errors);
  const bool lower = read_limit(fields, "lower", joint.joint.lower) != 0;
  const bool upper = read_limit(fields, "upper", joint.joint.upper) != 0;
  for (const auto& [name, value] :
       {std::pair{"effort", &joint.joint.effort_limit}, {"velocity", &joint.joint.velocity_limit}}) {
    read_limit(fields, name, *value);
    if (*value < 0.0) fields.fail(name, "is negative", "give the largest absolute value");
  }
  if (joint.type != UrdfJointType::kRevolute && joint.type != UrdfJointType::kPrismatic) {
    if (joint.type == UrdfJointType::kPlanar && (lower || upper))
      notices.add("joint/limit", true, "planar joints are not limited");
    joint.joint.lower = joint.joint.upper = 0.0;
    return;
  }
  if (!lower && !upper) {
    notices.add("joint/limit", false,
                "neither lower nor upper is given: no limit, although URDF's default is 0 for both");
    return;
  }
  joint.joint.limited = std::isfinite(joint.joint.lower) || std::isfinite(joint.joint.upper);
  if (joint.joint.lower > joint.joint.upper) {
    fields.fail("lower",
                "is above the upper limit (" + std::to_string(joint.joint.lower) + " > " +
                    std::to_string(joint.joint.upper) + ")",
                "swap lower and upper, or make the joint continuous");
  }
}

void read_dynamics(const XmlElement& element, Joint& joint, XmlErrors& errors) {
  const XmlFields fields(element, errors);
  fields.number("damping", joint.damping);
  fields.number("friction", joint.friction_loss);
  if (joint.damping < 0.0) fields.fail("damping", "is negative", "give a number >= 0");
  if (joint.friction_loss < 0.0) fields.fail("friction", "is negative", "give a number >= 0");
}

JointType type_of(UrdfJointType type) {
  switch (type) {
    case UrdfJointType::kPrismatic:
      return JointType::kSlide;
    case UrdfJointType::kFloating:
      return JointType::kFree;
    case UrdfJointType::kPlanar:
      return JointType::kPlanar;
    case UrdfJointType::kSpherical:
      return JointType::kBall;
    default:
      return JointType::kHinge;
  }
}

}  // namespace

Checked require(const XmlElement& element, const char* attribute) {
  const std::string* value = element.find(attribute);
  if (value != nullptr && value->find_first_not_of(" \t\r\n") != std::string::npos) return ok();
  return fail_at(element, std::string("attribute ") + attribute + " is missing or empty",
                 std::string("write <") + element.name + " " + attribute + "=\"…\">");
}

Checked read_origin(const XmlElement& element, Pose& pose) {
  pose = Pose{};
  const XmlElement* origin = element.find_child("origin");
  if (origin == nullptr) return ok();
  XmlErrors errors;
  const XmlFields fields(*origin, errors);
  Vector3d rpy = Vector3d::Zero();
  fields.vector("xyz", pose.p);
  fields.vector("rpy", rpy);
  if (errors.failed()) return errors.take();
  pose.q = Quaterniond(Eigen::AngleAxisd(rpy.z(), Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vector3d::UnitY()) *
                       Eigen::AngleAxisd(rpy.x(), Vector3d::UnitX()));
  pose.q.normalize();
  return ok();
}

Expected<UrdfJoint> read_joint(const XmlElement& element, UrdfReader& reader) {
  UrdfJoint joint;
  joint.element = &element;
  for (const char* attribute : {"name", "type"}) {
    if (const Checked checked = require(element, attribute); !checked) return Unexpected<Error>{checked.error()};
  }
  joint.joint.name = *element.find("name");
  XmlErrors errors;
  const XmlFields fields(element, errors);
  int type = 0;
  fields.choice("type", kTypes, type);
  if (errors.failed()) return errors.take();
  joint.type = static_cast<UrdfJointType>(type);
  joint.joint.type = type_of(joint.type);
  if (const Checked checked = read_origin(element, joint.origin); !checked) return Unexpected<Error>{checked.error()};

  const bool has_axis = joint.type != UrdfJointType::kFixed && joint.type != UrdfJointType::kFloating &&
                        joint.type != UrdfJointType::kSpherical;
  joint.joint.axis = Vector3d::UnitX();
  if (const XmlElement* axis = element.find_child("axis"); axis != nullptr && has_axis) {
    if (const Checked checked = require(*axis, "xyz"); !checked) return Unexpected<Error>{checked.error()};
    const XmlFields axis_fields(*axis, errors);
    axis_fields.vector("xyz", joint.joint.axis);
    const double length = std::hypot(joint.joint.axis.x(), joint.joint.axis.y(), joint.joint.axis.z());
    if (!errors.failed() && !(length > 1e-9))
      axis_fields.fail("xyz", "is zero", "give a direction, or make the joint fixed");
    joint.joint.axis /= length;
  }
  if (joint.type == UrdfJointType::kFixed) {
    if (element.find_child("mimic") != nullptr)
      reader.notices.add("joint/mimic", false, "a fixed joint follows nobody");
    return joint;
  }
  if (const XmlElement* limit = element.find_child("limit")) read_limits(*limit, joint, reader.notices, errors);
  if (const XmlElement* dynamics = element.find_child("dynamics")) read_dynamics(*dynamics, joint.joint, errors);
  if (const XmlElement* mimic = element.find_child("mimic")) {
    if (const Checked checked = require(*mimic, "joint"); !checked) return Unexpected<Error>{checked.error()};
    const XmlFields mimic_fields(*mimic, errors);
    mimic_fields.text("joint", joint.mimic);
    mimic_fields.number("multiplier", joint.multiplier);
    mimic_fields.number("offset", joint.offset);
  }
  if (errors.failed()) return errors.take();
  return joint;
}

}  // namespace tribo
