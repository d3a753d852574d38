#include "collision/polytope_support.hpp"

#include <algorithm>
#include <array>

namespace tribo {
namespace {

constexpr std::size_t kFew = 20;        // vertices that are scanned faster than looked up
constexpr int kMostGrid = 64;           // 24,576 cells
constexpr double kMet = 1e-12;          // of the farthest coordinate: nearer than this (1) counts as met
constexpr std::size_t kMostPairs = 64;  // candidates of a cell that are compared with one another

using List = std::vector<std::int32_t>;

// The four corners of a cell and its middle. Side 2k: +k, side 2k+1: −k, as find_cell numbers them.
std::array<Vector3d, 5> directions_of(int side, int grid, int i, int j) {
  const int k = side / 2;
  std::array<Vector3d, 5> directions;
  const auto set = [&](std::size_t at, double x, double y) {
    directions[at](k) = side % 2 == 0 ? 1.0 : -1.0;
    directions[at]((k + 1) % 3) = 2.0 * x / grid - 1.0;
    directions[at]((k + 2) % 3) = 2.0 * y / grid - 1.0;
  };
  for (std::size_t c = 0; c < 4; ++c) set(c, i + static_cast<int>(c % 2), j + static_cast<int>(c / 2));
  set(4, i + 0.5, j + 0.5);
  return directions;
}

// A vertex and how far it is along the directions of a cell.
struct Candidate {
  std::int32_t vertex;
  std::array<double, 5> along;

  // (1) fails against the other one.
  bool is_beaten_by(const Candidate& other, double slack) const {
    for (std::size_t c = 0; c < 4; ++c)
      if (!(along[c] - other.along[c] < -slack)) return false;
    return true;
  }
};

// What of `from` passes (1): against the farthest vertices of the five directions and, of a short list, against all.
void choose(const Polytope& p, const std::array<Vector3d, 5>& directions, double slack, const List& from,
            std::vector<Candidate>& candidates, List& to) {
  candidates.clear();
  std::array<std::size_t, 5> far{};
  for (const std::int32_t v : from) {
    Candidate& candidate = candidates.emplace_back();
    candidate.vertex = v;
    for (std::size_t c = 0; c < 5; ++c) {
      candidate.along[c] = directions[c].dot(p.vertices[static_cast<std::size_t>(v)]);
      if (candidate.along[c] > candidates[far[c]].along[c]) far[c] = candidates.size() - 1;
    }
  }
  std::array<Candidate, 5> farthest;
  for (std::size_t c = 0; c < 5; ++c) farthest[c] = candidates[far[c]];
  const auto is_beaten = [&](const Candidate& candidate, const auto& others) {
    return std::any_of(others.begin(), others.end(),
                       [&](const Candidate& other) { return candidate.is_beaten_by(other, slack); });
  };
  std::erase_if(candidates, [&](const Candidate& candidate) { return is_beaten(candidate, farthest); });
  const bool few = candidates.size() <= kMostPairs;
  to.clear();
  for (const Candidate& candidate : candidates)
    if (!few || !is_beaten(candidate, candidates)) to.push_back(candidate.vertex);
}

}  // namespace

void index_edges(Polytope& p) {
  p.edge_start.assign(p.vertices.size() + 1, 0);
  for (const Polytope::Edge& edge : p.edges)
    for (const std::int32_t v : {edge.from, edge.to}) ++p.edge_start[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 0; v < p.vertices.size(); ++v) p.edge_start[v + 1] += p.edge_start[v];
  p.edges_at.resize(2 * p.edges.size());
  std::vector<std::int32_t> next(p.edge_start.begin(), p.edge_start.end() - 1);
  for (std::size_t e = 0; e < p.edges.size(); ++e)
    for (const std::int32_t v : {p.edges[e].from, p.edges[e].to})
      p.edges_at[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<std::int32_t>(e);
  p.across.clear();
  for (std::size_t f = 0; f < p.normals.size(); ++f) {
    const auto corners = p.face(f);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const std::int32_t from = corners[k], to = corners[(k + 1) % corners.size()];
      for (const std::int32_t e : p.edges_of(from)) {
        const Polytope::Edge& edge = p.edges[static_cast<std::size_t>(e)];
        if (edge.from == to || edge.to == to) p.across.push_back(edge.from == from ? edge.right : edge.left);
      }
    }
  }
}

// Each cell starts from the list of the cell that it is a quarter of.
void index_directions(Polytope& p) {
  p.grid = 0;
  p.cell_vertices.clear();
  p.cell_start.clear();
  if (p.vertices.size() < kFew) return;
  List all;
  double farthest = 0.0;
  for (std::size_t v = 0; v < p.vertices.size(); ++v) {
    all.push_back(static_cast<std::int32_t>(v));
    farthest = std::max(farthest, p.vertices[v].cwiseAbs().maxCoeff());
  }
  const double slack = kMet * farthest;
  std::vector<List> coarse(6, all), fine;
  std::vector<Candidate> candidates;
  int grid = 1;
  while (grid < kMostGrid && static_cast<std::size_t>(6 * grid * grid) < 2 * p.vertices.size()) {
    grid *= 2;
    fine.assign(static_cast<std::size_t>(6 * grid * grid), {});
    for (int side = 0; side < 6; ++side)
      for (int i = 0; i < grid; ++i)
        for (int j = 0; j < grid; ++j)
          choose(p, directions_of(side, grid, i, j), slack,
                 coarse[static_cast<std::size_t>((side * grid / 2 + i / 2) * (grid / 2) + j / 2)], candidates,
                 fine[static_cast<std::size_t>((side * grid + i) * grid + j)]);
    std::swap(coarse, fine);
  }
  p.grid = grid;
  p.cell_start.push_back(0);
  for (const List& cell : coarse) {
    p.cell_vertices.insert(p.cell_vertices.end(), cell.begin(), cell.end());
    p.cell_start.push_back(static_cast<std::int32_t>(p.cell_vertices.size()));
  }
}

}  // namespace tribo
