#include "io/mjcf/fit.hpp"

#include <algorithm>
#include <cmath>

namespace tribo {
namespace {

// Half lengths of the box with the same volume density and moments I: h_i² = 3/2 (I_j + I_k − I_i) / m.
Vector3d inertia_box(const Vector3d& moments, double mass) {
  Vector3d half;
  for (int i = 0; i < 3; ++i) {
    const double rest = moments.sum() - 2.0 * moments[i];
    half[i] = 0.5 * std::sqrt(6.0 * std::max(rest, 0.0) / mass);
  }
  return half;
}

Vector3d size_from_box(ShapeType type, const Vector3d& half) {
  const double radius = (half.x() + half.y()) / 2.0;
  switch (type) {
    case ShapeType::kSphere:
      return {half.mean(), 0.0, 0.0};
    case ShapeType::kCapsule:
      return {radius, std::max(0.0, half.z() - radius / 2.0), 0.0};
    case ShapeType::kCylinder:
      return {radius, half.z(), 0.0};
    default:
      return half;
  }
}

// Around all points, which are given from the centre of their box.
Vector3d size_around(ShapeType type, const std::vector<Vector3d>& points, const Vector3d& half) {
  double radius = 0.0, ball = 0.0;
  for (const Vector3d& x : points) {
    radius = std::max(radius, x.head<2>().norm());
    ball = std::max(ball, x.norm());
  }
  double segment = 0.0;  // of a capsule: caps reach over what is near the axis
  for (const Vector3d& x : points) {
    const double cap = std::sqrt(std::max(0.0, radius * radius - x.head<2>().squaredNorm()));
    segment = std::max(segment, std::abs(x.z()) - cap);
  }
  switch (type) {
    case ShapeType::kSphere:
      return {ball, 0.0, 0.0};
    case ShapeType::kCapsule:
      return {radius, segment, 0.0};
    case ShapeType::kCylinder:
      return {radius, half.z(), 0.0};
    default:
      return half;
  }
}

}  // namespace

void fit_to_mesh(MjcfContext& context, const XmlFields& fields, Index asset, Geom& geom) {
  const ShapeType type = geom.shape.type;
  if (type == ShapeType::kPlane || type == ShapeType::kHeightField) {
    fields.fail("mesh", "a plane or height field cannot be fitted to a mesh", "remove mesh or change the type");
    return;
  }
  const Expected<MassProperties>& mass = mesh_mass(context, asset);
  if (!mass) {
    context.errors.set(Error{mass.error().what, fields.element().where(), "give the size instead of the mesh"});
    return;
  }
  const PrincipalInertia principal = calc_principal(*mass);
  Pose frame = principal.frame;
  double scale = 1.0;
  fields.number("fitscale", scale);
  if (!context.compiler(fields.element()).fit_aabb) {
    geom.shape.size = size_from_box(type, inertia_box(principal.moments, mass->mass));
  } else {
    const MjcfMesh& entry = context.meshes[static_cast<std::size_t>(asset)];
    std::vector<Vector3d> points = context.model.meshes[static_cast<std::size_t>(entry.index)].vertices;
    const Pose back = frame.inverse();
    Eigen::AlignedBox3d box;
    for (Vector3d& x : points) {
      x = back * x;
      box.extend(x);
    }
    for (Vector3d& x : points) x -= box.center();
    geom.shape.size = size_around(type, points, box.sizes() / 2.0);
    frame.p += box.center();  // as MuJoCo 3 has it: along the axes of the body, not of the mesh
  }
  geom.shape.size *= scale;
  geom.pose = geom.pose * frame;
}

}  // namespace tribo
