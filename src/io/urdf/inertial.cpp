// Masses: <inertial>, and what to do where there is none.
#include <algorithm>

#include "io/urdf/parts.hpp"
#include <Eigen/Geometry>

namespace tribo {
namespace {

constexpr double kSmallest = 1e-15;          // kg, kg m²
constexpr double kDensity = 1000.0;          // kg/m³
constexpr double kTriangleTolerance = 1e-6;  // of the largest moment

Checked read_inertial(const XmlElement& element, MassProperties& out) {
  const XmlElement* mass = element.find_child("mass");
  const XmlElement* inertia = element.find_child("inertia");
  if (mass == nullptr) return fail_at(element, "<mass> is missing", "add <mass value=\"…\"/>, or remove <inertial>");
  if (inertia == nullptr) return fail_at(element, "<inertia> is missing", "add <inertia ixx=\"…\" … izz=\"…\"/>");
  if (Checked checked = require(*mass, "value"); !checked) return checked;
  Pose pose;
  if (Checked checked = read_origin(element, pose); !checked) return checked;
  XmlErrors errors;
  const XmlFields mass_fields(*mass, errors), fields(*inertia, errors);
  MassProperties local;
  mass_fields.number("value", local.mass);
  if (local.mass < 0.0) mass_fields.fail("value", "is negative", "give a mass >= 0 in kg");
  Matrix3d& I = local.inertia;
  constexpr const char* kNames[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  constexpr int kRow[] = {0, 1, 2, 0, 0, 1}, kCol[] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; ++k) {
    // Products may be left out: many writers do where they are zero.
    if (k < 3) {
      if (Checked checked = require(*inertia, kNames[k]); !checked) return checked;
    }
    fields.number(kNames[k], I(kRow[k], kCol[k]));
    I(kCol[k], kRow[k]) = I(kRow[k], kCol[k]);
  }
  if (errors.failed()) return errors.take();
  out = local.seen_from(pose);
  if (!out.com.allFinite() || !out.inertia.allFinite()) {
    return fail_at(element, "the numbers are too large", "give mass in kg, lengths in m");
  }
  return ok();
}

void set_moments(MassProperties& properties, const PrincipalInertia& principal, const Vector3d& moments) {
  const Matrix3d R = principal.frame.q.toRotationMatrix();
  properties.inertia = R * moments.asDiagonal() * R.transpose();
  properties.inertia = 0.5 * (properties.inertia + properties.inertia.transpose()).eval();
}

// A moment below zero, or two that together are less than the third, belong to no matter.
Checked check_inertia(UrdfReader& reader, const UrdfLink& link, bool moves, MassProperties& properties) {
  if (moves && properties.mass == 0.0 && !properties.inertia.isZero(0.0))
    return fail_at(*link.element->find_child("inertial"), "the link moves and has an inertia without mass",
                   "give a mass > 0 in kg");
  const PrincipalInertia principal = calc_principal(properties);
  const Vector3d& moments = principal.moments;
  const double scale = std::max(std::abs(moments.x()), std::abs(moments.z()));
  const bool negative = moments.z() < -1e-9 * scale;
  if (!negative && moments.y() + moments.z() >= moments.x() * (1.0 - kTriangleTolerance)) return ok();
  if (reader.compiler.balance_inertia && moments.mean() > 0.0) {
    set_moments(properties, principal, Vector3d::Constant(moments.mean()));
    reader.notices.add("mujoco/compiler@balanceinertia", false,
                       "inertia of link '" + link.name + "' replaced by its mean");
    return ok();
  }
  if (negative && moves) {
    return fail_at(*link.element->find_child("inertial"),
                   "the inertia has a negative principal moment (" + std::to_string(moments.z()) + " kg m²)",
                   "check the signs and the size of ixy, ixz, iyz");
  }
  if (negative) {
    properties.inertia.setZero();
    reader.notices.add(
        "link/inertial/inertia", false,
        "inertia of link '" + link.name + "' is not physical (negative moment); it does not move, so it is left out");
    return ok();
  }
  reader.notices.add(
      "link/inertial/inertia", false,
      "inertia of link '" + link.name + "' is not physical (two moments are less than the third); used as it is");
  return ok();
}

// Per body: does it move against the world?
std::vector<bool> find_moving(const UrdfReader& reader) {
  const ModelDescription& d = reader.description;
  std::vector<bool> moves(d.bodies.size(), false);
  for (const Joint& joint : d.joints) moves[joint.body] = true;
  for (std::size_t b = 1; b < d.bodies.size(); ++b) moves[b] = moves[b] || moves[d.bodies[b].parent];
  return moves;
}

void bound(const UrdfCompiler& compiler, MassProperties& properties) {
  properties.mass = std::max(properties.mass, compiler.bound_mass);
  if (compiler.bound_inertia > 0.0) {
    const PrincipalInertia principal = calc_principal(properties);
    set_moments(properties, principal, principal.moments.cwiseMax(compiler.bound_inertia));
  }
}

Checked weigh_shapes(UrdfReader& reader, Index body) {
  ModelDescription& d = reader.description;
  MassProperties sum;
  auto at = std::lower_bound(d.geoms.begin(), d.geoms.end(), body, [](const Geom& g, Index b) { return g.body < b; });
  for (; at != d.geoms.end() && at->body == body; ++at) {  // the shapes are listed by body
    const Geom& geom = *at;
    if (geom.contype == 0) continue;
    if (geom.shape.type == ShapeType::kMesh) {
      const Expected<MassProperties> mesh = calc_mass_properties(d.meshes[geom.shape.index], MeshInertia::kLegacy);
      if (!mesh) return Unexpected<Error>{mesh.error().within(reader.body_elements[body]->where())};
      sum = sum + mesh->scaled(kDensity).seen_from(geom.pose);
    } else {
      sum = sum + calc_mass_properties(geom.shape).scaled(kDensity).seen_from(geom.pose);
    }
  }
  if (!(sum.mass >= kSmallest)) return ok();
  d.bodies[body].inertia = sum;
  reader.notices.add(
      "link", true,
      "link '" + d.bodies[body].name + "' moves and has no <inertial>: mass from its collision shapes at 1000 kg/m³");
  return ok();
}

// The matter that moves with each body when all joints stand at zero, in the body's frame.
std::vector<MassProperties> calc_composites(const ModelDescription& d) {
  std::vector<MassProperties> composite(d.bodies.size());
  for (std::size_t b = 0; b < d.bodies.size(); ++b) composite[b] = d.bodies[b].inertia;
  for (std::size_t b = d.bodies.size(); b-- > 1;) {
    MassProperties& parent = composite[d.bodies[b].parent];
    parent = parent + composite[b].seen_from(d.bodies[b].pose);
  }
  return composite;
}

// The least inertia that a coordinate of the joint feels.
double felt(const Joint& joint, const MassProperties& composite) {
  const Matrix3d about_origin =
      composite.inertia +
      composite.mass * (composite.com.squaredNorm() * Matrix3d::Identity() - composite.com * composite.com.transpose());
  const double turning = joint.axis.dot(about_origin * joint.axis);
  switch (joint.type) {
    case JointType::kHinge:
      return turning;
    case JointType::kPlanar:
      return std::min(composite.mass, turning);
    case JointType::kFree:
      return std::min(composite.mass, calc_principal(composite).moments.z());
    case JointType::kBall:
      return calc_principal({composite.mass, Vector3d::Zero(), about_origin}).moments.z();
    case JointType::kSlide:
      break;
  }
  return composite.mass;
}

}  // namespace

Checked read_inertials(UrdfReader& reader) {
  ModelDescription& d = reader.description;
  const std::vector<bool> moves = find_moving(reader);
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    const XmlElement* element = reader.body_elements[b];
    if (element == nullptr) continue;
    if (const XmlElement* inertial = element->find_child("inertial")) {
      if (Checked checked = read_inertial(*inertial, d.bodies[b].inertia); !checked) return checked;
      const UrdfLink link{element, d.bodies[b].name, {}, {}};
      if (Checked checked = check_inertia(reader, link, moves[b], d.bodies[b].inertia); !checked) return checked;
    }
    if (b > 0) bound(reader.compiler, d.bodies[b].inertia);
  }
  return ok();
}

