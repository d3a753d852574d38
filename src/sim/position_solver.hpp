// The least move of positions that does what rows ask for:
//     minimize ½ dqᵀ M dq  such that  N dq + b_N ≥ 0,  J dq + b_J = 0
// island by island, and nothing moves in an island where no row asks. What the dual active set method does not certify goes
// through the chain of contact/solve.hpp, where rows that contradict one another are eased.
// Cost      nothing is allocated when problems have the sizes of those before.
#pragma once

#include "tribo/certify/contact_certifier.hpp"
#include "tribo/core/expected.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/problem/islands.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"

#include <cstdint>
#include <vector>

namespace tribo {

class PositionSolver {
 public:
  // `asks`: per contact, then per bilateral row. v and f of the problem are zero, h = 1. dq has zeros where nothing asks.
  // Fails where an island has no certified answer.
  Checked solve(const ContactProblem& problem, const std::vector<std::uint8_t>& asks, VectorXd& dq);
  const IslandMap& islands() const { return islands_.map(); }  // of the last problem

 private:
  Checked solve_island(const ContactProblem& problem);

  IslandSplitter islands_;
  std::vector<std::uint8_t> moves_;  // per island
  NormalFormulation formulation_;
  DualActiveSetSolver solver_;
  ContactCertifier certifier_;
  WarmStart nothing_;
  LcpSolution normals_;
  ContactSolution solution_;  // of the island at hand
};

}  // namespace tribo
