// One contact of a recorded step in numbers and in a sentence. Only what was recorded is used.
#pragma once

#include "tribo/io/recording.hpp"

#include <string>
#include <vector>

namespace tribo {

struct ContactNumbers {
  double normal = 0.0;    // N, > 0 presses; joints: of the limit, or the most that dry friction gives (N or N·m)
  double friction = 0.0;  // N across the normal; joints: of dry friction
  double allowed = 0.0;   // N, mu · normal
  double margin = 0.0;    // 1 − friction / allowed; not a number where nothing is allowed
  double slip = 0.0;      // m/s across the normal; joints: m/s or rad/s
  double apart = 0.0;     // m/s along the normal, > 0 apart
};
ContactNumbers calc_contact_numbers(const RecordedContact& contact, double step);

// "420 µm", "1.23 kN"; 3 digits and a prefix.
std::string quantity_text(double value, const char* unit);

std::string body_text(const RecordingHeader& header, Index body);
std::string shape_text(const RecordingHeader& header, Index geom);
// "brick_3 (box 4) against the world (plane floor)", "hinge elbow"
std::string partners_text(const RecordingHeader& header, const RecordedContact& contact);

// "Sticks with 63 % margin: needs 1.2 N of friction, and the cone allows 3.3 N (mu 0.6 × 5.5 N)."
std::string contact_sentence(const RecordingHeader& header, const RecordedContact& contact);

// Contacts between the same two bodies (what does not move counts as the world), for all contacts of a frame.
struct BodyPair {
  Index a = 0, b = 0;                 // a > b: the world is b
  std::vector<std::size_t> contacts;  // in the frame's order
  std::size_t pressed = 0;            // how many of them are not open
  Index needed = 0;                   // normal forces that the resultant of the pressed ones can tell apart
  double normal = 0.0;                // N, sum of the magnitudes
  bool redundant() const { return static_cast<Index>(pressed) > needed; }
};
std::vector<BodyPair> find_body_pairs(const RecordingHeader& header, const RecordedFrame& frame);
std::string redundancy_sentence(const BodyPair& pair);

}  // namespace tribo
