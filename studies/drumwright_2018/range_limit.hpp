// The pendulum with a limit of [Drumwright 2018] §5.4 in its angle alone: J θ'' = −m g L sin θ + λ, θ ≥ 0 by one unilateral row
// φ = θ, G = 1, K = 1e12, B = 0. Starts at θ = π/2 and at rest. The row takes part when it can close within the step
// (spec B.4). Missing in the paper, chosen as spec E.3: m = L = J = 1, g = 9.81.
#pragma once

#include <vector>

#include "stepping.hpp"

namespace tribo {

struct LimitSettings {
  double h = 1e-5;
  double K = 1e12;
  double end = 1.5;  // s, at most; the run may end with the first impact
  bool whole = false;
};

struct LimitRun {
  double impact_time = 0.0;           // s: the first step in which the row carries force
  double impact_speed = 0.0;          // rad/s, before it, > 0
  double restitution = 0.0;           // speed after over before
  double largest = 0.0;               // rad: θ after the impact (whole runs)
  std::vector<double> times, angles;  // at most 600 (whole runs)
};

LimitRun run_limit(const LimitSettings& settings, Stepper& stepper);

// e = (1 + w²h²)^(−π/(2 atan wh)), w = √(K/J): implicit Euler damps half a period of the spring by this.
double calc_restitution(double h, double K);

}  // namespace tribo
