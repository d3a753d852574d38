// When is a row independent of the active ones? Shared by all kinds of active sets.
#pragma once

#include <limits>

namespace tribo {

inline constexpr int kRemovalsBeforeRefresh = 50;  // spec B.4
// A row is dependent if less than this share of it (of its square) is new …
inline constexpr double kDependentGram = 1e-12;  // spec B.2
inline constexpr double kDependentRows = 1e-16;  // spec B.3 has 1e-14, which is where rows opposed to 1e-7 rad lie
// … or if what is new is no more than the rounding of the combination that makes up the rest. Looked at only below:
inline constexpr double kSuspicious = 1e-6;
inline constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace tribo
