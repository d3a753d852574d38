// Bodies that turn by themselves: a tree of one free or one ball joint. Their gyroscopic forces taken at the beginning of a step
// feed energy into every fast spin, e^(h W² t/2) with the nutation speed W. Instead the velocity v' is found that the body
// would have after the step without any force, and the step is given the force M (v' − v)/h in the place of −b(v):
//     I (ω' − ω) = −h ω_m × I ω_m,   ω_m = (ω + ω')/2     about the centre of mass (ball: the pivot), body axes         (1)
// The midpoint rule keeps ω·Iω and |Iω|, so that a spin neither gains nor loses.
#pragma once

#include "tribo/linalg/types.hpp"
#include "tribo/multibody/model.hpp"

namespace tribo {

// Whether the tree is one: all its bodies are fixed to one that has a free or a ball joint.
bool turns_freely(const Model& model, Index tree);

// How v changes in a step of such a tree that no force acts on. M: its block, R: of the body of the joint, both at `lead` · h after
// the beginning of the step; v: of the tree, at its beginning. Sizes of v and change: 6 or 3.
void calc_free_change(const MatrixXd& M, const Matrix3d& R, const VectorIn& v, double h, double lead,
                      Eigen::Ref<VectorXd> change);

// What is to be added to the forces `passive − bias` of such a tree, likewise.
void calc_turning_force(const MatrixXd& M, const Matrix3d& R, const VectorIn& v, double h, double lead,
                        Eigen::Ref<VectorXd> force);

}  // namespace tribo
