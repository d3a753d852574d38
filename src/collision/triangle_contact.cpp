// One triangle after the other, in the frame of the surface:
//     over        the shape's lowest part, clipped to the triangle's sides, measured along the triangle's normal
//     nearest     where the shape overlaps or its lowest point is beside the triangle: the narrow phase against the flat triangle
// The second gives the true normal at ridges and peaks. Inside a smooth surface it may also give one that points sideways out of
// the triangle into its neighbour: a ghost. There the first holds.
// A shape whose centre is behind a triangle of a mesh may still touch its front: it leans on the border of a sheet, or the sheet
// cuts it in two.
#include "collision/triangle_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/collider_box.hpp"
#include "collision/gjk.hpp"

namespace tribo {
namespace {

constexpr double kAngle = 1e-6;  // directions nearer than this are the same; above the rounding of a narrow phase
constexpr double kSharp = 0.7;   // cosine; of two triangles that meet in a sharp ridge

struct Facet {
  const TriangleSurface& surface;
  std::int32_t index;
  std::array<Vector3d, 3> corner;
  Vector3d normal;
  double size;  // longest side, m
};

Facet facet_of(const TriangleSurface& surface, std::int32_t t) {
  Facet facet{surface,
              t,
              {surface.corner(t, 0), surface.corner(t, 1), surface.corner(t, 2)},
              surface.normals[static_cast<std::size_t>(t)],
              0.0};
  for (std::size_t k = 0; k < 3; ++k)
    facet.size = std::max(facet.size, (facet.corner[(k + 1) % 3] - facet.corner[k]).norm());
  return facet;
}

std::uint32_t mix(std::uint32_t a, std::uint32_t b, std::uint32_t side) {
  return (a * 0x9e3779b1u) ^ (b * 0x85ebca77u) ^ ((side + 1u) << 30);
}

// Sutherland and Hodgman: keeps what is inside one side of the triangle. The border belongs to both neighbours, by a hair: what
// lies on it is found by at least one of them.
void clip(const Vector3d& outward, const Vector3d& at, std::uint32_t side, double hair,
          const std::vector<SurfaceCorner>& in, std::vector<SurfaceCorner>& out) {
  out.clear();
  const std::size_t n = in.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double here = outward.dot(in[i].x - at);
    if (here <= hair) out.push_back(in[i]);
    if (n < 2 || (n == 2 && i == 1)) continue;  // a point or a segment has no way back
    const SurfaceCorner& next = in[i + 1 < n ? i + 1 : 0];
    const double there = outward.dot(next.x - at);
    if ((here < 0.0 && there > hair) || (here > hair && there < 0.0))
      out.push_back({in[i].x + (here / (here - there)) * (next.x - in[i].x), mix(in[i].name, next.name, side)});
  }
}

// What of the shape is over the triangle, in scratch.polygon; true when the lowest point of the shape is.
bool find_over(const PlacedShape& shape, const Facet& facet, double hair, SurfaceScratch& scratch) {
  find_support(shape, -facet.normal, scratch.support);
  const auto height = [&](const SurfaceCorner& c) { return facet.normal.dot(c.x - facet.corner[0]); };
  double lowest = std::numeric_limits<double>::infinity(), lowest_over = lowest;
  for (const SurfaceCorner& c : scratch.support) lowest = std::min(lowest, height(c));
  scratch.polygon = scratch.support;
  for (std::size_t k = 0; k < 3 && !scratch.polygon.empty(); ++k) {
    const Vector3d side = facet.corner[(k + 1) % 3] - facet.corner[k];
    clip(side.cross(facet.normal).normalized(), facet.corner[k], static_cast<std::uint32_t>(k), hair, scratch.polygon,
         scratch.clipped);
    scratch.polygon.swap(scratch.clipped);
  }
  for (const SurfaceCorner& c : scratch.polygon) lowest_over = std::min(lowest_over, height(c));
  return lowest_over <= lowest + hair;
}

void add_over(const Facet& facet, double margin, SurfaceScratch& scratch) {
  for (const SurfaceCorner& c : scratch.polygon) {
    const double gap = facet.normal.dot(c.x - facet.corner[0]);
    if (gap > margin) continue;
    const std::uint64_t feature = (static_cast<std::uint64_t>(facet.index) << 32) | c.name;
    scratch.contacts.push_back({c.x - 0.5 * gap * facet.normal, facet.normal, gap, feature});
  }
}

enum class Verdict { kKeep, kGhost, kElsewhere };

// Is the triangle behind side k bent away sharply?
bool sharp_ridge(const Facet& facet, std::size_t k) {
  const std::int32_t other = facet.surface.across[static_cast<std::size_t>(facet.index)][k];
  if (other < 0) return true;
  const Vector3d& normal = facet.surface.normals[static_cast<std::size_t>(other)];
  const Vector3d outward = (facet.corner[(k + 1) % 3] - facet.corner[k]).cross(facet.normal);
  return facet.normal.dot(normal) < kSharp && normal.dot(outward) > 0.0;
}

bool points_out_at_vertex(const Facet& facet, std::size_t k, const Vector3d& normal) {
  const TriangleSurface& surface = facet.surface;
  const std::size_t v = static_cast<std::size_t>(surface.faces[static_cast<std::size_t>(facet.index)][k]);
  for (std::int32_t i = surface.ring_start[v]; i < surface.ring_start[v + 1]; ++i) {
    const Vector3d side =
        surface.vertices[static_cast<std::size_t>(surface.ring[static_cast<std::size_t>(i)])] - surface.vertices[v];
    if (normal.dot(side) > kAngle * side.norm()) return false;
  }
  return true;
}

bool points_out_at_side(const Facet& facet, std::size_t k, const Vector3d& normal) {
  const TriangleSurface& surface = facet.surface;
  const std::int32_t other = surface.across[static_cast<std::size_t>(facet.index)][k];
  if (other < 0) return true;
  for (int c = 0; c < 3; ++c) {
    const Vector3d side = surface.corner(other, c) - facet.corner[k];
    if (normal.dot(side) > kAngle * std::max(side.norm(), facet.size)) return false;
  }
  return true;
}

// May the surface push along `normal` where the triangle is furthest along it? A normal points out of the surface at an edge or a
// vertex when no neighbour rises along it.
Verdict judge(const Facet& facet, const Vector3d& normal) {
  if (normal.dot(facet.normal) < -kAngle) return Verdict::kGhost;
  double top = -std::numeric_limits<double>::infinity();
  std::array<double, 3> along;
  for (std::size_t k = 0; k < 3; ++k) {
    along[k] = normal.dot(facet.corner[k] - facet.corner[0]);
    top = std::max(top, along[k]);
  }
  std::array<bool, 3> on;
  int count = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    on[k] = along[k] >= top - kAngle * facet.size;
    count += on[k] ? 1 : 0;
  }
  if (count == 3) return Verdict::kGhost;  // the triangle's own normal
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    if (count == 2 && on[k] && on[next]) {
      if (points_out_at_side(facet, k, normal)) return Verdict::kKeep;
      return sharp_ridge(facet, k) ? Verdict::kElsewhere : Verdict::kGhost;
    }
    if (count == 1 && on[k]) {
      if (points_out_at_vertex(facet, k, normal)) return Verdict::kKeep;
      return sharp_ridge(facet, k) || sharp_ridge(facet, (k + 2) % 3) ? Verdict::kElsewhere : Verdict::kGhost;
    }
  }
  return Verdict::kGhost;
}

