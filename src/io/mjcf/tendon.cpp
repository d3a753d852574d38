// <tendon>: fixed ones are sums of joint coordinates. Spatial ones keep their place and name, so that what refers to them is
// found, and do nothing.
#include "io/mjcf/context.hpp"

namespace tribo {
namespace {

double read_linear(MjcfContext& context, const XmlFields& fields, const char* name) {
  std::array<double, 3> terms{};
  fields.numbers(name, terms, 1);
  if (terms[1] != 0.0 || terms[2] != 0.0) {
    context.notices.add("tendon@" + std::string(name), true, "the linear term alone is used");
  }
  return terms[0];
}

void read_terms(MjcfContext& context, const XmlElement& item, Tendon& tendon) {
  for (const XmlElement& child : item.children) {
    const XmlFields fields(child, context.errors);
    Tendon::Term term;
    term.joint = context.look_up("joint", fields, "joint");
    if (fields.number("coef", term.coefficient) == 0) fields.fail("coef", "is missing", "give the joint's coefficient");
    if (context.errors.failed()) return;
    const JointType type = context.model.joints[static_cast<std::size_t>(term.joint)].type;
    if (type != JointType::kHinge && type != JointType::kSlide) {
      fields.fail("joint", "is neither hinge nor slide", "use joints with one degree of freedom");
    }
    tendon.terms.push_back(term);
  }
  if (item.children.empty()) {
    context.errors.set(Error{"the tendon has no joints", item.where(), "add <joint joint=\"…\" coef=\"…\"/>"});
  }
}

// Where the file gives no rest length: that with all springs of joints at rest.
double rest_length(const ModelDescription& model, const Tendon& tendon) {
  double length = 0.0;
  for (const Tendon::Term& term : tendon.terms) {
    length += term.coefficient * model.joints[static_cast<std::size_t>(term.joint)].spring_reference;
  }
  return length;
}

void read_fixed(MjcfContext& context, const XmlElement& item, const XmlFields& fields, Tendon& tendon) {
  read_terms(context, item, tendon);
  if (context.errors.failed()) return;
  std::array<double, 2> range{}, spring{-1.0, -1.0};
  fields.numbers("range", range);
  tendon.limited = read_limited(context, fields, "limited", "range", range[0] != 0.0 || range[1] != 0.0);
  tendon.lower = range[0];
  tendon.upper = range[1];
  if (tendon.limited && !(range[0] < range[1])) {
    fields.fail("range", "the lower limit is not below the upper one", "give lower upper");
  }
  if (fields.numbers("springlength", spring, 1) == 1) spring[1] = spring[0];
  if (spring[0] == -1.0 && spring[1] == -1.0) spring[0] = spring[1] = rest_length(context.model, tendon);
  if (spring[0] > spring[1]) fields.fail("springlength", "the lower length is above the upper one", "give lower upper");
  tendon.spring_lower = spring[0];
  tendon.spring_upper = spring[1];
  tendon.stiffness = read_linear(context, fields, "stiffness");
  tendon.damping = read_linear(context, fields, "damping");
  fields.number("frictionloss", tendon.friction_loss);
  fields.number("armature", tendon.armature);
  std::array<double, 2> force{};
  fields.numbers("actuatorfrcrange", force);
  if (force[0] != 0.0 || force[1] != 0.0) {
    context.notices.add("tendon@actuatorfrcrange", true, "the sum of the actuators' forces is not clamped");
  }
  context.note(fields, "tendon", {"solreflimit", "solimplimit", "solreffriction", "solimpfriction"}, false,
               "softness of limits and dry friction");
}

}  // namespace

void read_tendons(MjcfContext& context) {
  context.for_each("tendon", [&](const XmlElement& item) {
    const XmlFields fields = context.fields(item, "tendon");
    Tendon tendon;
    fields.text("name", tendon.name);
    context.declare("tendon", item, tendon.name, static_cast<Index>(context.model.tendons.size()));
    if (item.name == "fixed") {
      read_fixed(context, item, fields, tendon);
    } else {
      context.notices.add("tendon/spatial", true, "no force, limit or coupling from it");
    }
    if (!context.errors.failed()) context.model.tendons.push_back(std::move(tendon));
  });
}

}  // namespace tribo
