// Mass properties of triangle meshes at density 1.
//
// With faces (a, b, c), f the mean of the face centroids weighted by area, V the volume of the tetrahedron (o, a, b, c):
//     com   = Σ V (3/4 (a + b + c)/3 + f/4) / Σ V,              o = f                                      (1)
//     mass  = Σ V,    P = Σ V/20 (Σᵢⱼ (1 + δᵢⱼ) xᵢ xⱼᵀ),        o = com, xᵢ the corners seen from com       (2)
// V is signed in the exact mode and |V| in the legacy one. Shells: areas in place of volumes, 1/12 in place of 1/20, com = f.
// A closed mesh that turns outward gives the same in both modes when every face is seen from f from the inside.
#include "tribo/geometry/mass_properties.hpp"

#include <cmath>

#include <Eigen/Geometry>

namespace tribo {
namespace {

constexpr double kSmallest = 1e-15;  // m² or m³: below, there is no surface and no volume to speak of

struct Triangle {
  const Vector3d &a, &b, &c;
  Vector3d centroid() const { return (a + b + c) / 3.0; }
  double area() const { return 0.5 * (b - a).cross(c - a).norm(); }
  double volume(const Vector3d& o) const { return (a - o).dot((b - o).cross(c - o)) / 6.0; }
};

Triangle triangle(const Mesh& mesh, const std::array<std::int32_t, 3>& face) {
  return {mesh.vertices[face[0]], mesh.vertices[face[1]], mesh.vertices[face[2]]};
}

struct Surface {
  double area = 0.0;
  Vector3d centroid = Vector3d::Zero();
};

Surface calc_surface(const Mesh& mesh) {
  Surface surface;
  for (const auto& face : mesh.faces) {
    const Triangle t = triangle(mesh, face);
    const double area = t.area();
    surface.area += area;
    surface.centroid += area * t.centroid();
  }
  if (surface.area >= kSmallest) surface.centroid /= surface.area;
  return surface;
}

// (2), with `weigh` the volume or area of a face.
template <typename Weigh>
MassProperties calc_about(const Mesh& mesh, const Vector3d& com, double divisor, Weigh weigh) {
  MassProperties sum;
  sum.com = com;
  Matrix3d P = Matrix3d::Zero();
  for (const auto& face : mesh.faces) {
    const Triangle t = triangle(mesh, face);
    const double weight = weigh(t);
    const Vector3d a = t.a - com, b = t.b - com, c = t.c - com, all = a + b + c;
    sum.mass += weight;
    P += weight / divisor * (a * a.transpose() + b * b.transpose() + c * c.transpose() + all * all.transpose());
  }
  sum.inertia = P.trace() * Matrix3d::Identity() - P;
  return sum;
}

std::string mesh_label(const Mesh& mesh) { return mesh.name.empty() ? mesh.file : mesh.name; }

}  // namespace

Expected<MassProperties> calc_mass_properties(const Mesh& mesh, MeshInertia how) {
  if (const Checked checked = validate(mesh); !checked) return Unexpected<Error>{checked.error()};
  if (how == MeshInertia::kConvex || mesh.faces.empty()) {
    const Expected<Mesh> hull = make_convex_hull(mesh);
    if (!hull) return Unexpected<Error>{hull.error()};
    return calc_mass_properties(*hull, how == MeshInertia::kConvex ? MeshInertia::kExact : how);
  }
  const Surface surface = calc_surface(mesh);
  if (!(surface.area >= kSmallest)) {
    return fail("the surface of the mesh is too small", mesh_label(mesh), "check the mesh and its scale");
  }
  if (how == MeshInertia::kShell) {
    return calc_about(mesh, surface.centroid, 12.0, [](const Triangle& t) { return t.area(); });
  }

  const bool exact = how == MeshInertia::kExact;
  const Vector3d f = surface.centroid;
  double volume = 0.0;
  Vector3d com = Vector3d::Zero();
  for (const auto& face : mesh.faces) {
    const Triangle t = triangle(mesh, face);
    const double V = exact ? t.volume(f) : std::abs(t.volume(f));
    volume += V;
    com += V * (0.75 * t.centroid() + 0.25 * f);  // (1)
  }
  if (!(volume >= kSmallest)) {
    if (volume <= -kSmallest) {
      return fail("the volume of the mesh is negative", mesh_label(mesh),
                  "turn its faces outward, or ask for the convex hull");
    }
    return fail("the mesh has no volume", mesh_label(mesh), "check its scale, or treat it as a shell");
  }
  com /= volume;
  const MassProperties properties =
      calc_about(mesh, com, 20.0, [&](const Triangle& t) { return exact ? t.volume(com) : std::abs(t.volume(com)); });
  if (!(properties.mass >= kSmallest) || !(calc_principal(properties).moments.z() > 0.0)) {
    return fail("the mesh has no positive inertia", mesh_label(mesh),
                "close the mesh, or ask for the convex hull or the shell");
  }
  return properties;
}

}  // namespace tribo
