// One movable body in few contacts with the world, where fixed costs decide: the models frictionless and no-slip at
// velocity level, by arithmetic of fixed size. The mathematics is that of formulation/normal.hpp and
// solve/pivot/dual_active_set.hpp, with every row in one lane of a vector register and the momentum as one more row:
//     M = G Gᵀ,   rows N̂ = N G⁻ᵀ, Ŝ, T̂,   u₀ = G⁻¹ (M v + h f)                                               (1)
//     x = Σ_l c_l g_l + x̄        for every row x: the parts along the tangents g_l taken so far, and the rest    (2)
//     u⁺ = ū₀ + Σ_i z_i N̄_i      z from dual active set steps on the rests of the normals                       (3)
//     C f_acc = −c(u₀) − Σ_i z_i c(N̂_i),   C_lk = c_l of accepted tangent k, unit upper triangular              (4)
//     v⁺ = G⁻ᵀ u⁺
// Tangents are taken as FIND-INDICES takes them, the largest share first. The dual steps keep r of every row
// (F_AA r = F_Ai) in lanes: the step of a row that enters is read off, and appending is one elimination. A row that
// leaves costs the elimination of those that stay.
//
// Differs   nothing is regularised or guessed; what is not plain arithmetic here is left to the general path: tangents
//           of which between 1e-8 and 1e-2 is new, nearly dependent normals, problems without an answer or not finite.
// Promise   `true` comes with an answer whose normal velocities were computed again from u⁺: violations and w of loaded
//           contacts below 1e-11, in the units of the general path.
// Cost      O(m n) per row taken, eight rows at a time. No memory but the stack's; nothing is allocated once the
//           vectors of the answer have their size.
#pragma once

#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/report.hpp"

namespace tribo {

class OneBody {
 public:
  static constexpr Index kDof = 8, kContacts = 16;  // limits

  // The problem must be valid. True: solved, solution and report are set. False: not a problem for this path, or one
  // that needs the general one; nothing is promised about solution and report then.
  bool solve(const ContactProblem& problem, const ContactModel& model, ContactSolution& solution, SolveReport& report);

  Index equality_rank() const { return rank_; }  // rank E of the last problem that was solved

 private:
  Index rank_ = 0;
};

}  // namespace tribo
