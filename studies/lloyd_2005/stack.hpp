// The stacks of Figures 8 and 9: blocks of 0.2 × 0.2 × 0.1 m and 1 kg on the ground, subject to gravity, a random
// wrench on the top one. Contacts are the corners of the face that two blocks share, as in the paper's Figure 2: four
// where a block lies square on the one below, eight where it is turned by 45 degrees. The paper gives m = 1 … 5 and
// n = 4 … 32 "depending on the positioning".
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <span>

namespace tribo {

struct Stack {
  Index blocks = 1;
  Index turned = 0;  // blocks that are turned against the one below, from the second block up; < blocks

  Index contacts() const { return 4 * blocks + 4 * turned; }
};
std::span<const Stack> stacks();  // ten of them, in the order of their blocks
ContactProblem make_stack(const Stack& stack, Random& random);

}  // namespace tribo
