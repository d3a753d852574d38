#include "siconos_friction.hpp"

namespace tribo {

bool has_siconos_friction() { return false; }
std::vector<PeerResult> measure_siconos(const LocalFriction&, const PeerLimits&, const PeerProgress&) { return {}; }
std::vector<PeerResult> measure_siconos(const GlobalFriction&, const PeerLimits&, const PeerProgress&) { return {}; }

}  // namespace tribo
