// One contact with the true cone, in closed form: u = A r + b, Signorini and Coulomb with coefficient mu. Any A with A_NN > 0,
// symmetric or not; the normal component comes first. src/solve/cone/one_contact.hpp says how; about 0.1 µs, nothing is allocated.
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo {

// False: the contact must push and cannot (A_NN ≤ 0), or there is no answer; r is then zero.
bool solve_one_contact(const Matrix3d& A, const Vector3d& b, double mu, Vector3d& r);
bool solve_one_contact(const Eigen::Matrix2d& A, const Eigen::Vector2d& b, double mu, Eigen::Vector2d& r);

}  // namespace tribo
