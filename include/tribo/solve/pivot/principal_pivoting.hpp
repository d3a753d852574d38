// Modified principal pivoting method I for   0 ≤ z ⟂ w = F z + q ≥ 0,   F symmetric positive semidefinite:
//     z_A = −F_AA⁻¹ q_A,   w = F_:A z_A + q                                                                (1)
//     i = the most negative w, p = the most negative z_A (both counted in their own scales)                (2)
//     neither: done.  w_i < 0: append i, and if z_p < 0 (before appending) drop p.  only z_p < 0: drop p   (3)
// Source    [Drumwright 2015] Algorithm 1; spec B.5.
// Errata    the paper's B is our complement of A; its bound of O(n) iterations is O(m) in practice, and its proof of
//           finiteness (P matrices) does not cover singular F: the rule cycles in up to 0.4 % of contact problems.
// Differs   scaled tests (unit independent); every A is remembered by its hash, and on a repeat, on a dependent row, or
//           after 5 + 3 min(n, m) iterations the dual active set method takes over (report.fallback).
// Ends      as the dual active set method.
#pragma once

#include "tribo/problem/lcp.hpp"
#include "tribo/problem/least_distance.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <memory>

namespace tribo {

struct PrincipalPivotingSettings {
  bool fallback = true;    // false: the printed rule alone; a cycle then ends in kIterationLimit
  int max_iterations = 0;  // 0: 5 + 3 min(n, m), then the fallback
};

class PrincipalPivotingSolver {
 public:
  explicit PrincipalPivotingSolver(PrincipalPivotingSettings settings = {});
  ~PrincipalPivotingSolver();
  PrincipalPivotingSolver(PrincipalPivotingSolver&&) noexcept;
  PrincipalPivotingSolver& operator=(PrincipalPivotingSolver&&) noexcept;

  void reserve(Index n);
  void reserve(Index n, Index m);
  SolveReport solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution);
  SolveReport solve(const FactoredLcp& lcp, const WarmStart& warm, LcpSolution& solution);
  void reserve(const LeastDistance& problem);  // for problems up to this size
  SolveReport solve(const LeastDistance& problem, const WarmStart& warm, LcpSolution& solution);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
