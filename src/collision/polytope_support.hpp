// Support points of polytopes. Directions n are sorted into the cells of a cube around the origin: its side k by the largest |n_k|,
// then a grid of squares over the other two components divided by |n_k|. In a cell n is a positive sum of the square's corners c_i:
//     v may be the farthest vertex along an n of the cell only if   max_i c_i·(v − w) >= 0   for all other vertices w          (1)
// A cell lists the vertices that pass (1), to rounding, so that scanning the list finds the same vertex as scanning all of them: the
// first of those with the largest n·v. Hill climbing over edges would stop at different corners of one face, depending on its start.
// Cost  a handful of products for hulls of any size; a face with many corners keeps them all in the cells around its normal.
#pragma once

#include "tribo/collision/polytope.hpp"

#include <cmath>

namespace tribo {

// Fills edges_at, edge_start and across from the edges and faces.
void index_edges(Polytope& p);
// Fills grid, cell_vertices and cell_start from the vertices; leaves them empty where a scan of all vertices is as fast.
void index_directions(Polytope& p);

// The cell of n; n must not be zero.
inline std::size_t find_cell(int grid, const Vector3d& n) {
  Index k = 0;
  const double most = n.cwiseAbs().maxCoeff(&k);
  const auto place = [&](double x) {
    const double at = 0.5 * (x / most + 1.0) * grid;
    return at >= 0.0 ? (at < grid ? static_cast<int>(at) : grid - 1) : 0;
  };
  const int side = 2 * static_cast<int>(k) + (n(k) < 0.0 ? 1 : 0);
  return static_cast<std::size_t>((side * grid + place(n((k + 1) % 3))) * grid + place(n((k + 2) % 3)));
}

// The vertex farthest along n (of any length), in the polytope's frame; of equal ones the first.
inline std::int32_t find_farthest(const Polytope& p, const Vector3d& n) {
  std::int32_t best = 0;
  double far = n.dot(p.vertices[0]);
  const auto offer = [&](std::int32_t v) {
    const double along = n.dot(p.vertices[static_cast<std::size_t>(v)]);
    if (!(along > far)) return;
    far = along;
    best = v;
  };
  if (p.grid == 0) {
    for (std::size_t v = 1; v < p.vertices.size(); ++v) offer(static_cast<std::int32_t>(v));
    return best;
  }
  const std::size_t cell = find_cell(p.grid, n);
  const std::int32_t* const last = p.cell_vertices.data() + p.cell_start[cell + 1];
  const std::int32_t* at = p.cell_vertices.data() + p.cell_start[cell];
  best = *at;
  far = n.dot(p.vertices[static_cast<std::size_t>(best)]);
  while (++at != last) offer(*at);
  return best;
}

}  // namespace tribo
