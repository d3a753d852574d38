// SUNDIALS' integrators on our differential equations: peers to be measured beside us, never part of the library. Built with
// sundials.cpp where libsundials is installed, with sundials_absent.cpp elsewhere.
//     y' = f(t, y) from t = 0; CVODE's BDF stands for ode15s of the paper, ARKODE's explicit pair 4(5) for ode45
// The Jacobian of BDF is dense, by difference quotients, CVODE's own. No events: contact opens and closes within f.
#pragma once

#include "tribo/linalg/types.hpp"

#include <functional>

namespace tribo {

bool has_sundials();

using OdeRightHandSide = std::function<void(double t, const double* y, double* y_dot)>;

struct OdeSettings {
  double relative = 1e-3;    // what ode15s and ode45 take when not told otherwise
  VectorXd absolute;         // per entry of y
  int max_order = 5;         // BDF only, 1 … 5
  double max_step = 0.0;     // s; 0: none
  double max_seconds = 1e3;  // wall time, looked at a few hundred times between t = 0 and the end
};

struct OdeResult {
  bool finished = false;
  VectorXd y;
  long steps = 0, evaluations = 0;  // of f, those for Jacobians included
  double seconds = 0.0;             // wall time of the integration; setting up is not in it
};

OdeResult integrate_bdf(const OdeRightHandSide& f, const VectorXd& start, double end, const OdeSettings& settings);
OdeResult integrate_explicit(const OdeRightHandSide& f, const VectorXd& start, double end, const OdeSettings& settings);

}  // namespace tribo
