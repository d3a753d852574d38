// Siconos' friction solvers on our problems: peers to be measured beside us, never part of the library. Built with
// siconos_friction*.cpp where libsiconos-numerics is installed, with siconos_friction_absent.cpp elsewhere.
//
// Siconos stops on |F|₂ / max(|q|, |r|, |u|) with the natural map F of rho = 1, another quantity than our residual. So
// each solver is asked for one of its tolerances after the other, 1e-2, 1e-3, …, 1e-15, until OUR residual (certify)
// meets the target: the time of that first run counts. This is generous, since its users do not know which one that is.
//
// Every solver works in a process of its own: one that crashes or does not end costs its own result and nothing else.
#pragma once

#include "tribo/problem/friction_problem.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace tribo {

bool has_siconos_friction();

struct PeerLimits {
  std::vector<double> targets = {1e-4, 1e-8};  // of our residual, descending
  double seconds = 3.0;              // per solver and problem, less for few contacts: tolerances and repeats together
  std::vector<std::string> solvers;  // names; empty: all
  double repeats = 0.05;             // s that repeats of a run that met a target may take
};

struct PeerTime {
  bool reached = false;
  double seconds = 0.0;  // least of the repeats; reading, conversion and options are not in it
  double residual = std::numeric_limits<double>::infinity();
  double tolerance = 0.0;  // its own
  int iterations = 0;
};

struct PeerResult {
  std::string solver;        // "nsgs/quartic"
  std::string storage;       // of the matrix it was given: "dense", "blocks", "sparse"
  std::vector<PeerTime> at;  // per target
  double best_residual = std::numeric_limits<double>::infinity();
  std::string ending;  // "met" the last target, "no closer" (none of its tolerances did), "time limit", "signal 11"
};

using PeerProgress = std::function<void(const std::string& solver)>;

// All solvers for the dimension, each with the storages it takes; one BLAS thread, from r = 0. Empty: no Siconos.
std::vector<PeerResult> measure_siconos(const LocalFriction& problem, const PeerLimits& limits,
                                        const PeerProgress& progress = {});
// Its drivers for global problems; 3-D and without bilateral rows only, otherwise empty.
std::vector<PeerResult> measure_siconos(const GlobalFriction& problem, const PeerLimits& limits,
                                        const PeerProgress& progress = {});

// W = Hᵀ M⁻¹ H and q = Hᵀ M⁻¹ f + w, entries that are exactly zero left out. Needs a regular M and no bilateral rows.
LocalFriction condense(const GlobalFriction& problem);

}  // namespace tribo