Checked weigh_massless(UrdfReader& reader) {
  ModelDescription& d = reader.description;
  std::vector<MassProperties> composite = calc_composites(d);
  std::vector<bool> light(d.bodies.size(), false);
  for (const Joint& joint : d.joints) light[joint.body] = composite[joint.body].mass < kSmallest;
  bool any = false;
  for (std::size_t b = 1; b < d.bodies.size(); ++b) {
    light[b] = light[b] || light[d.bodies[b].parent];
    any = any || light[b];
    if (!light[b] || d.bodies[b].inertia.mass >= kSmallest) continue;
    if (Checked checked = weigh_shapes(reader, static_cast<Index>(b)); !checked) return checked;
  }
  if (any) composite = calc_composites(d);
  for (const Joint& joint : d.joints) {
    if (felt(joint, composite[joint.body]) + joint.armature >= kSmallest) continue;
    const std::string& name = d.bodies[joint.body].name;
    const bool massless = composite[joint.body].mass < kSmallest;
    return fail_at(*reader.body_elements[joint.body],
                   "link '" + name + "' and all that hangs on it have no " +
                       (massless ? "mass" : "inertia about their joint") + ", yet joint '" + joint.name +
                       "' moves them",
                   "give the link an <inertial>, or make the joint fixed");
  }
  return ok();
}

}  // namespace tribo
