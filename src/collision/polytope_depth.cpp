#include "collision/polytope_depth.hpp"

#include <algorithm>

#include "collision/polytope_support.hpp"

namespace tribo {
namespace {

// Of the radius: faces are flat to 1e-9 of the size (polytope.cpp), and a vertex may lie that much above its neighbours.
constexpr double kUneven = 1e-8;

}  // namespace

const std::vector<std::int32_t>& DepthSearch::find(const Polytope& p, const Vector3d& up, double limit) {
  found_.clear();
  const auto height = [&](std::int32_t v) { return up.dot(p.vertices[static_cast<std::size_t>(v)]); };
  if (p.grid == 0) {  // few vertices
    for (std::int32_t v = 0; v < std::ssize(p.vertices); ++v)
      if (height(v) <= limit) found_.push_back(v);
    return found_;
  }
  if (++search_ == 0) std::fill(seen_.begin(), seen_.end(), 0);  // numbers of searches begin anew
  search_ = std::max(search_, 1u);
  if (seen_.size() < p.vertices.size()) seen_.resize(p.vertices.size(), 0);
  const auto meet = [&](std::int32_t v) {
    std::uint32_t& seen = seen_[static_cast<std::size_t>(v)];
    if (seen == search_) return;
    seen = search_;
    const double h = height(v);
    if (h <= limit + kUneven * p.radius) waiting_.push_back(v);
    if (h <= limit) found_.push_back(v);
  };
  meet(find_farthest(p, -up));
  while (!waiting_.empty()) {
    const std::int32_t v = waiting_.back();
    waiting_.pop_back();
    for (const std::int32_t e : p.edges_of(v)) {
      const Polytope::Edge& edge = p.edges[static_cast<std::size_t>(e)];
      meet(edge.from == v ? edge.to : edge.from);
    }
  }
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace tribo
