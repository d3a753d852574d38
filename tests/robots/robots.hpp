// What the tests of whole robots share: where they are, states to try, how to compare.
#pragma once

#include "tribo/core/random.hpp"
#include "tribo/io/model_file.hpp"
#include "tribo/multibody/dynamics.hpp"

#include <string>
#include <vector>

namespace tribo::testing {

inline constexpr double kAgree = 1e-9;  // with MuJoCo; relative to the largest entry of what is compared

// Names of our own robots: data/robots/<name>.xml and .urdf.
const std::vector<std::string>& own_robots();
std::string own_robot(const std::string& file);  // its path

// Hinges and slides within their limits, free bodies anywhere and turned at random; fast enough for Coriolis to matter.
State make_random_state(const Model& model, Random& random);

// Largest difference over the largest entry of `want` (over 1 where that is zero).
double relative_error(const Eigen::Ref<const MatrixXd>& got, const Eigen::Ref<const MatrixXd>& want);

// Angle between two orientations; q and −q are one.
double angle_between(const Quaterniond& a, const Quaterniond& b);

}  // namespace tribo::testing
