#include "other_lemke.hpp"

namespace tribo {

bool has_bullet() { return false; }
OtherAnswer solve_with_bullet(const Lcp& lcp) { return {false, VectorXd::Zero(lcp.size())}; }

}  // namespace tribo
