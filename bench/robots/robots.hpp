// Robots of others on a floor: which there are, where the floor is, how they move.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/multibody/model.hpp"

#include <string>
#include <vector>

namespace tribo {

enum class RobotMotion { kHome, kSwing, kDrop };

struct Robot {
  std::string name;           // folder/file, without its ending
  Model model;                // with a floor under its lowest shape at home
  State home;                 // keyframe home, else the first one, else the reference
  VectorXd control;           // of that keyframe, or zero
  bool floats = false;        // its first joint is free: it can be dropped
  std::string left_out = "";  // why it is not measured; empty: it is
};

// MJCF files of folder/*/ that are robots: no scenes (they name robots), no variants for other simulators.
std::vector<std::string> find_robots(const std::string& folder, bool one_each);
Expected<Robot> read_robot(const std::string& path);

// Servos at time t of the motion: kSwing moves each by a tenth of its range, one full swing per second, one after the other in phase.
void set_controls(const Robot& robot, RobotMotion motion, double t, VectorXd& control);
// Where the motion starts: kDrop lifts what floats by 0.3 m.
State start_of(const Robot& robot, RobotMotion motion);

const char* name_of(RobotMotion motion);

}  // namespace tribo
