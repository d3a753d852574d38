#include "peers/peer_engines.hpp"

namespace tribo {

PeerMade make_mujoco_engine(const PeerStart& start, bool) {
  return fail("built without MuJoCo", start.path, "install libmujoco-dev");
}

}  // namespace tribo
