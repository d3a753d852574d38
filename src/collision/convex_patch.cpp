#include "collision/convex_patch.hpp"

#include <cmath>

namespace tribo {
namespace {

constexpr double kUpright = 0.99;  // cosine between axis and direction beyond which a cylinder shows its cap

Patch polytope_patch(const Core& core, const Vector3d& outward, double tilt) {
  Patch patch;
  const Polytope& polytope = *core.polytope;
  const Vector3d n = core.R.transpose() * outward;
  int vertex = 0;
  patch.p = core.support(outward, &vertex);
  patch.name = static_cast<std::uint32_t>(vertex);
  double sine_of_edge = tilt, sine_of_face = tilt;
  for (const std::int32_t e : polytope.edges_of(vertex)) {
    const Polytope::Edge& edge = polytope.edges[static_cast<std::size_t>(e)];
    for (const std::int32_t f : {edge.left, edge.right}) {
      const Vector3d& m = polytope.normals[static_cast<std::size_t>(f)];
      const double sine = n.cross(m).norm();
      if (n.dot(m) < 0.0 || sine > sine_of_face) continue;
      if (sine == sine_of_face && patch.kind == Patch::Kind::kPolygon) continue;
      sine_of_face = sine;
      patch.kind = Patch::Kind::kPolygon;
      patch.name = static_cast<std::uint32_t>(f);
      patch.normal = core.R * m;
      patch.core = &core;
    }
    if (patch.kind == Patch::Kind::kPolygon) continue;
    const Vector3d from = polytope.vertices[static_cast<std::size_t>(edge.from)];
    const Vector3d to = polytope.vertices[static_cast<std::size_t>(edge.to)];
    const double sine = std::abs(n.dot(to - from)) / (to - from).norm();
    if (sine > sine_of_edge || (sine == sine_of_edge && patch.kind == Patch::Kind::kSegment)) continue;
    sine_of_edge = sine;
    patch.kind = Patch::Kind::kSegment;
    patch.name = static_cast<std::uint32_t>(e);
    patch.p = core.t + core.R * from;
    patch.q = core.t + core.R * to;
  }
  if (patch.kind == Patch::Kind::kPolygon) patch.p = patch.corner(0);
  return patch;
}

}  // namespace

Vector3d Patch::corner(std::size_t k) const {
  const auto face = core->polytope->face(name);
  return core->t + core->R * core->polytope->vertices[static_cast<std::size_t>(face[k % face.size()])];
}

Patch find_patch(const Core& core, const Vector3d& outward, double tilt) {
  if (core.type == ShapeType::kMesh) return polytope_patch(core, outward, tilt);
  Patch patch;
  patch.p = core.support(outward);
  const Vector3d axis = core.R.col(2);
  const double along = axis.dot(outward);
  if (core.type == ShapeType::kCapsule && std::abs(along) < kUpright) {
    patch.kind = Patch::Kind::kSegment;
    patch.p = core.t - core.size(1) * axis;
    patch.q = core.t + core.size(1) * axis;
    patch.radius = core.radius;
  }
  if (core.type != ShapeType::kCylinder) return patch;
  patch.radius = core.size(0);
  patch.name = along < 0.0 ? 0 : 1;
  if (std::abs(along) > kUpright) {
    patch.kind = Patch::Kind::kDisc;
    patch.normal = along < 0.0 ? Vector3d(-axis) : axis;
    patch.p = core.t + core.size(1) * patch.normal;
    patch.x = core.R.col(0);
    patch.y = core.R.col(1);
  } else {
    const Vector3d side = core.t + core.size(0) * (outward - along * axis).normalized();
    patch.kind = Patch::Kind::kSegment;
    patch.name = 0;
    patch.p = side - core.size(1) * axis;
    patch.q = side + core.size(1) * axis;
  }
  return patch;
}

}  // namespace tribo
