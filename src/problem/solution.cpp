#include "tribo/problem/solution.hpp"

namespace tribo {

void Evidence::clear() { *this = Evidence{}; }

}  // namespace tribo
