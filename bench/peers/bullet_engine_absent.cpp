#include "peers/peer_engines.hpp"

namespace tribo {

std::string peer_bullet_version() { return ""; }
PeerMade make_bullet_engine(const PeerStart& start, int) {
  return fail("built without Bullet", start.path, "install libbullet-dev");
}

}  // namespace tribo
