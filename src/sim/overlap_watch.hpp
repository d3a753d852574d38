// Overlaps that no motion of real bodies has: deeper than half of the thinner shape. From there on the nearest way out may lead
// through to the other side, and the answers are certified all the same. Each pair of shapes is told of once.
#pragma once

#include "tribo/collision/collision_model.hpp"
#include "tribo/sim/simulation.hpp"

#include <array>
#include <string>
#include <vector>

namespace tribo {

class OverlapWatch {
 public:
  explicit OverlapWatch(const CollisionModel& collision);
  // `contacts` of a step of length h, with their velocities: the overlap before it counts, and the one after it.
  void look(const std::vector<ContactRecord>& contacts, const CollisionModel& collision, double h,
            std::vector<std::string>& warnings);
  void forget() { told_.clear(); }

 private:
  std::vector<double> most_;                // m, per shape; infinite: it has no other side
  std::vector<std::array<Index, 2>> told_;  // sorted
};

}  // namespace tribo
