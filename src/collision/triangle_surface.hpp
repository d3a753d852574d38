// TriangleSurface (constant): the triangles of an exact mesh or a height field with their neighbours, ready to be searched.
//     meshes         a tree of boxes in the order of a walk; a box that is missed is skipped with its subtree: no stack is
//                    needed
//     height fields  the cells of the grid under the box
// Solid is below: the triangles push along their normals only.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/geometry/mesh.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tribo {

struct TriangleSurface {
  using Corners = std::array<std::int32_t, 3>;
  struct Node {
    Vector3d low, high;
    std::int32_t skip = 0;              // the node after this subtree
    std::int32_t first = 0, count = 0;  // of a leaf, in tree_triangles
  };

  std::vector<Vector3d> vertices;
  std::vector<Corners> faces;  // no two vertices at the same place, no triangle without area
  std::vector<Corners>
      across;  // the triangle behind the edge from corner k to corner k + 1; -1 where there is not exactly one
  std::vector<Vector3d> normals;               // unit
  std::vector<std::int32_t> ring_start, ring;  // the vertices that share an edge with each

  std::vector<Node> tree;
  std::vector<std::int32_t> tree_triangles;
  Index rows = 0, cols = 0;  // of a height field; 0 for meshes
  double half_x = 0.0, half_y = 0.0, bottom = 0.0;

  bool is_height_field() const { return rows > 0; }
  const Vector3d& corner(std::int32_t triangle, int k) const {
    return vertices[static_cast<std::size_t>(faces[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(k)])];
  }
  // Triangles that may meet the box, ascending. Appends; the caller clears.
  void search(const Vector3d& low, const Vector3d& high, std::vector<std::int32_t>& found) const;
};

Expected<TriangleSurface> make_surface(const Mesh& mesh);
Expected<TriangleSurface> make_surface(const HeightField& field);

// Steps of make_surface.
void join_neighbours(TriangleSurface& surface);
void plant_tree(TriangleSurface& surface);
void search_cells(const TriangleSurface& surface, const Vector3d& low, const Vector3d& high,
                  std::vector<std::int32_t>& found);

}  // namespace tribo
