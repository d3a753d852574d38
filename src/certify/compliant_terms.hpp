// What every check of a compliant answer needs: one row of it with its scales.
//     us = max(|v|_M, |v*|_M, |v1|_M) over the island of the row      |x|_M = √(xᵀ M x)                       (1)
//     e = G v1 + β + R π,   π = h λ                                   m/s; zero where the law of a spring holds   (2)
//     scale of e:  ρ us/10 + R (|π| + us/ρ) + |β⁻|,   ρ = |row|_{M⁻¹}                                           (3)
// (2) does not cancel for stiff rows as λ + D (G v1 + β) would: every term is a speed. (3): a speed of its bodies, the impulse
// that changes it by that much, the row's own impulse, and the speed its compression asks for (any β of a bilateral row).
// β > 0, a gap, excuses nothing. Impulses of other rows do not appear: rows that press against one another with forces far
// above those that move anything must still share them as their springs say, and of speeds only a tenth counts:
// R π of a stiff row is small beside any speed. Momentum is judged by us and a tenth of the largest ρ |π|.
#pragma once

#include "tribo/linalg/block_diagonal.hpp"
#include "tribo/problem/compliant_problem.hpp"

#include "certify/contact_terms.hpp"

namespace tribo {

inline constexpr double kSpeedShare = 0.1;

struct CompliantTerms {
  const CompliantProblem* problem = nullptr;
  const CompliantSolution* solution = nullptr;
  BlockCholesky factor;
  IndexList island;   // of every block of M
  VectorXd speed;     // us per island
  VectorXd impulses;  // per island: the largest ρ |π|

  Index island_of(const BlockRows& rows, Index i) const;  // -1: the row touches nothing
};

// False when M is not positive definite.
bool calc_terms(const CompliantProblem& problem, const CompliantSolution& solution, CompliantTerms& terms);

// (2)–(3) of one row. `fed`: a force that acts beside the spring's (VelocityProduct::kPaper).
struct CompliantRowState {
  bool acts = false;
  double pi = 0.0;          // N·s
  double e = 0.0;           // m/s
  double compliance = 0.0;  // R
  double norm = 0.0;        // ρ
  double us = 0.0;
  double scale = 0.0;  // m/s
  // What an impulse changes e by: forces and speeds are compared by it.
  double weight() const { return norm * norm + compliance; }
};
CompliantRowState calc_row_state(const CompliantTerms& terms, const CompliantRows& rows, Index i, double lambda,
                                 double rate_scale = 1.0, bool bilateral = false, double fed = 0.0);

// |min(e, weight π)|, zero exactly when 0 ≤ π ⟂ e ≥ 0; `e` may be another than the row's.
double complementarity_gap(const CompliantRowState& row, double e);

// (G M⁻¹ Gᵀ)⁻¹ Ġ v0 of the bilateral rows that act, by least squares of least norm where the inverse does not exist.
VectorXd calc_fed_forward(const CompliantTerms& terms);

}  // namespace tribo
