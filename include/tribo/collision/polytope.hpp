// A convex polytope with its faces as polygons: what clipping works on.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/geometry/mesh.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tribo {

struct Polytope {
  struct Edge {
    std::int32_t from = 0, to = 0;     // vertices
    std::int32_t left = 0, right = 0;  // faces
  };
  std::vector<Vector3d> vertices;        // m
  std::vector<std::int32_t> corners;     // of all faces, face after face, counter-clockwise seen from outside
  std::vector<std::int32_t> across;      // of each corner: the face beyond the side from it to the next corner
  std::vector<std::int32_t> start;       // of each face in corners, and one more
  std::vector<Vector3d> normals;         // of the faces, outward
  std::vector<double> offsets;           // normal · x = offset on the face
  std::vector<Edge> edges;               // each once
  std::vector<std::int32_t> edges_at;    // indices of the edges at a vertex, vertex after vertex, ascending
  std::vector<std::int32_t> edge_start;  // of each vertex in edges_at, and one more
  Vector3d centre = Vector3d::Zero();    // inside
  double radius = 0.0;                   // of a ball about `centre` that holds it
  // Directions are sorted into the cells of a cube, 6 · grid²; of each cell the vertices that may be the farthest ones along one of
  // its directions, ascending (src/collision/polytope_support.hpp). Empty where there are few vertices.
  int grid = 0;
  std::vector<std::int32_t> cell_vertices, cell_start;

  std::span<const std::int32_t> face(std::size_t f) const {
    return {corners.data() + start[f], static_cast<std::size_t>(start[f + 1] - start[f])};
  }
  std::span<const std::int32_t> edges_of(std::int32_t vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return {edges_at.data() + edge_start[v], static_cast<std::size_t>(edge_start[v + 1] - edge_start[v])};
  }
};

Polytope make_box(const Vector3d& half);
// Of the hull of a mesh's vertices; triangles in one plane (to 1e-9 of the size) become one face.
Expected<Polytope> make_polytope(const Mesh& mesh);

}  // namespace tribo
