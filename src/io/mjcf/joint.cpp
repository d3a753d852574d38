// Joints and sites of a body.
#include <algorithm>
#include <cmath>

#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

// stiffness and damping may be polynomials; the linear term is ours.
double read_linear(MjcfContext& context, const XmlFields& fields, const char* name, double fallback) {
  std::array<double, 3> terms{fallback, 0.0, 0.0};
  fields.numbers(name, terms, 1);
  if (terms[1] != 0.0 || terms[2] != 0.0) {
    context.notices.add("joint@" + std::string(name), true, "the linear term alone is used");
  }
  return terms[0];
}

void read_joint_limits(MjcfContext& context, const XmlFields& fields, Joint& joint) {
  const MjcfCompiler& compiler = context.compiler(fields.element());
  std::array<double, 2> range{};
  fields.numbers("range", range);
  const bool has_range = range[0] != 0.0 || range[1] != 0.0;
  joint.limited = read_limited(context, fields, "limited", "range", has_range) && joint.type != JointType::kFree;
  const bool turns = joint.type == JointType::kHinge || joint.type == JointType::kBall;
  joint.lower = turns ? compiler.angle(range[0]) : range[0];
  joint.upper = turns ? compiler.angle(range[1]) : range[1];
  if (!joint.limited) return;
  if (joint.lower >= joint.upper)
    fields.fail("range", "the lower limit is not below the upper one", "give lower upper");
  if (joint.type == JointType::kBall && range[0] != 0.0)
    fields.fail("range", "of a ball does not start at 0", "give 0 angle");
}

// Springs by time constant, ranges of actuators' forces, and what is not used.
void read_more(MjcfContext& context, const XmlFields& fields, Joint& joint) {
  std::array<double, 2> spring_damper{}, force{};
  fields.numbers("springdamper", spring_damper);
  joint.spring_time = std::max(0.0, spring_damper[0]);
  joint.spring_damping_ratio = std::max(0.0, spring_damper[1]);
  fields.numbers("actuatorfrcrange", force);
  if (force[0] != 0.0 || force[1] != 0.0) {
    if (read_limited(context, fields, "actuatorfrclimited", "actuatorfrcrange", true)) {
      if (!(force[0] < force[1]))
        fields.fail("actuatorfrcrange", "the lower force is not below the upper one", "give lower upper");
      joint.effort_limit = std::max(std::abs(force[0]), std::abs(force[1]));
      joint.actuation_limited = joint.type == JointType::kHinge || joint.type == JointType::kSlide;
      joint.actuation_lower = force[0];
      joint.actuation_upper = force[1];
    }
  }
  context.note(fields, "joint", {"solreflimit", "solimplimit", "solreffriction", "solimpfriction"}, false,
               "softness of limits and dry friction");
  double margin = 0.0;
  fields.number("margin", margin);
  if (margin != 0.0) context.notices.add("joint@margin", false, "limits act at the limit");
  bool compensated = false;
  fields.boolean("actuatorgravcomp", compensated);
  if (compensated) context.notices.add("joint@actuatorgravcomp", false, "gravity compensation is a passive force");
}

}  // namespace

void read_joint(MjcfContext& context, const MjcfItem& item, Index body) {
  const XmlElement& element = *item.element;
  const bool free = element.name == "freejoint";  // knows no defaults
  const XmlFields fields =
      free ? XmlFields(element, context.errors) : context.fields(element, "joint", item.childclass);
  const MjcfCompiler& compiler = context.compiler(element);
  Joint joint;
  joint.body = body;
  joint.type = free ? JointType::kFree : JointType::kHinge;
  fields.text("name", joint.name);
  context.declare("joint", element, joint.name, static_cast<Index>(context.model.joints.size()));
  if (!free) {
    static constexpr const char* kWords[] = {"free", "ball", "hinge", "slide"};
    int word = 2;
    fields.choice("type", kWords, word);
    joint.type = static_cast<JointType>(word);
    fields.vector("pos", joint.anchor);
    fields.vector("axis", joint.axis);
    read_joint_limits(context, fields, joint);
    joint.stiffness = read_linear(context, fields, "stiffness", 0.0);
    joint.damping = read_linear(context, fields, "damping", 0.0);
    fields.number("armature", joint.armature);
    fields.number("frictionloss", joint.friction_loss);
    if (joint.type == JointType::kHinge || joint.type == JointType::kSlide) {
      fields.number("ref", joint.reference);
      fields.number("springref", joint.spring_reference);
      if (joint.type == JointType::kHinge) {
        joint.reference = compiler.angle(joint.reference);
        joint.spring_reference = compiler.angle(joint.spring_reference);
      }
      if (joint.axis.norm() < kTooShort) fields.fail("axis", "is zero", "give a direction");
      joint.axis.normalize();
      joint.axis = item.frame.q * joint.axis;
    } else {
      joint.axis = Vector3d::UnitZ();
    }
    joint.anchor = joint.type == JointType::kFree ? Vector3d::Zero() : Vector3d(item.frame * joint.anchor);
    read_more(context, fields, joint);
  }
  context.model.joints.push_back(std::move(joint));
}

void read_site(MjcfContext& context, const MjcfItem& item, Index body) {
  const XmlFields fields = context.fields(*item.element, "site", item.childclass);
  Site site;
  site.body = body;
  fields.text("name", site.name);
  context.declare("site", *item.element, site.name, static_cast<Index>(context.model.sites.size()));
  site.pose = read_pose(fields, context.compiler(*item.element));
  static constexpr const char* kTypes[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  static constexpr ShapeType kShapes[] = {ShapeType::kSphere, ShapeType::kCapsule, ShapeType::kEllipsoid,
                                          ShapeType::kCylinder, ShapeType::kBox};
  int type = 0;
  fields.choice("type", kTypes, type);
  site.shape.type = kShapes[type];
  fields.numbers("size", {site.shape.size.data(), 3}, 1);
  std::array<double, 6> ends{};
  if (fields.numbers("fromto", ends) != 0) {
    const Vector3d from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
    if ((from - to).norm() < kTooShort) fields.fail("fromto", "the two points are one", "move them apart");
    site.pose = {(from + to) / 2.0, from_z_axis(from - to)};
    const double half = (from - to).norm() / 2.0;
    const bool round = site.shape.type == ShapeType::kCapsule || site.shape.type == ShapeType::kCylinder;
    site.shape.size = Vector3d(site.shape.size.x(), round ? half : site.shape.size.x(), round ? 0.0 : half);
  }
  site.pose = item.frame * site.pose;
  context.model.sites.push_back(std::move(site));
}

}  // namespace tribo
