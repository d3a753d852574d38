// Coulomb friction problems as matrices, the form in which simulators dump them.
//
// Local:   u = W r + q;  per contact (r, u) obey Signorini and Coulomb with coefficient mu.
// Global:  M v = H r + G λ + f,   u = Hᵀ v + w,   Gᵀ v + b = 0;  the same law for (r, u).
// Per contact the normal component comes first, then one (planar) or two (spatial) tangential ones.
// W need not be symmetric: real dumps are not (implicit gyroscopic terms), so both triangles are kept.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/linalg/types.hpp"

#include <string>

#include <Eigen/SparseCore>

namespace tribo {

using SparseMatrix = Eigen::SparseMatrix<double>;  // compressed columns

struct LocalFriction {
  int dimension = 3;  // 2 or 3 numbers per contact
  SparseMatrix W;     // (d n) × (d n)
  VectorXd q;         // d n
  VectorXd mu;        // n
  std::string title;

  Index contacts() const { return mu.size(); }
};

struct GlobalFriction {
  int dimension = 3;
  SparseMatrix M;  // m × m
  SparseMatrix H;  // m × (d n)
  VectorXd f;      // m
  VectorXd w;      // d n
  SparseMatrix G;  // m × j; 0 columns: no bilateral rows
  VectorXd b;      // j
  VectorXd mu;     // n
  std::string title;

  Index contacts() const { return mu.size(); }
};

Checked validate(const LocalFriction& problem);
Checked validate(const GlobalFriction& problem);

}  // namespace tribo
