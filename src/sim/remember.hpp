// Stage 12, remember: what the next step starts from.
//     in   the rows of the step and their answer, certified or not
//     out  ContactStart: impulse and couple per key (two geoms and a feature; limits: joint and side), in world axes; those of loops and
//          dry friction by place; what stretched tangential springs hold when the step ends; speeds along normals; marks of rest
// Mark of rest   This impulse was found while nothing of its island moved. Only such impulses need no more than the tolerance to hold
//                the island again; with one that was found in motion the certificate must pass at 1e-13 (contact/rest.hpp).
#pragma once

#include "tribo/problem/contact_start.hpp"

#include "sim/rows.hpp"
#include "sim/solve_islands.hpp"

namespace tribo {

void remember(const StepRows& rows, const StepAnswer& answer, ContactStart& out);

}  // namespace tribo
