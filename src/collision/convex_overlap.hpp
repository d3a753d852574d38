// Where two patches lie over each other along the normal: the corners of the common region, each with a name.
#pragma once

#include "collision/convex_patch.hpp"

namespace tribo {

struct PatchContact {
  Vector3d on_a, on_b;  // on the cores, one over the other along n
  double extra;         // added to their distance along n: how far curved sides have bent away there
  std::uint32_t name;   // within this pair of patches
};

struct PatchContacts {
  static constexpr int kMost = 96;
  std::array<PatchContact, kMost> points;
  int count = 0;

  void add(const Vector3d& on_a, const Vector3d& on_b, std::uint32_t name, double extra = 0.0) {
    if (count < kMost) points[static_cast<std::size_t>(count++)] = {on_a, on_b, extra, name};
  }
};

// n: unit, from b to a.
void overlap(const Patch& a, const Patch& b, const Vector3d& n, PatchContacts& out);

}  // namespace tribo
