// Stage 11, remember: what the next step starts from.
//     in   the rows of the step and their answer
//     out  ContactStart: impulse per key, in world axes; what stretched tangential springs hold when the step ends; marks of rest
#pragma once

#include "tribo/problem/contact_start.hpp"

#include "sim/rows.hpp"
#include "sim/solve_islands.hpp"

namespace tribo {

void remember(const StepRows& rows, const StepAnswer& answer, ContactStart& out);

}  // namespace tribo
