// The pendulum of [Drumwright 2018] §4.4 in absolute coordinates (x, y, θ): a joint of two stiff bilateral rows.
//     φ = (x, y) + R(θ) u,  u = (−L, 0),   G = [I₂, R'(θ) u],   Ġ v = −R u ω²                                     (1)
// Starts horizontal and at rest; energy ½ m |v|² + ½ I ω² + m g y, zero at the start. K = 1e15, B = 1 as in the paper;
// missing there and chosen as spec E.2: m = 1, L = 1, I = 1, g = 9.81.
#pragma once

#include <vector>

#include "stepping.hpp"

namespace tribo {

struct PendulumSettings {
  double h = 0.1;
  double end = 1.0;      // s
  double inertia = 1.0;  // kg m²
  VelocityProduct product = VelocityProduct::kNone;
  double share = 1.0;    // of Ġ v that enters; spec A.3 tries one half
  double ceiling = 0.0;  // J: the run ends when the energy exceeds it; 0: none
  double window = 0.0;   // s: the largest energy of every such time is kept; 0: none
};

struct PendulumRun {
  double deviation = 0.0;                 // max |φ|, m
  double energy = 0.0;                    // max |energy|, J
  double angle = 0.0;                     // θ at the end
  double ended = 0.0;                     // s
  bool exceeded = false;                  // the ceiling
  std::vector<double> times, deviations;  // |φ| after every step, at most 400 of them
  std::vector<double> windows;            // largest energy of each
  double last_energy = 0.0;
};

PendulumRun run_pendulum(const PendulumSettings& settings, Stepper& stepper);

// θ of the rigid pendulum with the same start, by Runge–Kutta steps far below the differences looked at.
double calc_pendulum_angle(double end, double inertia);

}  // namespace tribo
