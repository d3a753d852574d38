// A limit or the dry friction of a joint in a recorded step, in words. Only what was recorded is used.
#pragma once

#include "tribo/io/recording.hpp"

#include <string>

namespace tribo {

struct JointRowUnits {
  const char *force, *length, *speed;
};
// N, m, m/s; N·m, rad, rad/s where the degree of freedom of the row turns.
JointRowUnits joint_row_units(const RecordingHeader& header, const RecordedJointRow& row);

// N or N·m: impulse or bound over the step.
double joint_row_force(const RecordingHeader& header, double impulse);

// "hinge elbow", "tendon 3" where it has no name.
std::string joint_text(const RecordingHeader& header, Index joint);
// "lower limit of hinge elbow", "dry friction of ball hip (degree of freedom 2 of 3)"
std::string joint_row_text(const RecordingHeader& header, const RecordedJointRow& row);
// "The lower limit of hinge elbow holds with 3 N·m." viewer/src/joint_row.ts says the same words; data/why/sentences.json holds both
// to it.
std::string joint_row_sentence(const RecordingHeader& header, const RecordedJointRow& row);

// A limit that holds, dry friction that is overcome.
bool is_telling(const RecordedJointRow& row);

}  // namespace tribo
