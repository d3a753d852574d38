// One contact of a recorded step in numbers, and who its partners are. Only what was recorded is used.
#pragma once

#include "tribo/io/recording.hpp"

#include <string>

namespace tribo {

struct ContactNumbers {
  double normal = 0.0;    // N, > 0 presses
  double friction = 0.0;  // N across the normal
  double allowed = 0.0;   // N, mu · normal; not a number in models whose law is another
  double slip = 0.0;      // m/s across the normal
  double apart = 0.0;     // m/s along the normal, > 0 apart
  // Friction against turning: couples in N·m (not a number: not recorded), what the cone allows of each alone, rad/s.
  double spin_couple = 0.0, roll_couple = 0.0;
  double spin_allowed = 0.0, roll_allowed = 0.0;
  double spin = 0.0, roll = 0.0;
  // 1 − √((friction/allowed)² + (spin_couple/spin_allowed)² + (roll_couple/roll_allowed)²) over what is allowed at all; not a
  // number where nothing is.
  double margin = 0.0;
  bool turning = false;  // there is friction against turning
  bool partial = false;  // couples were not recorded: the margin is this at most
};
ContactNumbers calc_contact_numbers(const RecordingHeader& header, const RecordedContact& contact);

// What counts as one body: whatever does not move is the world.
Index moving_body(const RecordingHeader& header, Index geom);

// "420 µm", "1.23 kN"; 3 digits and a prefix.
std::string quantity_text(double value, const char* unit);
// "46 %", "4.6 %", "less than 0.1 %"
std::string percent_text(double share);

std::string body_text(const RecordingHeader& header, Index body);
std::string shape_text(const RecordingHeader& header, Index geom);
// "brick_3 (box 4) against the world (plane floor)"
std::string partners_text(const RecordingHeader& header, const RecordedContact& contact);

}  // namespace tribo
