// The last digits of a contact normal. GJK and EPA end when the distance is right; it is flat around its maximum, so the normal then
// has half the digits only. The separation of two cores along a unit n (from b to a),
//     s(n) = n·(p_A − p_B),   p_A the support of A along −n, p_B that of B along n,   ∇s = p_A − p_B                           (1)
//     on the sphere:  H = −(S_A + S_B) − s 1,  S: the slopes of the support points                                            (2)
// has its maximum (distance, or minus the least overlap) in the open where the surfaces are smooth, on a circle n ⟂ c where an edge
// or the side of a cylinder takes part, and at n ∥ c × c' where two of them do. All of these near n are tried by Newton's method
// on (1), (2), and the best is kept; between equals the one with more edges, so that flat contacts get exact normals.
#pragma once

#include "collision/gjk.hpp"

namespace tribo {

double separation(const Core& a, const Core& b, const Vector3d& n);
// Improves n (unit, from b to a) and returns s(n).
double refine_normal(const Core& a, const Core& b, Vector3d& n);

// The best normal from a net of directions over the whole sphere; slow. For overlaps where EPA lost its hull to slivers.
double search_normal(const Core& a, const Core& b, Vector3d& n);

}  // namespace tribo
