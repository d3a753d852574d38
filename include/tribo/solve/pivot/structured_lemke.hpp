// Lemke's method for Coulomb friction on a polygon, on the structure of the problem: the LCP matrix is never formed, a pivot
// solves a core of at most m + 2 equations (m degrees of freedom).
//     0 ≤ θ ⟂ ν ≥ 0,  0 ≤ φ ⟂ σ ≥ 0,  0 ≤ λ ⟂ γ ≥ 0     of problem/pyramid.hpp                                  (1)
// Source    [Lloyd 2005] §V (structural), §VI (reduced); spec C.3 – C.5.
// Differs   structural: any basis on the path, not only complementary ones; random covering vector, then ones with
//           lexicographic ties.
//           reduced: with the paper's covering vector, as far as it is known, pivots grow with the contacts and runs fail
//           at ties (spec C.5; study lloyd-2005). Ours covers the normals alone and enters contacts already sliding, so
//           that every point of the path is an exact answer with larger gaps.
// Promise   reduced: pivots follow the degrees of freedom, not the contacts. One run per call: one that fails leaves other covering
//           vectors and raised covers with lexicographic ties to other calls.
//           An answer is claimed only after its residuals were evaluated.
// Cost      per pivot O(m³) and one pass over the normals; reduced touches tangents of loaded contacts only. No allocation
//           after a problem of this size; one and two free bodies (6, 12 degrees of freedom) use arrays of fixed size.
// Ends      kSolved · kRay · kIterationLimit · kBreakdown. No evidence: lemke/standard gives it.
#pragma once

#include "tribo/problem/pyramid.hpp"
#include "tribo/solve/report.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace tribo {

enum class LemkeForm { kStructural, kReduced };

struct StructuredLemkeSettings {
  LemkeForm form = LemkeForm::kReduced;
  int max_pivots = 0;      // 0: from the size. Too small ends in kIterationLimit
  std::uint64_t seed = 1;  // of the covering vector
  bool lexicographic =
      false;  // ties by the lexicographic rule; reduced: with raised covers. Slower, and meets fewer ties
};

class StructuredLemkeSolver {
 public:
  explicit StructuredLemkeSolver(StructuredLemkeSettings settings = {});
  ~StructuredLemkeSolver();
  StructuredLemkeSolver(StructuredLemkeSolver&&) noexcept;
  StructuredLemkeSolver& operator=(StructuredLemkeSolver&&) noexcept;

  // `warm`: contacts that carried load in an answer to a problem like this, as PyramidSolution::loaded has them. At an
  // answer it mostly costs no pivot; where it leads nowhere the start is cold. It may be solution.loaded itself.
  SolveReport solve(const PyramidProblem& problem, std::span<const LoadedContact> warm, PyramidSolution& solution);

 private:
  class Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace tribo
