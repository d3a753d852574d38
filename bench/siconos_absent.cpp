#include "siconos.hpp"

namespace tribo {

struct SiconosLcp::Parts {
  LcpSolution solution;
};

bool has_siconos() { return false; }
Silence::Silence() = default;
Silence::~Silence() = default;
SiconosLcp::SiconosLcp(const Lcp&, SiconosMethod, double) : parts_(std::make_unique<Parts>()) {}
SiconosLcp::~SiconosLcp() = default;
void SiconosLcp::solve() {}
void SiconosLcp::solve_checked() {}
std::string SiconosLcp::status() const { return "absent"; }
bool SiconosLcp::solved() const { return false; }
int SiconosLcp::iterations() const { return 0; }
const LcpSolution& SiconosLcp::solution() const { return parts_->solution; }

}  // namespace tribo
