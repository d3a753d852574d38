// What a description must be before a model is made of it. Errors name the element.
#pragma once

#include "tribo/multibody/model.hpp"

namespace tribo {

Checked check_description(const ModelDescription& description);
Checked check_keyframes(const Model& model);
// Couplings and limits touch at most two trees.
Checked check_rows(const Model& model);
// M at the reference is positive definite; the error names the joint whose pivot is not.
Checked check_mass(const Model& model);

// "joint 'elbow'", "joint 3".
std::string call(const char* kind, const std::string& name, Index index);

}  // namespace tribo
