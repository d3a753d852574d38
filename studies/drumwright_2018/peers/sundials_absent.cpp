#include "sundials.hpp"

namespace tribo {

bool has_sundials() { return false; }
OdeResult integrate_bdf(const OdeRightHandSide&, const VectorXd&, double, const OdeSettings&) { return {}; }
OdeResult integrate_explicit(const OdeRightHandSide&, const VectorXd&, double, const OdeSettings&) { return {}; }

}  // namespace tribo
