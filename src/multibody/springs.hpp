// Springs of tendons.
#pragma once

#include "tribo/multibody/data.hpp"

namespace tribo {

// How far the length of a tendon is from where its spring rests, as the spring pulls: positive below.
double calc_slack(const Model& model, const State& state, const Tendon& tendon);

}  // namespace tribo
