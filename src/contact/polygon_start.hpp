// Where to start on the true cone: the answer with a polygon in the place of the circle, by Lemke's method on
//     u_N = W_NN r_N + W_NT D β + q_N,   0 ≤ r_N ⟂ u_N ≥ 0
//     0 ≤ β ⟂ Dᵀ u_T + e λ ≥ 0,          0 ≤ λ ⟂ mu r_N − eᵀ β ≥ 0                                            (1)
// with the columns of D around the circle, the first along the slip without impulses. W need not be symmetric. Bilateral
// blocks are free unknowns.
#pragma once

#include "tribo/problem/cone_problem.hpp"

namespace tribo {

inline constexpr Index kMostPolygonRows = 800;  // of (1), whose matrix is dense

// False: too large, friction against turning, or the method found no answer.
bool find_polygon_start(const ConeProblem& problem, int sides, ConeWarmStart& warm);

}  // namespace tribo
