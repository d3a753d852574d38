// What attempts on the true cone have in common, for contact problems and for matrices.
#pragma once

#include "tribo/problem/cone_problem.hpp"
#include "tribo/solve/cone/cone_solver.hpp"

#include <string>

namespace tribo {

// The first contact that approaches and that no impulse moves along its normal: u_N = q_N < 0 whatever happens. -1: none.
Index find_immovable(const ConeProblem& problem);

ConeMethod cone_method(const std::string& solver);  // "auto": kAuto

}  // namespace tribo
