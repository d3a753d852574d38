// A ray of Lemke's method. On the ray z + t dz, z0 + t dz0, t ≥ 0, with w = M z + q + c z0 and dw = M dz + c dz0:
//     z, z0, dz, dz0, w, dw ≥ 0,   c ≥ 0                                                                     (1)
//     z_i w_i = z_i dw_i = dz_i w_i = dz_i dw_i = 0                                                          (2)
//     z0 > 0 (else the base point is an answer),   dz ≠ 0 (else it is the primary ray the path began on)     (3)
// Mixed problems: u, du join z, dz in every product, and the equality rows vanish at the base and along the
// ray. "Zero" is relative: w_i beside the terms of its row, z_i by its effect on the row where it shows most.
#pragma once

#include "tribo/problem/solution.hpp"

#include "certify/proof.hpp"

namespace tribo {

// free: number of leading equality rows; the cover has entries for the others.
Certificate check_ray(const MatrixXd& M, const VectorXd& q, Index free, const Evidence& ray);

}  // namespace tribo
