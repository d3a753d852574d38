// The ten single-body situations of Figures 6 and 7. The paper names four (block in corner, ball in the rim of a hole,
// block in groove, face on surface) and gives n = 1 … 16; the geometry and the other six are ours. SI units; 1 kg;
// mu 0.2 … 0.3 per contact.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/problem/contact_problem.hpp"

#include <span>
#include <string>

namespace tribo {

struct Situation {
  std::string name;
  Index contacts = 0;
  ContactProblem (*make)(Random& random);  // at rest; a random wrench, and its weight unless it is the peg
};
std::span<const Situation> situations();  // in the order of their contacts

}  // namespace tribo
