// One free body with ten contacts, six of them independent, and one answer: the printed rule of the modified principal
// pivoting method comes back to an active set that it had before. The numbers are those of
// data/reference/fr09_ppm1_cycles.json.
#pragma once

#include "tribo/problem/contact_problem.hpp"

namespace tribo {

ContactProblem cycling_problem();

}  // namespace tribo
