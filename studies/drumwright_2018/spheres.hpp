// The stack of spheres of [Drumwright 2018] §6.5: E = 1e11 Pa, B = 1, h = 10 ms, 500 steps, in mid-air at the start and
// at rest. Missing in the paper, chosen as spec E.7: r = 0.1 m, 1 kg, gaps of 10 mm, mu = 0.5, Hertz with K = E √R, R =
// r/2 (ground: r), tangents at 1e-9 m or deeper, h B = 1e6 kg tangentially. Neighbours of the stack and the ground
// below the lowest touch; one block of 6 per sphere.
#pragma once

#include "stepping.hpp"

namespace tribo {

struct StackSettings {
  Index spheres = 10;
  double h = 0.01;
  long steps = 500;
  double offset = 0.0;        // m: the top sphere beside the others at the start
  bool stop_toppled = false;  // the run ends when a sphere is off the axis by more than r
};

struct StackRun {
  double kinetic = 0.0;    // J at the end
  double depth_top = 0.0;  // m at the end: between the two highest (one sphere: the ground)
  double depth_low = 0.0;  // between the two lowest
  double depth_ground = 0.0;
  double deepest = 0.0;       // m, at any time
  double lateral = 0.0;       // m: the largest |x|, |y| of any sphere at any time
  double tangential = 0.0;    // N: the largest tangential force
  double toppled = -1.0;      // s; < 0: it did not
  double seconds = 0.0;       // wall time of all steps
  double step_seconds = 0.0;  // the median of one in the last quarter of them, when all contacts are closed
};

StackRun run_stack(const StackSettings& settings, Stepper& stepper);

// The static depth under `above` spheres, between two of them or on the ground.
double calc_stack_depth(double above, bool ground);

}  // namespace tribo
