// Muscles: tendon forces that depend on length, speed and activation. With the optimal fibre length L₀, the length L and the speed V of
// the fibre in units of it, and the peak force F₀:
//     F = −F₀ (FL(L) FV(V) a + FP(L)),   L = range₀ + (l − l₀)/L₀,   V = l̇/(L₀ vmax),   L₀ = (l₁ − l₀)/(range₁ − range₀)       (1)
//     FL   active force over length: piecewise quadratic, 0 at lmin and lmax, 1 at L = 1, inflections half way
//     FV   over speed: 0 at −1, 1 at 0, fvmax from fvmax − 1 on, quadratic in between
//     FP   passive force: quadratic from L = 1 to (1 + lmax)/2 where it is fpmax/2, linear beyond
// l₀ and l₁ are the actuator's lengths at both ends of its motion. F is negative: muscles pull.
// Source    MuJoCo's documentation, "Muscles" (a FLV model as simple as can be).
#pragma once

#include "tribo/multibody/actuation.hpp"

namespace tribo {

// Force, stiffness and damping of (1); Drive::length and speed are those given.
Drive calc_muscle(const Muscle& muscle, double length, double speed, double activation);

// s: time constant of the activation on its way to a control; `control` within 0 … 1.
double calc_muscle_time(const Muscle& muscle, double activation, double control);

// What descriptions leave open: l₀ and l₁ (the extremes of the length over the ranges of joints, loops aside), and F₀ = scale over the
// acceleration that a unit force gives at the reference.
Checked complete_muscles(const Model& model, std::vector<Actuator>& actuators);

}  // namespace tribo
