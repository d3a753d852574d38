// What `bench robots` tells: a row per motion, and what all of them come to.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"
#include "robots.hpp"
#include "wasm_peer.hpp"

namespace tribo {

struct RobotRun {
  int steps = 0, failed = 0, uncorrected = 0;
  double seconds = 0.0, collide = 0.0, correct = 0.0;  // s of wall time, as the reports say
  double cpu = 0.0, longest = 0.0;                     // s of the thread: what else runs on the machine does not count
  double contacts = 0.0;                               // mean
  double worst = 0.0, overlap = 0.0, energy = 0.0, correction_energy = 0.0;
  double mean_us() const { return steps == 0 ? 0.0 : 1e6 * cpu / steps; }
};

class RobotsTable {
 public:
  explicit RobotsTable(Output& output) : output_(output) {}
  void begin();
  // The peers (MuJoCo's WASM build, Debian's MuJoCo) may be null.
  void add(const Robot& robot, RobotMotion motion, double h, int asked, const RobotRun& run, const PeerRun* peer,
           const PeerRun* native);
  void end(double most_seconds);

 private:
  struct Cell {
    std::string robot;
    double us = 0.0, ratio = 0.0, native = 0.0;  // ratios to the medians of the peers; 0: no peer
  };
  void compare();
  void check_bars();

  Output& output_;
  std::vector<Cell> cells_;
  int certified_ = 0, cut_short_ = 0, long_steps_ = 0;
};

}  // namespace tribo
