// PGS-SM: sweeps of projected Gauss–Seidel, then subspace minimization over the variables they left inside their bounds.
// For   w = M z + q,  lo ≤ z ≤ hi,   M symmetric positive semidefinite:
//     a few sweeps of PGS;  L, U = {z at a bound}, F = the rest                                            (1)
//     up to a few times:  M_FF x_F = −(q + M_FL lo + M_FU hi)_F;  clip; clipped indices join L or U        (2)
//     keep x only if φ(x) ≤ φ(z),   φ = ½ zᵀ M z + qᵀ z                                                    (3)
// Source    [Arechavaleta 2009] §III-B; spec D.3.
// Differs   two-sided bounds; the guard (3), which makes φ monotone and the whole scheme convergent; M_FF is factored by
//           Cholesky row by row, leaving dependent rows at their value (the paper regularises by an absolute 1e-11).
// Promise   converges when an answer exists. Sweeps release variables, subspace steps only bind them.
// Cost      n² per sweep, |F|³/3 per subspace step; no allocation after reserve(n).
// Ends      kSolved · kIterationLimit · kBreakdown (M_ii < 0 or not finite, index reported)
#pragma once

#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <memory>

namespace tribo {

struct PgsSmSettings {
  int sweeps = 5;            // k_PGS, 1 …; the paper uses 3 to 6
  int subspace_steps = 3;    // k_SM, 1 …; the paper uses 1 to 3
  int max_sweeps = 20000;    // in all; ends in kIterationLimit
  double tolerance = 1e-12;  // of the residual of pgs.hpp (2), relative; below 1e-14 rounding decides
};

class PgsSmSolver {
 public:
  explicit PgsSmSolver(PgsSmSettings settings = {});
  ~PgsSmSolver();
  PgsSmSolver(PgsSmSolver&&) noexcept;
  PgsSmSolver& operator=(PgsSmSolver&&) noexcept;

  void reserve(Index n);
  SolveReport solve(const BoxLcp& lcp, const WarmStart& warm, BoxLcpSolution& solution);
  SolveReport solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
