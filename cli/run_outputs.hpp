// The files that tribo run is asked to write, checked before any of them is opened.
#pragma once

#include "tribo/core/expected.hpp"

#include <string>

#include "run_command.hpp"

namespace tribo {

// Every output can be written, none exists already (unless --force is given), and no two are one file, by whatever names.
Checked check_outputs(const RunArguments& arguments);

// No output may be this file, by whatever name: a scene, what it includes, a mesh or a picture; not even with --force.
Checked check_not_input(const RunArguments& arguments, const std::string& input);

}  // namespace tribo
