#include "native_peer.hpp"

namespace tribo {

std::string native_peer_version() { return ""; }

PeerRobot run_native_peer(const Robot&, const std::vector<double>&, int, double) {
  PeerRobot peer;
  peer.error = "built without libmujoco";
  return peer;
}

}  // namespace tribo
