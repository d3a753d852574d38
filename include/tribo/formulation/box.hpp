// A box problem as a mixed complementarity problem, for solvers that know only 0 ≤ z. Any matrix; exact.
//     lo finite:  z = lo + x,  x ≥ 0        hi finite, lo infinite:  z = hi − x        both infinite:  z free
//     lo = hi:  z is a constant
//     lo < hi, both finite:  w = w⁺ − y,  0 ≤ y ⟂ hi − lo − x ≥ 0  (y: multiplier of the upper bound)
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
  static constexpr Index kFixed = -1;
  IndexList column_;  // of z_i among the unknowns of the mixed problem; kFixed where lo = hi
};

}  // namespace tribo
