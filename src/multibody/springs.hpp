// Springs of tendons.
#pragma once

#include "tribo/multibody/data.hpp"

namespace tribo {

// How far the length of a tendon is from where its spring rests, as the spring pulls: positive below.
double calc_slack(const Tendon& tendon, double length);

}  // namespace tribo
