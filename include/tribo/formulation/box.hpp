// A box problem as a mixed complementarity problem, for solvers that know only 0 ≤ z. Any matrix; exact.
//     lo finite:  z = lo + x,  x ≥ 0        hi finite, lo infinite:  z = hi − x        both infinite:  z free
//     lo and hi finite:  w = w⁺ − y,  0 ≤ y ⟂ hi − lo − x ≥ 0  (y: multiplier of the upper bound)
#pragma once

#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"

namespace tribo {

class BoxAsMixed {
 public:
  explicit BoxAsMixed(const BoxLcp& box);

  const MixedLcp& problem() const { return mixed_; }
  BoxLcpSolution lift(const MixedLcpSolution& solution) const;  // without evidence

 private:
  const BoxLcp* box_;
  MixedLcp mixed_;
  IndexList column_;  // of z_i among the unknowns of the mixed problem
};

}  // namespace tribo
