#include "sim/contact_stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo {

namespace {

constexpr double kEarth = 9.81;  // m/s²: where a scene has no gravity, weights only set a scale
constexpr double kPoints = 4.0;

double find_radius(const Shape& shape) {
  switch (shape.type) {
    case ShapeType::kSphere:
    case ShapeType::kCapsule:
    case ShapeType::kCylinder:
      return shape.size(0);
    case ShapeType::kEllipsoid:
      return shape.size.minCoeff();
    default:
      return 0.0;
  }
}

}  // namespace

Expected<ContactStiffness> ContactStiffness::make(const Model& model, const CollisionModel& collision,
                                                  const std::string& material) {
  const Expected<Material> usual = find_material(material);
  if (!usual) return Unexpected<Error>{usual.error()};
  const ModelDescription& d = model.description();
  const double gravity = d.gravity.norm() > 0.0 ? d.gravity.norm() : kEarth;
  ContactStiffness all;
  for (std::size_t g = 0; g < d.geoms.size(); ++g) {
    const Geom& geom = d.geoms[g];
    Side side;
    const Expected<Material> own = find_material(geom.material);
    side.material = own ? *own : *usual;
    side.radius = find_radius(geom.shape);
    const bool endless = geom.shape.type == ShapeType::kPlane || geom.shape.type == ShapeType::kHeightField;
    side.size = endless                              ? std::numeric_limits<double>::infinity()
                : geom.shape.type == ShapeType::kBox ? geom.shape.size.minCoeff()
                                                     : 0.5 * collision.radius(static_cast<Index>(g));
    side.weight = model.tree(geom.body) < 0 ? std::numeric_limits<double>::infinity()
                                            : gravity * d.bodies[static_cast<std::size_t>(geom.body)].inertia.mass;
    all.sides_.push_back(side);
  }
  return all;
}

LawRow ContactStiffness::at(Index geom_a, Index geom_b, double gap) const {
  const Side &a = sides_[static_cast<std::size_t>(geom_a)], &b = sides_[static_cast<std::size_t>(geom_b)];
  const double modulus = calc_effective_modulus(a.material, b.material);
  const double relaxation = std::max(a.material.relaxation, b.material.relaxation);
  if (a.radius > 0.0 || b.radius > 0.0) {
    const double curvature = (a.radius > 0.0 ? 1.0 / a.radius : 0.0) + (b.radius > 0.0 ? 1.0 / b.radius : 0.0);
    const ForceLaw law = ForceLaw::hertz(modulus, 1.0 / curvature);
    return linearize(law, gap, law.depth_of(std::min(a.weight, b.weight)), relaxation);
  }
  const double size = std::min(a.size, b.size);
  return linearize(ForceLaw::punch(modulus, (std::isfinite(size) ? size : 1.0) / kPoints), gap, size, relaxation);
}

}  // namespace tribo
