// Stage 9, record: impulse, velocity and verdict of each row, for contacts(), joint_rows() and the stages after it.
//     in   StepAnswer
//     out  StepRows: records of contacts and of rows of joints. Without a verdict (StepAnswer::states) contacts count as open, dry
//          friction as sticking
#pragma once

#include "sim/rows.hpp"
#include "sim/solve_islands.hpp"

namespace tribo {

void record(const StepAnswer& answer, StepRows& rows);

}  // namespace tribo
