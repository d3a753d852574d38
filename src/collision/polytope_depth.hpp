// The lowest part of a polytope, without a look at the rest: the vertices below a height hang together along edges and contain the
// lowest vertex, because the height has no other minimum on a convex body.
#pragma once

#include "tribo/collision/polytope.hpp"

#include <cstdint>
#include <vector>

namespace tribo {

// Keeps its memory.
class DepthSearch {
 public:
  // Vertices with up·x <= limit, ascending, in the polytope's frame; up: unit.
  const std::vector<std::int32_t>& find(const Polytope& p, const Vector3d& up, double limit);

 private:
  std::vector<std::int32_t> found_, waiting_;
  std::vector<std::uint32_t> seen_;  // per vertex: the last search that met it
  std::uint32_t search_ = 0;
};

}  // namespace tribo
