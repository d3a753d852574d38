// Robots of others on a floor: which there are, where the floor is, how they move.
#pragma once

#include "tribo/core/expected.hpp"
#include "tribo/multibody/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tribo {

enum class RobotMotion { kHome, kSwing, kDrop };

inline constexpr double kSwingShare = 0.1;  // of the range of a control

struct Robot {
  std::string name;  // folder/file, without its ending
  std::string file;
  Model model;                       // with a floor under its lowest shape at home
  State home;                        // keyframe home, else the first one, else the reference
  VectorXd control;                  // of that keyframe, or zero
  std::optional<double> floor = {};  // m, the height of the plane that was put under it; nothing: its file has one
  bool floats = false;               // its first joint is free: it can be dropped
  std::string left_out = "";         // why it is not measured; empty: it is
};

// MJCF files of folder and folder/*/ that are robots: no scenes (they name robots), no variants for other simulators,
// no parts. URDF files of those that have no MJCF. one_each: the first of each folder below.
std::vector<std::string> find_robots(const std::string& folder, bool one_each);
Expected<Robot> read_robot(const std::string& path);

// kHome; kSwing of what has actuators; kDrop of what floats.
std::vector<RobotMotion> motions_of(const Robot& robot);
// Servos at time t of the motion: kSwing moves each by a tenth of its range, one full swing per second, one after the
// other in phase.
void set_controls(const Robot& robot, RobotMotion motion, double t, VectorXd& control);
// Where the motion starts: kDrop lifts what floats by 0.3 m.
State start_of(const Robot& robot, RobotMotion motion);

const char* name_of(RobotMotion motion);

}  // namespace tribo
