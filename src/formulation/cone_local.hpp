// ConeFormulation of a LocalFriction problem: the entries of W in blocks.
#pragma once

#include "tribo/problem/cone_problem.hpp"
#include "tribo/problem/friction_problem.hpp"

#include <cstdint>
#include <vector>

namespace tribo {

class LocalCone {
 public:
  // Blocks that hold nothing but zeros are dropped, diagonal ones kept.
  void update(const LocalFriction& problem, ConeProblem& cone);

 private:
  std::vector<std::int32_t> seen_, next_;
};

}  // namespace tribo
