// The least move of positions that does what rows ask for:
//     minimize ½ dqᵀ M dq  such that  N dq + b_N ≥ 0,  J dq + b_J = 0
// island by island, and nothing moves in an island where no row asks. Rows that contradict one another are eased.
// Cost      nothing is allocated when problems have the sizes of those before.
#pragma once

#include "tribo/contact/pipeline.hpp"
#include "tribo/core/expected.hpp"
#include "tribo/problem/islands.hpp"

#include <cstdint>
#include <vector>

namespace tribo {

class PositionSolver {
 public:
  PositionSolver();
  // `asks`: per contact, then per bilateral row. v and f of the problem are zero, h = 1. dq has zeros where nothing asks.
  // Fails where an island has no certified answer.
  Checked solve(const ContactProblem& problem, const std::vector<std::uint8_t>& asks, VectorXd& dq);
  const IslandMap& islands() const { return islands_.map(); }  // of the last problem

 private:
  IslandSplitter islands_;
  std::vector<std::uint8_t> moves_;  // per island
  ContactPipeline pipeline_;
  StartValues nothing_;
};

}  // namespace tribo
