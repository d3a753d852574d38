// Principal pivoting of Cottle and Dantzig with two-sided bounds:  w = M z + q,  lo ≤ z ≤ hi,  M symmetric positive
// semidefinite;  w ≥ 0 at lo, w ≤ 0 at hi, w = 0 in between. Indices are settled one after the other and stay settled:
//     C: w = 0 and z inside;   L, U: z at its bound and w of the right sign;   the others wait at clip(0)
//     drive a waiting i:  dz_i = ±1,  dz_C = ∓ M_CC⁻¹ M_Ci,  dw = M dz,  d² = |dw_i|                        (1)
//     stop at the first event: w_i = 0 (i joins C), z_i at its bound (i joins L or U),
//                              z_j, j ∈ C, at a bound (j leaves C), w_j = 0 for j ∈ L or U (j joins C)       (2)
//     nothing stops it: no answer exists, dz is the proof                                                   (3)
// Source    [Loomis and Balkcom 2006] §III, [Baraff 1994]; spec E.1, E.3 (start from an index set).
// Differs   two-sided bounds; a row that depends on C has dw = 0, and rounding is kept from making it block.
// Promise   finite when no step is degenerate; limits catch the rest.
// Cost      O(n k + k²) per pivot; no allocation after reserve(n).
// Ends      kSolved · kInfeasible (evidence: Farkas vector dz) · kIterationLimit · kBreakdown
#pragma once

#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <memory>

namespace tribo {

struct DantzigSettings {
  int max_pivots = 0;  // 0: 200 + 20 n. Too small ends in kIterationLimit
};

class DantzigSolver {
 public:
  explicit DantzigSolver(DantzigSettings settings = {});
  ~DantzigSolver();
  DantzigSolver(DantzigSolver&&) noexcept;
  DantzigSolver& operator=(DantzigSolver&&) noexcept;

  void reserve(Index n);
  // warm.states: C, L and U of an earlier problem. At the solution it costs no pivot.
  SolveReport solve(const BoxLcp& lcp, const WarmStart& warm, BoxLcpSolution& solution);
  SolveReport solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
