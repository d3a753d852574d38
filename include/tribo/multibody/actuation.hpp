// Motors, servos and muscles:  τ = Σ_u a_u F_u,   F = clamp(gain(l, l̇) ctrl + bias(l, l̇)),   l̇ = aᵀ v.
// An actuator with dynamics is driven by its activation (State::activation), which follows the control.
// A servo's gains are the slopes of F: a step that knows them stays stable for any stiffness (assembly.hpp).
#pragma once

#include "tribo/multibody/data.hpp"

namespace tribo {

struct Drive {
  double length = 0.0, speed = 0.0;  // l, l̇; m or rad
  double force = 0.0;                // F
  double stiffness = 0.0;            // −∂F/∂l; zero where F is at a limit
  double damping = 0.0;              // −∂F/∂l̇
};

// The arms a of an actuator over all of v; `arms` has nv numbers. After positions.
void calc_arms(const Model& model, const State& state, const Data& data, Index actuator, VectorXd& arms);
// `control` is clamped to the actuator's range. `arms` as calc_arms gives them.
Drive calc_drive(const Model& model, const State& state, const Data& data, Index actuator, double control,
                 const VectorXd& arms);
// The same with l̇ known.
Drive calc_drive(const Model& model, const State& state, const Data& data, Index actuator, double control,
                 double speed);

// The activation after a step of h seconds. The control is clamped; a filter's answer is exact for any step, a muscle's with its time
// constant at the beginning of the step.
double calc_next_activation(const Actuator& actuator, double activation, double control, double h);

}  // namespace tribo
