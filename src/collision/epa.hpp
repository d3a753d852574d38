// EPA: the least overlap of two convex cores, in fixed memory.
//     P_k ⊂ A − B a polytope of support points around the origin; its nearest face has the outward normal m and distance d     (1)
//     w = support of A − B along m;   stop when  m·w − d <= 1e-12 of the size, otherwise P_{k+1} = hull(P_k, w)                (2)
// d <= least overlap <= m·w. Curved shapes stop at the limit of points: their normal is finished by refine_normal.
// Source  [van den Bergen 2001].
#pragma once

#include "collision/gjk.hpp"

namespace tribo {

// Starts from the simplex of an overlap (or of a distance near zero). Fills distance (negative), normal from b to a, on_a, on_b.
void epa(const Core& a, const Core& b, Distance& found);

}  // namespace tribo