// The shape against the flat triangle, in scratch.manifold.
void collide_flat(const PlacedShape& shape, const Facet& facet, double margin, SurfaceScratch& scratch) {
  set_triangle(facet.corner[0], facet.corner[1], facet.corner[2], scratch.triangle);
  const Shape flat{ShapeType::kMesh, Vector3d::Zero(), -1};
  PlacedShape triangle;
  triangle.shape = &flat;
  triangle.polytope = &scratch.triangle;
  collide(shape, triangle, margin, scratch.manifold);
}

void add_nearest(const Facet& facet, SurfaceScratch& scratch) {
  const Manifold& manifold = scratch.manifold;
  for (int k = 0; k < manifold.count; ++k) {
    const ManifoldPoint& found = manifold.points[static_cast<std::size_t>(k)];
    const std::uint64_t feature = (static_cast<std::uint64_t>(facet.index) << 32) | found.feature;
    scratch.contacts.push_back({found.point, manifold.normal, found.gap, feature});
  }
}

struct Extent {
  Vector3d centre;
  double size;  // m, about the diameter
  double half;  // m, of the thinnest side
};

// The centre of the shape is behind a triangle of a mesh: a sheet, of whose back nothing is known. With the part of the shape in
// front of the plane of height f and the part behind it of depth b,
//     cut      f >= b/2, and every way off the triangle is at least half/2 long: it goes on to the front, as on a height field
//     border   the nearest point is on a side without a neighbour: held where the normal does not point to the back
// A shape that stands beyond the edge of a solid is cut by the plane of its side as well, but is off the triangle at once.
void touch_from_behind(const PlacedShape& shape, const Extent& extent, const Facet& facet, double hair, double margin,
                       SurfaceScratch& scratch) {
  const Core core = make_core(shape, shape.R, shape.pose.p);
  const auto reach = [&](const Vector3d& n) { return n.dot(core.support(n) - facet.corner[0]) + core.radius; };
  const double front = reach(facet.normal);
  if (front <= 0.0) return;
  const TriangleSurface::Corners& across = facet.surface.across[static_cast<std::size_t>(facet.index)];
  const bool border = across[0] < 0 || across[1] < 0 || across[2] < 0;
  const bool cut = 2.0 * front >= reach(-facet.normal);
  if (!border && !cut) return;
  collide_flat(shape, facet, margin, scratch);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < scratch.manifold.count; ++k)
    least = std::min(least, scratch.manifold.points[static_cast<std::size_t>(k)].gap);
  if (cut && least <= -0.5 * extent.half) {
    find_over(shape, facet, hair, scratch);
    add_over(facet, margin, scratch);
  } else if (border && scratch.manifold.count > 0 && judge(facet, scratch.manifold.normal) == Verdict::kKeep) {
    add_nearest(facet, scratch);
  }
}

