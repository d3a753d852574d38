// The impulses of the last step, to start the next one: found again by what made them.
#pragma once

#include "tribo/linalg/types.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <cstdint>
#include <tuple>
#include <vector>

namespace tribo {

struct KnownImpulse {
  ContactKey key;
  Vector3d impulse = Vector3d::Zero();  // world axes; rows of joints: along s, t, n
  Vector3d couple = Vector3d::Zero();   // against spinning and rolling, world axes
  Vector3d held = Vector3d::Zero();     // what stretched tangential springs give, world axes; compliant contacts
  std::uint8_t of_rest = 0;             // found while nothing moved, before the step and after it
  std::int32_t place = 0;               // among those that were added
};

// Sorted by key; keys are unique but for contacts that collision could not tell apart, then the first counts.
class Memory {
 public:
  void clear() { known_.clear(); }
  void add(const KnownImpulse& impulse);
  void sort();
  // Fastest where keys are asked for in their order.
  const KnownImpulse* find(const ContactKey& key);
  const std::vector<KnownImpulse>& all() const { return known_; }

 private:
  std::vector<KnownImpulse> known_;
  std::size_t next_ = 0;  // behind the last that was found
};

}  // namespace tribo
