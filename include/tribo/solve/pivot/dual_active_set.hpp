// Dual active set method (Goldfarb and Idnani) for   0 ≤ z ⟂ w = F z + q ≥ 0,   F symmetric positive semidefinite,
// seen as  min ½|t|²  subject to  G t + q ≥ 0,  F = G Gᵀ.  Keeps z_A ≥ 0 and w_A = 0 and drives one violated row at a time:
//     p = the most violated row;   F_AA r = F_Ap,   d² = F_pp − F_pA r                                     (1)
//     s = min{ z_j / r_j : r_j > 0 }  and  −w_p / d²:   z_A ← z_A − s r,   z_p ← z_p + s                   (2)
//     a full step appends p, a partial step drops the blocking j and tries p again                         (3)
//     no bound on s: y_p = 1, y_A = −r is a Farkas vector, no t satisfies the rows                         (4)
// Source    spec B.6. Not in the papers: the finite fallback for the modified principal pivoting of [Drumwright 2015].
// Promise   every full step raises the dual objective, at most |A| partial steps lie between two: finite without any
//           assumption of non-degeneracy. |A| ≤ rank F.
// Cost      O(n k) per step for a matrix, O(n m) for n rows of length m; no allocation after reserve.
// Differs   in matrix form, rows dependent to ten or twelve digits are handed to Lemke's method (report.fallback).
// Ends      kSolved · kInfeasible (evidence: Farkas vector) · kIterationLimit · kBreakdown (accuracy lost)
#pragma once

#include "tribo/problem/lcp.hpp"
#include "tribo/problem/least_distance.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <memory>

namespace tribo {

struct DualActiveSetSettings {
  int max_steps = 0;  // 0: 200 + 20 n. Too small ends in kIterationLimit
};

class DualActiveSetSolver {
 public:
  explicit DualActiveSetSolver(DualActiveSetSettings settings = {});
  ~DualActiveSetSolver();
  DualActiveSetSolver(DualActiveSetSolver&&) noexcept;
  DualActiveSetSolver& operator=(DualActiveSetSolver&&) noexcept;

  void reserve(Index n);           // matrix form
  void reserve(Index n, Index m);  // factored form: n rows of length m
  // warm.states: kActive for the rows of A. Dependent rows and rows with negative z are dropped first.
  SolveReport solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution);
  SolveReport solve(const FactoredLcp& lcp, const WarmStart& warm, LcpSolution& solution);
  void reserve(const LeastDistance& problem);  // for problems up to this size
  SolveReport solve(const LeastDistance& problem, const WarmStart& warm, LcpSolution& solution);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
