// What was attempted to solve a problem, in order: part of every answer.
#pragma once

#include "tribo/core/status.hpp"
#include "tribo/linalg/types.hpp"
#include "tribo/solve/report.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tribo {

struct Attempt {
  const char* name = "";               // a row of the route's table, as docs/solvers.md lists them
  std::string note;                    // what was changed for it: "mu <= 10", "32 corners", "4 contacts". May be empty
  MethodSet methods = {};              // inside the solver, where it has several
  Status status = Status::kBreakdown;  // after certification
  double worst = std::numeric_limits<double>::infinity();  // certificate of its answer
  int iterations = 0, pivots = 0, sweeps = 0;
  double seconds = 0.0;  // solver and lift, without formulation and certificate
  Index island = -1;     // of several that were solved apart
};

// Where the time of a solve went, s. Sums over attempts and islands.
struct PhaseSeconds {
  double validate = 0.0;   // problem, options, start values in the order of the problem
  double islands = 0.0;    // search, cut, merge
  double formulate = 0.0;  // and the short way of one body (contact/one_body.hpp), which is a solve as well
  double solve = 0.0;      // the methods of all attempts
  double lift = 0.0;
  double select = 0.0;    // among several answers, with what that solves
  double certify = 0.0;   // all answers that were judged
  double classify = 0.0;  // and the view per contact

  // From rows to impulses and v⁺: formulate, solve and lift.
  double method() const { return formulate + solve + lift; }
  double total() const { return validate + islands + method() + select + certify + classify; }
  PhaseSeconds& operator+=(const PhaseSeconds& other);
};

// "island 2: lemke/reduced (mu <= 10): solved".
std::string to_string(const Attempt& attempt);

}  // namespace tribo
