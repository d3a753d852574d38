// Forces of springs, of joints and tendons, and what carries weight from outside.
#pragma once

#include "tribo/multibody/data.hpp"

namespace tribo {

void add_spring_forces(const Model& model, const State& state, VectorXd& force);
void add_compensation(const Model& model, const Data& data, VectorXd& force);  // after positions
// How far the length of a tendon is from where its spring rests, as the spring pulls: positive below.
double calc_slack(const Model& model, const State& state, const Tendon& tendon);

}  // namespace tribo
