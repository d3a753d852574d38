// "Did you mean …": the known name nearest to a mistyped one.
#pragma once

#include "tribo/core/nearest.hpp"

#include <string>
#include <vector>

namespace tribo {

// The nearest of the known names when it is near enough to be meant, else "".
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

// "did you mean "solve"? known are solve, list, bench"; without a near name the list alone.
std::string suggest(const std::string& name, const std::vector<std::string>& known);

}  // namespace tribo
