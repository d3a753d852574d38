// One normal row with the law F = K d^{3/2} of [Drumwright 2018] (121)–(123), d = −gap: φ = −d^{3/2}, φ' = S G v, S =
// 3/2 √d, force along G itself (spec C.6). The paper's 3/2 √d in the force as well would make 445 N of 2.4 N. S is
// taken at `floor` or deeper, for at d = 0 there is no stiffness; open gaps go on linearly with the slope at the floor,
// and have no damper.
#pragma once

#include <algorithm>
#include <cmath>

namespace tribo {

struct HertzRow {
  double phi = 0.0, B = 0.0, rate_scale = 1.0;
};

inline HertzRow make_hertz_row(double gap, double B, double floor) {
  HertzRow row;
  row.rate_scale = 1.5 * std::sqrt(std::max(-gap, floor));
  row.phi = gap < 0.0 ? -std::pow(-gap, 1.5) : row.rate_scale * gap;
  row.B = gap < 0.0 ? B : 0.0;
  return row;
}

// The depth that carries `force`.
inline double calc_hertz_depth(double force, double K) { return std::pow(force / K, 2.0 / 3.0); }

}  // namespace tribo
