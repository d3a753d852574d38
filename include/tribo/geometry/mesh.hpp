// Triangle meshes and height fields as numbers.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tribo {

// Faces turn counter-clockwise seen from outside. A mesh without faces is a cloud of points (its convex hull is meant).
struct Mesh {
  std::string name;
  std::string file;                                // where it came from; empty: given in the model
  std::vector<Vector3d> vertices;                  // m
  std::vector<std::array<std::int32_t, 3>> faces;  // indices of vertices
  Index bent_polygons =
      0;  // faces of the file with four corners and more that are not flat: their shape depends on the cut
};

// Heights over a grid centred at the origin: rows along y, columns along x (the first row at −y).
struct HeightField {
  std::string name;
  std::string file;
  Index rows = 0, cols = 0;
  double half_x = 1.0, half_y = 1.0;  // m
  double base = 0.0;                  // m, thickness of the ground below height zero
  std::vector<double> height;         // m, row by row
};

// Indices in range, finite vertices.
Checked validate(const Mesh& mesh);

// Appends the triangles of a polygon, given by indices of vertices, to mesh.faces. Convex polygons are cut in a fan from their first
// corner (four corners: along the shorter diagonal), others ear by ear in the plane of their Newell normal. A polygon without area
// is cut in a fan as well: its triangles have no area either. A polygon that is not flat counts in mesh.bent_polygons. Fails,
// without naming a place, where the polygon crosses itself or has more than 10,000 corners.
Checked add_polygon(Mesh& mesh, std::span<const std::int32_t> polygon);

// The hull's vertices in use and its faces, outward. Fails where all points lie in a plane.
Expected<Mesh> make_convex_hull(const Mesh& mesh);

}  // namespace tribo
