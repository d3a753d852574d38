// Lemke's method for   0 ≤ z ⟂ w = M z + q ≥ 0   and its mixed form with free variables,  any square M.
//     w = M z + c z₀ + q,  c > 0:  z₀ enters at the value that makes w ≥ 0; then the complement of whatever left drives,
//     until z₀ leaves (solved) or nothing blocks (secondary ray)                                          (1)
// Source    [Lloyd 2005] §III; spec C.2, C.4.
// Differs   no tableau: only the core of the basis is inverted (lemke_basis.hpp), a pivot costs n k + O(k²).
//           Rows and columns are equilibrated by powers of two. Scaling columns leaves the path alone, scaling rows amounts
//           to another covering vector, so nothing that is proved of the method is lost.
//           A start from an index set is Lemke's method on the principal transform of the problem.
// Promise   lexicographic ratio test: no cycling. Ends with an answer for P, positive semidefinite (if feasible) and
//           copositive M under the condition on q of spec C.1; a ray is returned with its direction. One run per call: where
//           rows repeat one another up to rounding, pivots may be rounding as well, and the run breaks down (26 of 20,000
//           random rank-deficient matrices). Where the line runs depends on the covering vector; another one is another call.
// Cost      O(n k + k²) per pivot, k = active variables; no allocation after reserve(n).
// Ends      kSolved · kRay (evidence: the ray) · kIterationLimit · kBreakdown (singular basis, accuracy lost)
#pragma once

#include "tribo/problem/lcp.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

#include <cstdint>
#include <memory>

namespace tribo {

struct LemkeSettings {
  int max_pivots = 0;            // 0: 1000 + 50 n. Too small ends in kIterationLimit
  std::uint64_t cover_seed = 0;  // 0: covering vector of ones; otherwise 1 … 1.5 at random: another path
  // Smallest pivot, relative to the largest entry of the driving column. Of 100,000 random problems (`bench robustness`) the
  // first run breaks down on 142 at 1e-9, 33 at 1e-8, 21 at 1e-7, 53 at 1e-6. At 1e-7 there are P matrices among them.
  double pivot_tolerance = 1e-8;
};

class LemkePath;  // the workspace of one run

class LemkeSolver {
 public:
  explicit LemkeSolver(LemkeSettings settings = {});
  ~LemkeSolver();
  LemkeSolver(LemkeSolver&&) noexcept;
  LemkeSolver& operator=(LemkeSolver&&) noexcept;

  void reserve(Index rows);
  // warm.states: kActive where z (not w) is basic. At a solution it costs no pivot. A path from there that ends without an answer
  // proves nothing and is a breakdown.
  SolveReport solve(const Lcp& lcp, const WarmStart& warm, LcpSolution& solution);
  SolveReport solve(const MixedLcp& lcp, const WarmStart& warm, MixedLcpSolution& solution);

 private:
  std::unique_ptr<LemkePath> path_;
};

}  // namespace tribo
