// MuJoCo's WASM build beside `bench robots`: one robot in one process of Node, which runs mujoco.mjs. Measured where
// Node and the npm package are there (scripts/bootstrap.sh bench); nothing else in the project needs either.
#pragma once

#include <string>
#include <vector>

#include "robots.hpp"

namespace tribo {

struct PeerRun {
  RobotMotion motion = RobotMotion::kHome;
  double h = 0.0;             // s
  int steps = 0, resets = 0;  // resets: steps that it found unstable and began anew
  double median_us = 0.0, mean_us = 0.0, max_us = 0.0;
  double contacts = 0.0, overlap = 0.0, energy = 0.0;  // mean; m, the deepest seen; J, by which the motion changed it
};

struct PeerRobot {
  std::string engine;  // with its version
  std::string error;   // why there are no runs, in its words; empty: there are
  std::vector<PeerRun> runs;

  const PeerRun* find(RobotMotion motion, double h) const;
};

// JSON lines as mujoco.mjs writes them.
PeerRobot read_peer_answer(const std::string& text);
// Empty: it is there. Else what is missing, and how to get it.
std::string find_missing_wasm_peer();
// The motions that robot has, at these steps (s), each of so many steps and at most so many seconds.
PeerRobot run_wasm_peer(const Robot& robot, const std::vector<double>& steps_s, int steps, double most_seconds);

}  // namespace tribo
