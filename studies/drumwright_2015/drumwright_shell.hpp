// The model of Drumwright and Shell (2010): maximum dissipation instead of Coulomb's law, as two convex QPs.
//     phase I    frictionless:  0 ≤ f ⟂ N v + b_N ≥ 0;   kappa = Σ f                                        (1)
//     phase II   min ½ v⁺ᵀ M v⁺ + ½ ε |f|²   over f = (f_n, f_s⁺, f_s⁻, f_t⁺, f_t⁻) ≥ 0                      (2)
//                N v⁺ + b_N ≥ 0,   f_s⁺ + f_s⁻ + f_t⁺ + f_t⁻ ≤ mu f_n,   Σ f_n ≤ kappa,   J v⁺ + b_J = 0       (3)
// In whitened coordinates (spec A.3), with J eliminated:  u⁺ = u_p + C_pᵀ f,  C = [N; S; −S; T; −T],  so that the
// Hessian of (2) is C_p C_pᵀ + ε I.
// Source    E. Drumwright, D. Shell, "Modeling contact friction and joint friction in dynamic robotic simulation
//           using the principle of maximum dissipation" (WAFR 2010), as [Drumwright 2015] §VII-B uses it.
// Differs   C_p C_pᵀ is singular (rank ≤ m of 5 n), and our QP solver asks for a definite Hessian: ε = 1e-6 of its
//           largest diagonal entry (with 1e-8 the answers of some blocks on a slope miss their certificate of 1e-8). The
//           velocity is off by about that share of |f|/mass: 1e-7 m/s in the grasp. kappa is raised by 1e-9 of itself:
//           where all of kappa is needed, (3) leaves no room for rounding.
// Promise   the velocity of phase I is feasible for phase II, so there is an answer whenever (1) has one.
// Cost      Cholesky of a 5 n matrix, and pivots over 7 n + 1 rows: O(n³).
#pragma once

#include <memory>

#include "methods.hpp"

namespace tribo {

std::unique_ptr<StepMethod> make_drumwright_shell();

}  // namespace tribo
