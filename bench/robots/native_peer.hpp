// Debian's MuJoCo beside `bench robots`, built where libmujoco-dev was found: one robot in one process of its own,
// since it ends its process on errors. It reads few of the robots that newer versions read.
#pragma once

#include "wasm_peer.hpp"

namespace tribo {

// Empty: this build has none.
std::string native_peer_version();
PeerRobot run_native_peer(const Robot& robot, const std::vector<double>& steps_s, int steps, double most_seconds);

}  // namespace tribo
