// Data: everything computed from a state. Sized once by its model; the functions that fill it allocate nothing. One object
// serves one thread.
//
// Spatial vectors are (angular, linear), world axes, taken about one point per tree, its `origin` (where the tree's root body
// is): motions say how fast matter passes that point, forces what they turn about it. The point counts as fixed, so bodies of a
// tree add up without any change of frame.
#pragma once

#include "tribo/multibody/model.hpp"

#include <vector>

namespace tribo {

using SpatialVector = Eigen::Matrix<double, 6, 1>;

// Ten numbers of an inertia about a point: mass, mass · (centre − point), and the symmetric matrix about the point.
struct SpatialInertia {
  double mass = 0.0;
  Vector3d moment = Vector3d::Zero();
  double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;
};

struct Data {
  explicit Data(const Model& model);

  // calc_positions
  std::vector<Vector3d> p;        // per body: origin of its frame, world
  std::vector<Quaterniond> quat;  // per body, world
  std::vector<Matrix3d> R;        // the same as matrices
  std::vector<Vector3d> com;      // per body: centre of mass, world
  std::vector<Vector3d>
      origin;  // per body: the point of its spatial vectors, its tree's; bodies that do not move: their own
  std::vector<SpatialVector> S;         // per dof: motion at unit speed
  std::vector<SpatialInertia> inertia;  // per body
  // calc_velocities
  std::vector<SpatialVector> V;  // per body
  std::vector<SpatialVector> A;  // per body: acceleration with v̇ = 0, without gravity
  // calc_mass_matrix
  std::vector<MatrixXd> M;  // per tree
  // calc_bias, calc_passive
  VectorXd bias, passive;

  // Scratch.
  std::vector<SpatialInertia> composite;
  std::vector<SpatialVector> force;
};

}  // namespace tribo
