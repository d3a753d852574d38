#include "sim/contact_stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tribo {

namespace {

constexpr double kEarth = 9.81;    // m/s²: where a scene has no gravity, weights only set a scale
constexpr double kNoWeight = 1.0;  // N
constexpr Index kFacePoints = 4;   // the fewest; an edge rests on two

// Of a box: half the width of its largest face. Thin plates are as stiff under a foot as thick ones.
double find_middle(const Vector3d& size) { return size.sum() - size.minCoeff() - size.maxCoeff(); }

double find_radius(const Shape& shape) {
  switch (shape.type) {
    case ShapeType::kSphere:
    case ShapeType::kCapsule:
    case ShapeType::kCylinder:
      return shape.size(0);
    case ShapeType::kEllipsoid:
      return std::cbrt(shape.size.prod());
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
  std::vector<double> tree_mass(static_cast<std::size_t>(model.trees().blocks()),
                                0.0);  // a foot carries all of its robot
  for (Index b = 0; b < model.nb(); ++b) {
    if (model.tree(b) >= 0)
      tree_mass[static_cast<std::size_t>(model.tree(b))] += d.bodies[static_cast<std::size_t>(b)].inertia.mass;
  }
  ContactStiffness all;
  for (std::size_t g = 0; g < d.geoms.size(); ++g) {
    const Geom& geom = d.geoms[g];
    Side side;
    const Expected<Material> own = find_material(geom.material);
    side.material = own ? *own : *usual;
    side.radius = find_radius(geom.shape);
    side.has_faces = geom.shape.type == ShapeType::kCylinder;
    const bool endless = geom.shape.type == ShapeType::kPlane || geom.shape.type == ShapeType::kHeightField;
    side.size = endless                              ? std::numeric_limits<double>::infinity()
                : geom.shape.type == ShapeType::kBox ? find_middle(geom.shape.size)
                : side.has_faces                     ? side.radius
                                                     : 0.5 * collision.radius(static_cast<Index>(g));
    const Index tree = model.tree(geom.body);
    side.weight = std::numeric_limits<double>::infinity();
    if (tree >= 0 && tree_mass[static_cast<std::size_t>(tree)] > 0.0)
      side.weight = gravity * tree_mass[static_cast<std::size_t>(tree)];
    all.sides_.push_back(side);
  }
  return all;
}

ContactStiffness::Law ContactStiffness::find_law(Index geom_a, Index geom_b, Index points) const {
  const Side &a = sides_[static_cast<std::size_t>(geom_a)], &b = sides_[static_cast<std::size_t>(geom_b)];
  const double modulus = calc_effective_modulus(a.material, b.material);
  // A cylinder meets what is flat with a face or along a line, never at a point; another one with a face or across.
  const bool flat = (a.radius == 0.0 || a.has_faces) && (b.radius == 0.0 || b.has_faces);
  if (!flat || (a.has_faces && b.has_faces && points < kFacePoints)) {
    const double curvature = (a.radius > 0.0 ? 1.0 / a.radius : 0.0) + (b.radius > 0.0 ? 1.0 / b.radius : 0.0);
    const ForceLaw law = ForceLaw::hertz(modulus, 1.0 / curvature);
    const double weight = std::min(a.weight, b.weight);
    return {law, law.depth_of(std::isfinite(weight) ? weight : kNoWeight)};
  }
  const double size = std::min(a.size, b.size);
  return {
      ForceLaw::punch(modulus, (std::isfinite(size) ? size : 1.0) / static_cast<double>(std::max(points, kFacePoints))),
      size};
}

// 8 a G* over 2 a E*, 1/G* = Σ (2 − ν)/G, G = E/(2 (1 + ν)).
double ContactStiffness::tangential_ratio(Index geom_a, Index geom_b) const {
  double shear = 0.0;  // 1/G*
  for (const Index geom : {geom_a, geom_b}) {
    const Material& material = sides_[static_cast<std::size_t>(geom)].material;
    shear += (2.0 - material.poisson) * 2.0 * (1.0 + material.poisson) / material.young;
  }
  const Material &a = sides_[static_cast<std::size_t>(geom_a)].material,
                 &b = sides_[static_cast<std::size_t>(geom_b)].material;
  return 4.0 / (shear * calc_effective_modulus(a, b));
}

LawRow ContactStiffness::at(Index geom_a, Index geom_b, Index points, double gap, const SurfaceLaw& own) const {
  const Side &a = sides_[static_cast<std::size_t>(geom_a)], &b = sides_[static_cast<std::size_t>(geom_b)];
  const Law law = own.stiffness ? Law{ForceLaw::linear(*own.stiffness), 1.0} : find_law(geom_a, geom_b, points);
  LawRow row = linearize(law.force, gap, law.floor, std::max(a.material.relaxation, b.material.relaxation));
  if (own.damping && gap < 0.0) row.B = *own.damping;
  return row;
}

}  // namespace tribo
