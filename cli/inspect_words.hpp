// What parts of a model are called in print.
#pragma once

#include "tribo/multibody/description.hpp"

#include <string>
#include <vector>

namespace tribo {

// "motor", "position", "velocity", "damper", "muscle", "general"; "none" for one without force.
const char* kind_of(const Actuator& actuator);
const char* name_of(EqualityType type);
const char* name_of(ActuatorDynamics dynamics);
const char* name_of(Transmission transmission);
// The joint, tendon, site or body an actuator acts on.
std::string target_of(const ModelDescription& description, const Actuator& actuator);
// What an equality ties: bodies, joints or tendons; "" for none.
std::string object_of(const ModelDescription& description, const Equality& equality, Index index);

// "arm", or "hinge 3" for what has no name. Control characters, which a terminal would obey, become '?'.
std::string shown(const std::string& name, const std::string& kind, Index index);

// Columns that a text takes on a terminal, one per code point.
std::size_t columns_of(const std::string& text);
std::string shortened(const std::string& text, std::size_t columns);  // with … at the end where it was cut
std::string padded_to(const std::string& text, std::size_t columns);
// Phrases joined by two blanks, in lines of at most 100 columns; lines after the first are indented.
std::string joined(const std::string& first, const std::vector<std::string>& phrases, std::size_t indent);

}  // namespace tribo
