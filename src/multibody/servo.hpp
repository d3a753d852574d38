// bias_2 = −2 ratio √(stiffness · inertia) of actuators that give a damping ratio; inertia as the actuator feels it at q0.
#pragma once

#include "tribo/multibody/model.hpp"

namespace tribo {

void set_damping_ratios(const Model& model, std::vector<Actuator>& actuators);

}  // namespace tribo
