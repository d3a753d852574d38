// The least move of positions that does what rows ask for:
//     minimize ½ dqᵀ M dq  such that  N dq + b_N ≥ 0,  J dq + b_J = 0
// island by island, and nothing moves in an island where no row asks. Rows that contradict one another are eased; of J,
// what its rows cannot give is left out first (loop_move.hpp). Where the move that closes loops alone leaves all rows of
// N as they ask or within the allowed overlap, it is the answer.
// Failure   an island without a certified answer does not move; the others do.
// Cost      nothing is allocated when problems have the sizes of those before.
#pragma once

#include "tribo/contact/pipeline.hpp"
#include "tribo/problem/islands.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "sim/loop_move.hpp"

namespace tribo {

class PositionSolver {
 public:
  explicit PositionSolver(double allowed_overlap);  // m
  // `asks`: per contact, then per bilateral row. v and f of the problem are zero, h = 1. dq has zeros where nothing
  // asks.
  void solve(const ContactProblem& problem, const std::vector<std::uint8_t>& asks, VectorXd& dq);
  const IslandMap& islands() const { return islands_.map(); }          // of the last problem
  const std::vector<std::uint8_t>& failed() const { return failed_; }  // per island
  const std::string& why() const { return why_; }                      // the first of them failed
  // Per row of J: the part of b_J that can be closed; b_J where nothing asks.
  const VectorXd& closable() const { return closable_; }

 private:
  bool solve_part(const ContactProblem& part);

  IslandSplitter islands_;
  std::vector<std::uint8_t> moves_, failed_;  // per island
  ContactPipeline pipeline_;
  double allowed_;
  StartValues nothing_;
  LoopMove loops_;
  ContactProblem looped_;  // the island, with what of b_J can be closed
  VectorXd move_, closable_;
  std::string why_;
};

}  // namespace tribo
