// What was attempted to solve a problem, in order: part of every answer.
#pragma once

#include "tribo/core/status.hpp"
#include "tribo/linalg/types.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tribo {

struct Attempt {
  const char* name = "";  // a row of the route's table, as docs/solvers.md lists them
  // What this attempt was about: methods inside the solver ("small newton"), "mu <= 10", "32 corners", "4 contacts". May be empty.
  std::string note;
  Status status = Status::kBreakdown;                      // after certification
  double worst = std::numeric_limits<double>::infinity();  // certificate of its answer
  int iterations = 0, pivots = 0, sweeps = 0;
  double seconds = 0.0;  // formulation, solver and lift, without the certificate
  Index island = -1;     // of several that were solved apart
};

// "island 2: lemke/reduced (mu <= 10): solved".
std::string to_string(const Attempt& attempt);

}  // namespace tribo
