// Certificates of the programs of [Drumwright 2018] (spec B.1, C.1, C.2): kLeastNorm without contacts, and kWeighted.
//     min f(x) = ½ Σ w x² + ½ Σ_t β_t²,   β_t = x_t + D_t ((W x)_t + c_t)       W = h G A Gᵀ,  c = G v_b + β          (1)
//     rows  s_i = x_i + D_i ((W x)_i + c_i) ≥ 0,   units  x ≥ 0 or |x_t| ≤ mu x_n                                    (2)
// w: ζ for normals and unilateral rows, 1 for tangents. Bilateral rows are in A and v_b, found from the system
// [M G_bᵀ; G_b −R_b] in extended precision. Which rows are active the answer says by its row multipliers m > 0; which cones,
// its forces: within 10⁻⁹ of the largest force of the boundary (of zero) is on it. Then
//     ∇f(x) = Bᵀ m + ν,   m ≥ 0,   ν ∈ K*, ν ⟂ x                                                                    (3)
// is solved for ν and, where m > 0, for m to more digits, as far as it can be (compliant_program_multipliers.hpp).
//     momentum         M (v1 − v) − h f − Σ Gᵀ π per body, over the largest of its terms
//     bilateral        e over its scale (compliant_terms.hpp)
//     rows             −s_i over the sum of its terms
//     cones            |x_t| − mu x_n, or −x, over the largest force
//     complementarity  min(s_i, m_i), each over its scale
//     stationarity     |d|_H over √(Σ w x²) + 10⁻⁶ √(Σ_t (terms of β_t)²): how far x is from satisfying (3)
//     multipliers      negative m, ν on a boundary, and ν outside of K* at x = 0, over the terms of ∇f
//     idle rows        forces of rows with K = B = 0, and tangents where mu = 0, over the largest force
// f is strictly convex: where the others are zero, |d|_H is the distance to the answer to first order. Its scale leaves out the
// huge terms of stiff friction, which would excuse any normal force, but for what rounding x to doubles costs.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/problem/compliant_problem.hpp"

namespace tribo {

// Sizes of problem and forces must fit. An answer without row multipliers is refused: they are the proof.
Certificate certify_program(const CompliantProblem& problem, const Compliant& model, const CompliantSolution& solution);

}  // namespace tribo
