// Friction problems in FCLib's HDF5 layout, as bytes. parse_fclib is public (tribo/io/problem_file.hpp).
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/problem/friction_problem.hpp"

#include <string>

namespace tribo {

bool looks_like_hdf5(const std::string& bytes);

Expected<std::string> encode_fclib(const LocalFriction& problem);
Expected<std::string> encode_fclib(const GlobalFriction& problem);

}  // namespace tribo
