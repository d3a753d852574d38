// The truth for small problems: branch over the complementary cones of   q = w − M z,   0 ≤ z ⟂ w ≥ 0.
//     a cone takes, for each index k, either the column e_k (w_k) or −M_k (z_k); the problem has an answer iff one of the
//     2ⁿ cones contains q                                                                                  (1)
//     relax: let undecided indices use both columns, find the nearest point of that cone to q (NNLS)       (2)
//     q not reached: the residual s separates q from every cone of the family; prune, keep s as proof      (3)
//     q reached: if no undecided index uses both columns it is an answer, else branch on one that does      (4)
// Works for any matrix, degenerate or singular, and for mixed problems (free columns are projected out). Exponential in
// the worst case; with the pruning (3) a few dozen indices are usually possible.
// Ends      kSolved · kInfeasible (evidence: exhaustion) · kIterationLimit (nodes) · kBreakdown (too close to call)
#pragma once

#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

namespace tribo {

struct EnumerateSettings {
  int max_nodes = 20000;  // of the search tree
};

// Allocates as it goes: an oracle, not for the step loop. warm.states that already are an answer cost no node.
class EnumerateSolver {
 public:
  explicit EnumerateSolver(EnumerateSettings settings = {}) : settings_(settings) {}

  SolveReport solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution);
  SolveReport solve(const MixedLcp& lcp, const WarmStart& warm, MixedLcpSolution& solution);

 private:
  EnumerateSettings settings_;
};

}  // namespace tribo
