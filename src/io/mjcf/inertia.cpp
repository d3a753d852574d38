// The inertia of bodies: <inertial>, or the sum over geoms, with the corrections that <compiler> asks for.
#include <algorithm>
#include <cmath>

#include "io/mjcf/context.hpp"
#include <Eigen/Eigenvalues>

namespace tribo {
namespace {

constexpr double kLeast = 1e-15;     // mass and moments of what moves: kg, kg m²
constexpr double kRoundoff = 1e-12;  // of A + B − C against A + B + C, where moments come from an eigenvalue problem

MassProperties read_inertial(const XmlFields& fields, const MjcfCompiler& compiler, const Pose& frame) {
  MassProperties properties;
  Pose pose = read_pose(fields, compiler);
  if (!fields.has("pos")) fields.fail("pos", "is missing", "give the centre of mass");
  if (fields.number("mass", properties.mass) == 0) fields.fail("mass", "is missing", "give kg");
  std::array<double, 6> full{};
  Vector3d diagonal = Vector3d::Zero();
  if (fields.vector("diaginertia", diagonal) != 0) properties.inertia = diagonal.asDiagonal();
  if (fields.numbers("fullinertia", full) != 0) {
    if (fields.has("diaginertia")) fields.fail("fullinertia", "is given beside diaginertia", "keep one of them");
    for (const char* other : {"quat", "axisangle", "xyaxes", "zaxis", "euler"}) {
      if (fields.has(other)) fields.fail("fullinertia", std::string("is given beside ") + other, "keep one of them");
    }
    properties.inertia << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
  }
  return properties.seen_from(frame * pose);
}

// boundmass, boundinertia and balanceinertia work on the principal moments.
void correct(const XmlElement& element, const MjcfCompiler& compiler, XmlErrors& errors, MassProperties& properties) {
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    errors.set(Error{what, element.where(), remedy});
  };
  if (properties.mass < 0.0) refuse("the mass is negative", "give kg >= 0");
  properties.mass = std::max(properties.mass, compiler.bound_mass);
  if (!properties.inertia.allFinite()) {
    refuse("the inertia is not finite", "give smaller numbers");
    return;
  }
  Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(properties.inertia);
  Vector3d moments = eigen.eigenvalues();
  const double scale = moments.cwiseAbs().maxCoeff();
  if (moments.minCoeff() < -kRoundoff * scale) {
    refuse("the inertia has a negative principal moment", "check diaginertia or fullinertia");
    return;
  }
  bool changed = false;
  if (moments.minCoeff() < compiler.bound_inertia) {
    moments = moments.cwiseMax(compiler.bound_inertia);
    changed = true;
  }
  if (moments[0] + moments[1] < moments[2] - kRoundoff * moments.sum()) {
    if (!compiler.balance_inertia) {
      refuse("the principal moments violate A + B >= C", "correct the inertia or set balanceinertia=\"true\"");
      return;
    }
    moments.setConstant(moments.mean());
    changed = true;
  }
  if (changed) {
    properties.inertia = eigen.eigenvectors() * moments.asDiagonal() * eigen.eigenvectors().transpose();
  }
}

bool is_heavy(const Body& body) {
  if (body.inertia.mass < kLeast) return false;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(body.inertia.inertia, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues().minCoeff() >= kLeast;
}

}  // namespace

bool from_geoms(const MjcfCompiler& compiler, bool has_inertial) {
  if (compiler.inertia_from_geom == FromGeom::kAuto) return !has_inertial;
  return compiler.inertia_from_geom == FromGeom::kTrue;
}

void read_inertia(MjcfContext& context, const XmlElement& element, const MjcfItem* inertial, Index body,
                  std::size_t first_geom) {
  const MjcfCompiler& compiler = context.compiler(element);
  MassProperties& properties = context.model.bodies[static_cast<std::size_t>(body)].inertia;
  if (inertial != nullptr) {
    const XmlFields fields(*inertial->element, context.errors);
    properties = read_inertial(fields, compiler, inertial->frame);
  }
  if (from_geoms(compiler, inertial != nullptr)) {
    bool any = false;
    for (std::size_t i = first_geom; i < context.model.geoms.size(); ++i) {
      const Geom& geom = context.model.geoms[i];
      if (geom.group < compiler.inertia_groups[0] || geom.group > compiler.inertia_groups[1]) continue;
      if (!any) properties = MassProperties{};
      any = true;
      if (context.geom_mass[i].mass > 0.0) properties = properties + context.geom_mass[i];
    }
  }
  if (context.errors.failed()) return;
  correct(element, compiler, context.errors, properties);
}

void check_masses(MjcfContext& context, const std::vector<const XmlElement*>& elements) {
  std::vector<Body>& bodies = context.model.bodies;
  const std::size_t count = bodies.size();
  std::vector<char> moves(count, 0), heavy(count, 0);
  for (const Joint& joint : context.model.joints) moves[static_cast<std::size_t>(joint.body)] = 1;
  // A body that is welded to its parent lends it its weight.
  for (std::size_t i = count; i-- > 1;) {
    heavy[i] = static_cast<char>(heavy[i] != 0 || is_heavy(bodies[i]));
    if (heavy[i] != 0 && moves[i] == 0) heavy[static_cast<std::size_t>(bodies[i].parent)] = 1;
  }
  double total = 0.0;
  for (std::size_t i = 1; i < count; ++i) {
    total += bodies[i].inertia.mass;
    if (moves[i] == 0 || heavy[i] != 0) continue;
    context.errors.set(Error{"the body moves and has no mass or no inertia (less than 1e-15)", elements[i]->where(),
                             "give it an <inertial> or a geom with mass, or set boundmass and boundinertia"});
    return;
  }
  const double wanted = context.source.scopes.front().compiler.total_mass;
  if (!(wanted > 0.0) || !(total > 0.0)) return;
  for (Body& body : bodies) body.inertia = body.inertia.scaled(wanted / total);
}

}  // namespace tribo
