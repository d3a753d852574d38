// Projected Gauss–Seidel for   w = M z + q,  lo ≤ z ≤ hi,   M symmetric positive semidefinite, M_ii > 0:
//     z_i ← clip(z_i − (M_i· z + q_i)/M_ii, lo_i, hi_i),   i = 1 … n, newest values used at once           (1)
//     stop when  max_i |z_i − clip(z_i − w_i/M_ii)| sqrt(M_ii) ≤ ε max_i |q_i|/sqrt(M_ii)                   (2)
// Source    [Arechavaleta 2009] §III-A; spec D.2, D.3.
// Errata    the paper's eq. (3) sums over j < i only; (1) needs the old values j ≥ i as well (with the printed sum 3 of 60
//           problems were solved).
// Differs   the paper stops on the size of the last change, which is no residual; we evaluate (2) on the finished sweep.
// Promise   converges, linearly and sometimes very slowly, when an answer exists. Rows with M_ii = 0 are left at clip(0).
// Cost      n² per sweep; no allocation after reserve(n).
// Ends      kSolved · kIterationLimit · kBreakdown (M_ii < 0 or not finite, index reported)
#pragma once

#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <memory>

namespace tribo {

struct PgsSettings {
  int max_sweeps = 20000;    // ends in kIterationLimit
  double tolerance = 1e-11;  // ε of (2), relative; below 1e-14 rounding decides
};

class PgsSolver {
 public:
  explicit PgsSolver(PgsSettings settings = {});
  ~PgsSolver();
  PgsSolver(PgsSolver&&) noexcept;
  PgsSolver& operator=(PgsSolver&&) noexcept;

  void reserve(Index n);
  // warm.z: where to start. At the solution it costs no sweep.
  SolveReport solve(const BoxLcp& lcp, const WarmStart& warm, BoxLcpSolution& solution);
  SolveReport solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
