// One of Siconos' friction solvers with its options and its copy of a problem. Nothing is given back: a process that
// makes one of these ends soon after (siconos_friction.cpp).
#pragma once

#include "tribo/problem/friction_problem.hpp"

#include <vector>

#include "siconos_friction_table.hpp"
#include <FrictionContactProblem.h>
#include <GlobalFrictionContactProblem.h>

namespace tribo {

// While it runs the options are changed by the solver (tolerances of inner solvers, rho, alpha); this puts them back.
class OptionsKeeper {
 public:
  explicit OptionsKeeper(SolverOptions* options) { keep(options); }
  void restore() const;

 private:
  struct Kept {
    SolverOptions* options;
    std::vector<int> integers;
    std::vector<double> reals;
  };
  void keep(SolverOptions* options);
  std::vector<Kept> kept_;
};

class SiconosFriction {
 public:
  SiconosFriction(const LocalFriction& problem, const PeerChoice& choice, PeerStorage storage);
  SiconosFriction(const GlobalFriction& problem, const PeerChoice& choice, PeerStorage storage);

  static constexpr int kAborted = -1000;  // its error handler was called
  void set_tolerance(double tolerance);
  bool is_global() const { return is_global_; }
  void renew();  // global: matrices without factors of earlier runs; what run() needs before it is timed
  int run();     // from r = 0; its own status, 0: solved
  int iterations() const;
  const VectorXd& reaction() const { return r_; }

 private:
  void make_options(const PeerChoice& choice);

  bool is_global_ = false;
  int dimension_ = 3;
  const GlobalFriction* global_source_ = nullptr;
  PeerStorage storage_;
  FrictionContactProblem local_{};
  GlobalFrictionContactProblem global_{};
  VectorXd q_, b_, mu_, r_, u_, v_;
  SolverOptions* options_ = nullptr;
  std::vector<OptionsKeeper> keeper_;  // one
};

}  // namespace tribo
