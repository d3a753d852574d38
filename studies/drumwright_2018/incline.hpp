// The box on a ramp of [Drumwright 2018] §6.4: 1 kg, 0.2 × 0.1 × 0.05 m, 15°, g = 9.8, four feet with Hertz contact, K
// = 1e10, B = 1, tangential dampers h B = 1e6 kg. Axes: x downhill, z off the ramp. Chosen as in spec E.6: the long
// side downhill, start at rest at the static depth.
#pragma once

#include "stepping.hpp"

namespace tribo {

struct InclineSettings {
  double mu = 0.25;
  double h = 0.01;
  double end = 1.0;
  double zeta = 0.0;   // of the weighted program; <= 0: 1/h
  bool hertz = true;   // false: linear springs of 1e9 N/m
  bool gated = false;  // feet that are open at the start of a step take no part, as in the paper
};

struct InclineRun {
  double distance = 0.0;      // m, downhill
  double most_normal = 0.0;   // the largest sum of normal forces over the weight's component
  double normal_error = 0.0;  // the largest |that − 1|
  double height = 0.0;        // m: how far the centre rose above its start
  double airborne = 0.0;      // share of the steps without normal force
  double speed = 0.0;         // m/s downhill at the end
  double depth = 0.0;         // m: mean depth of the feet at the end
  double force = 0.0;         // N: mean normal force of a foot in the last step
};

InclineRun run_incline(const InclineSettings& settings, Stepper& stepper);

// Where a point mass is after `end` in steps of h: v += h a, x += h v, a = g (sin − mu cos) or rest.
double calc_slide(const InclineSettings& settings);

}  // namespace tribo
