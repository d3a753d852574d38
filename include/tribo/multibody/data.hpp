// Data: everything computed from a state. Sized once by its model; the functions that fill it allocate nothing. One object
// serves one thread.
//
// With keeps_trees, results of a tree are kept while all that they depend on keeps its bits: a tree at rest is compared, not
// computed. Then the object must always see the same model, and nobody but the functions of dynamics.hpp may write results.
//
// Spatial vectors are (angular, linear), world axes, taken about one point per tree, its `origin` (where the tree's root body
// is): motions say how fast matter passes that point, forces what they turn about it. The point counts as fixed, so bodies of a
// tree add up without any change of frame.
#pragma once

#include "tribo/multibody/model.hpp"

#include <cstdint>
#include <vector>

namespace tribo {

using SpatialVector = Eigen::Matrix<double, 6, 1>;

// Ten numbers of an inertia about a point: mass, mass · (centre − point), and the symmetric matrix about the point.
struct SpatialInertia {
  double mass = 0.0;
  Vector3d moment = Vector3d::Zero();
  double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;
};

// Of a tendon: l̇ = Σ arm · v.
struct TendonArm {
  Index dof = 0;
  double value = 0.0;  // m or m/rad
};
struct TendonLength {
  double length = 0.0;          // m or rad
  std::vector<TendonArm> arms;  // those of fixed tendons in the order of their terms
  double calc_speed(const VectorXd& v) const;
};

struct Data {
  explicit Data(const Model& model);

  bool keeps_trees = false;

  // calc_positions
  std::vector<Vector3d> p;        // per body: origin of its frame, world
  std::vector<Quaterniond> quat;  // per body, world
  std::vector<Matrix3d> R;        // the same as matrices
  std::vector<Vector3d> com;      // per body: centre of mass, world
  std::vector<Vector3d>
      origin;  // per body: the point of its spatial vectors, its tree's; bodies that do not move: their own
  std::vector<SpatialVector> S;         // per dof: motion at unit speed
  std::vector<SpatialInertia> inertia;  // per body
  std::vector<TendonLength> tendons;    // per tendon
  // calc_velocities
  std::vector<SpatialVector> V;  // per body
  std::vector<SpatialVector> A;  // per body: acceleration with v̇ = 0, without gravity
  // calc_mass_matrix
  std::vector<MatrixXd> M;  // per tree
  // calc_bias, calc_passive
  VectorXd bias, passive;

  // Per tree, counted from 1: how often its positions were computed, and how often its velocities. With keeps_trees, as long as
  // `placed` stays, so do the results of calc_positions; as long as `moved` stays, those of calc_velocities too.
  std::vector<std::uint64_t> placed, moved;

  // Scratch.
  std::vector<SpatialInertia> composite;
  std::vector<SpatialVector> force;
  std::vector<SpatialVector> other_V, other_A;  // of velocities that are tried (calc_bias_of)
  VectorXd tendon_row;                          // of all dofs
  // What the results above belong to.
  VectorXd q, v;                        // of the last calc_positions and calc_velocities
  std::vector<std::uint8_t> carried;    // per tree: it hangs on a kinematic body, and is computed anew each time
  std::vector<std::uint64_t> moved_at;  // per tree: `placed` at the last calc_velocities
  std::vector<std::uint64_t> mass_of;   // per tree: `placed` at the last calc_mass_matrix
  std::vector<std::uint64_t> bias_of, passive_of;  // per tree: `moved` at the last calc_bias, calc_passive
};

}  // namespace tribo
