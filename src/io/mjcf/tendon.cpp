// <tendon>: fixed ones are sums of joint coordinates, spatial ones ways over sites and round geoms.
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

void read_path_point(MjcfContext& context, const XmlElement& child, Tendon& tendon) {
  const XmlFields fields(child, context.errors);
  Tendon::PathPoint point;
  if (child.name == "site") {
    point.index = context.look_up("site", fields, "site");
  } else if (child.name == "pulley") {
    point.type = PathPointType::kPulley;
    if (fields.number("divisor", point.divisor) == 0) fields.fail("divisor", "is missing", "give a number > 0");
    if (!(point.divisor > 0.0)) fields.fail("divisor", "is not positive", "give a number > 0");
  } else {
    point.index = context.look_up("geom", fields, "geom");
    if (point.index < 0) return;
    const ShapeType shape = context.model.geoms[static_cast<std::size_t>(point.index)].shape.type;
    if (shape != ShapeType::kSphere && shape != ShapeType::kCylinder)
      fields.fail("geom", std::string("is a ") + name_of(shape), "name a sphere or a cylinder");
    point.type = shape == ShapeType::kSphere ? PathPointType::kSphere : PathPointType::kCylinder;
    if (fields.has("sidesite")) point.side_site = context.look_up("site", fields, "sidesite");
  }
  tendon.path.push_back(point);
}

// Branches, which pulleys separate, run from site to site with at most one geom in between.
void check_branches(MjcfContext& context, const XmlElement& item, const Tendon& tendon) {
  const std::size_t n = tendon.path.size();
  const auto is_site = [&](std::size_t i) { return i < n && tendon.path[i].type == PathPointType::kSite; };
  const auto is_end = [&](std::size_t i) { return i >= n || tendon.path[i].type == PathPointType::kPulley; };
  const auto refuse = [&](std::size_t i, const std::string& what, const std::string& remedy) {
    context.errors.set(Error{what, i < n ? item.children[i].where() : item.where(), remedy});
  };
  if (n == 0) refuse(0, "the tendon has no path", "add <site site=\"…\"/> twice at least");
  for (std::size_t i = 0; i < n; ++i) {
    const bool pulley = tendon.path[i].type == PathPointType::kPulley;
    if (is_site(i) && is_end(i + 1) && (i == 0 || is_end(i - 1)))
      refuse(i, "a branch of the tendon has one site alone", "give each branch two sites at least");
    if (!is_site(i) && !pulley && (i == 0 || !is_site(i - 1) || !is_site(i + 1)))
      refuse(i, "a geom of the path is not between two sites", "put a site before it and one behind it");
    if (pulley && is_end(i + 1)) refuse(i, "no branch follows the pulley", "add two sites at least behind it");
  }
}

void read_spatial(MjcfContext& context, const XmlElement& item, Tendon& tendon) {
  for (const XmlElement& child : item.children) {
    read_path_point(context, child, tendon);
    if (context.errors.failed()) return;
  }
  check_branches(context, item, tendon);
}

void read_numbers(MjcfContext& context, const XmlFields& fields, Tendon& tendon) {
  std::array<double, 2> range{}, spring{-1.0, -1.0};
  fields.numbers("range", range);
  tendon.limited = read_limited(context, fields, "limited", "range", range[0] != 0.0 || range[1] != 0.0);
  tendon.lower = range[0];
  tendon.upper = range[1];
  if (tendon.limited && !(range[0] < range[1])) {
    fields.fail("range", "the lower limit is not below the upper one", "give lower upper");
  }
  if (fields.numbers("springlength", spring, 1) == 1) spring[1] = spring[0];
  if (spring[0] == -1.0 && spring[1] == -1.0) {
    tendon.rests_with_joints = !tendon.path.empty();  // the way is known when bodies are placed
    spring[0] = spring[1] = tendon.path.empty() ? rest_length(context.model, tendon) : 0.0;
  }
  if (spring[0] > spring[1]) fields.fail("springlength", "the lower length is above the upper one", "give lower upper");
  tendon.spring_lower = spring[0];
  tendon.spring_upper = spring[1];
  tendon.stiffness = read_linear(context, fields, "stiffness");
  tendon.damping = read_linear(context, fields, "damping");
  fields.number("frictionloss", tendon.friction_loss);
  fields.number("armature", tendon.armature);
  if (tendon.armature > 0.0 && !tendon.path.empty())
    context.notices.add("tendon/spatial@armature", true, "in the mass matrix alone: no force where the path turns");
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
    if (item.name == "fixed")
      read_terms(context, item, tendon);
    else
      read_spatial(context, item, tendon);
    if (!context.errors.failed()) read_numbers(context, fields, tendon);
    if (!context.errors.failed()) context.model.tendons.push_back(std::move(tendon));
  });
}

}  // namespace tribo
