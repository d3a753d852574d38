// Keeping the points of a manifold, and naming them.
#include "tribo/collision/manifold.hpp"

#include "collision/narrow.hpp"

namespace tribo {

void Manifold::add(const Vector3d& point, double gap, std::uint32_t feature) {
  if (count < kMostPoints) {
    points[static_cast<std::size_t>(count++)] = {point, gap, feature};
    return;
  }
  ManifoldPoint* shallowest = &points[0];
  for (ManifoldPoint& p : points)
    if (p.gap > shallowest->gap) shallowest = &p;
  if (gap < shallowest->gap) *shallowest = {point, gap, feature};
}

std::uint32_t feature_of(std::uint32_t kind, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  if (kind < 4 && x < 1024 && y < 512 && z < 2048) return kind | (x << 2) | (y << 12) | (z << 21);
  // The finalizer of splitmix64 over all four numbers.
  std::uint64_t h = 0x9E3779B97F4A7C15ull;
  for (const std::uint64_t part : {kind, x, y, z}) {
    h += part + 0x9E3779B97F4A7C15ull;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
    h ^= h >> 31;
  }
  return static_cast<std::uint32_t>(h);
}

}  // namespace tribo
