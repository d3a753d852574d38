// M = Lᵀ D L from the tips to the root (Featherstone 2005): a joint's row has entries only on the way to the root, before and
// after, so nothing fills in. Cost O(dofs · depth²). Tendons with armature couple other pairs: then all pairs count.
#pragma once

#include "tribo/multibody/model.hpp"

namespace tribo {

// In place: D on the diagonal, L below it. Returns the first dof (of the tree) whose pivot is not positive, -1: none.
Index factor_from_tips(const Model& model, Index tree, MatrixXd& M);
// x ← M⁻¹ x.
void solve_from_tips(const Model& model, Index tree, const MatrixXd& factor, VectorOut x);

}  // namespace tribo
