#include "peers/peer_engines.hpp"

namespace tribo {

std::string peer_ode_version() { return ""; }
PeerMade make_ode_engine(const PeerStart& start, int) {
  return fail("built without ODE", start.path, "install libode-dev");
}

}  // namespace tribo
