// What rounding leaves of the numbers of a step, and where it is that answers are good enough: the same for all ways to solve it.
#pragma once

#include <limits>

namespace tribo::compliant {

inline constexpr double kRowRounding = 64.0 * std::numeric_limits<double>::epsilon();  // of z = g·u + c
inline constexpr double kImpulseDigits =
    2.0 * std::numeric_limits<double>::epsilon();  // to which an impulse can be had
inline constexpr double kAccepted = 1e-10;         // what is good enough where rounding allows no more (spec C.5)
inline constexpr double kLargeImpulse = 1e3;  // impulses over speeds above which residuals in extended precision pay

}  // namespace tribo::compliant
