// Contacts of two bodies taken together. How single points share friction is one choice of many; their sum is not.
#pragma once

#include "tribo/io/recording.hpp"

#include <vector>

namespace tribo {

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

// Those of a pair that press and whose normals are (nearly) equal, and their resultant.
struct ContactGroup {
  Index a = 0, b = 0;                 // bodies, as above
  std::vector<std::size_t> contacts;  // one or more
  std::size_t sliding = 0;            // how many slide
  double normal = 0.0;                // N, sum
  double friction = 0.0;              // N, size of the sum across the normal
  double allowed = 0.0;               // N, sum of mu · normal
  double twist = 0.0;                 // N·m of friction about the normal through the centre of pressure
  double twist_allowed = 0.0;         // N·m, if all friction were spent on it
  double slip = 0.0;                  // m/s, the fastest
  // What is allowed shrinks at most in proportion: 1 − friction/allowed − twist/twist_allowed is left at least.
  double margin = 0.0;   // not a number where nothing is allowed
  bool twisted = false;  // the twist is worth a word
  bool partial = false;  // there is friction against turning beside it: the margin is this at most
};
std::vector<ContactGroup> find_groups(const RecordingHeader& header, const RecordedFrame& frame);

}  // namespace tribo