void touch_facet(const PlacedShape& shape, const Extent& extent, const Facet& facet, double margin,
                 SurfaceScratch& scratch) {
  const double height = facet.normal.dot(extent.centre - facet.corner[0]);
  const double hair = 1e-9 * std::min(facet.size, extent.size) + 1e-15 * facet.corner[0].norm();
  if (height < 0.0) {
    if (!facet.surface.is_height_field()) {
      touch_from_behind(shape, extent, facet, hair, margin, scratch);
      return;
    }
    find_over(shape, facet, hair, scratch);  // below a height field is ground
    add_over(facet, margin, scratch);
    return;
  }
  const bool lowest_over = find_over(shape, facet, hair, scratch);
  double least = std::numeric_limits<double>::infinity();
  for (const SurfaceCorner& c : scratch.polygon) least = std::min(least, facet.normal.dot(c.x - facet.corner[0]));
  if (lowest_over && least >= 0.0) {  // apart: this is the distance
    add_over(facet, margin, scratch);
    return;
  }
  collide_flat(shape, facet, margin, scratch);
  if (scratch.manifold.count == 0) return;
  if ((scratch.manifold.normal - facet.normal).norm() <= 2.0 * kAngle && !scratch.polygon.empty()) {
    add_over(facet, margin, scratch);
    return;
  }
  switch (judge(facet, scratch.manifold.normal)) {
    case Verdict::kKeep:
      add_nearest(facet, scratch);
      break;
    case Verdict::kGhost:
      add_over(facet, margin, scratch);
      break;
    case Verdict::kElsewhere:
      break;
  }
}

}  // namespace

void collide_surface(const PlacedShape& shape, const std::array<Vector3d, 2>& bounds, const TriangleSurface& surface,
                     const Pose& pose, double margin, SurfaceScratch& scratch) {
  scratch.triangles.clear();
  scratch.contacts.clear();
  PlacedShape local = shape;
  local.pose = pose.inverse() * shape.pose;
  local.R = local.pose.q.toRotationMatrix();
  Vector3d low, high;
  enclose(local, bounds, 2.0 * margin, low, high);
  surface.search(low, high, scratch.triangles);
  const Vector3d centre =
      local.polytope == nullptr ? local.pose.p : Vector3d(local.pose.p + local.R * local.polytope->centre);
  const Extent extent{centre, (high - low).norm(), 0.5 * (bounds[1] - bounds[0]).minCoeff()};
  for (const std::int32_t t : scratch.triangles) touch_facet(local, extent, facet_of(surface, t), margin, scratch);
  reduce_contacts(extent.size, scratch);
  for (SurfaceContact& contact : scratch.reduced) {
    contact.point = pose * contact.point;
    contact.normal = pose.q * contact.normal;
  }
}

}  // namespace tribo
