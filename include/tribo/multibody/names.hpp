// Parts of a model by name.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/multibody/model.hpp"

#include <string>

namespace tribo {

enum class Part : std::uint8_t { kBody, kJoint, kGeom, kSite, kTendon, kActuator, kSensor, kKeyframe };
const char* name_of(Part part);  // "body", "joint", …

// The index of the part with this name. The error names the model and the names that are nearest to the one asked for.
Expected<Index> find_part(const Model& model, Part part, const std::string& name);

}  // namespace tribo
