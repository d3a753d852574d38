// Velocities that are tried.
#pragma once

#include "tribo/multibody/data.hpp"

namespace tribo {

// Data::other_V and other_A of the bodies of a tree, with v in the place of the state's. After calc_velocities.
void calc_other_velocities(const Model& model, const VectorXd& v, Index tree, Data& data);

}  // namespace tribo
