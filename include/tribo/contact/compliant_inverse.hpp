// Inverse dynamics of a compliant step (spec D.4): which force f takes v0 to v1 within h? The law of every row gives its
// force from v1 alone, so the answer is unique and in closed form:
//     λ = λ(v1),   f = M (v1 − v0)/h − Σ Gᵀ λ                                                                    (1)
//     bilateral λ = −D z, unilateral λ = max(0, −D z),   z = G v1 + β
//     kCoulomb      normal rows as unilateral ones, then tangents: −D z clipped to the disc of radius mu λ_n
//     kConvexCone   the projection of −D z on the cone in the norm of R
// Where the two tangents of a contact differ in stiffness the disc is not met along −D z; (R + θ) π_t = −z_t, |π_t| = mu π_n
// is then solved for θ to the last digit.
// kLeastNorm and kWeighted have no such inverse and are refused: their forces follow from all rows together.
// Stiff rows ask for digits of v1 that doubles do not have: an error of v1 in the last place shows D times in f.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/compliant_problem.hpp"

namespace tribo {

struct CompliantInverse {
  VectorXd f;                  // replaces CompliantProblem::f, which is not read
  CompliantSolution solution;  // what acts then
};

// Refused: a problem that is not valid, a v1 of another size or not finite, VelocityProduct::kPaper, and the programs.
Expected<CompliantInverse> solve_inverse(const CompliantProblem& problem, const Compliant& model, const VectorIn& v1);

}  // namespace tribo
