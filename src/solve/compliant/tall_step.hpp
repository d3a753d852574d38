// Newton's method of step_newton.hpp for rows without friction that are many (tall_rows.hpp). F(u) = u − gᵀ γ(u) is the gradient of
// a convex function that is quadratic in pieces: a piece is the set of loaded rows, w in (1) of tall_rows.hpp.
//     H = I + gᵀ w g,    H d = gᵀ γ − u,    u ← u + d                                                                (1)
// The normal equations are corrected by the residual gᵀ γ − u until corrections are below rounding. u is kept as a sum of two,
//     u = base + correction,    z = (c + g base) + g correction                                                      (2)
// as stiff rows would show what one number for both leaves out; a correction that is not small beside u goes to the base.
//     loaded rows that pull are let go, open rows that close are loaded: they alone change H and gᵀ γ                (3)
// so a system after the first costs one pass over the rows for each correction, one to four, and whether the step of (1) was too
// long is known from (3):
//     F·d at its end is a sum over the rows that change sides, at its beginning −d·H d                               (4)
// It is then shortened to where F·d nearly vanishes, a pass for each trial, and H is built anew.
// Passes    rows, start and H: one. A correction: one, which also finds the largest impulse and the panels where (3) may be; these
//           alone are looked at with the last correction in place. Forces: one.
// Promise   the laws to the tolerances of StepNewton, tested in the same way. What is out of the ordinary is left to it: impulses far
//           above momentum, rows beyond 1e12 times the mass, corrections that do not shrink, numbers that are not finite.
// Cost      O(rows) per pass, n³/3 per system. Nothing is allocated in a step like the last.
#pragma once

#include "tribo/problem/compliant_problem.hpp"
#include "tribo/solve/compliant/compliant_solver.hpp"

#include <vector>

#include "solve/compliant/tall_rows.hpp"

namespace tribo::compliant {

class TallStep {
 public:
  // The solution of the last step, where it fits, says which rows are loaded and becomes that of this step. False: unchanged,
  // for StepNewton to find.
  [[nodiscard]] bool solve(const CompliantProblem& problem, const CompliantSettings& settings,
                           CompliantSolution& solution);
  int systems() const { return systems_; }  // linear ones that were solved
  bool only_bilateral() const { return only_bilateral_; }

 private:
  struct Place {  // of a row
    std::size_t panel = 0;
    int row = 0;
  };
  struct Verdict {
    bool fulfils = true, nearly = true;  // the laws to the tolerance, and to what is good enough
  };
  using Panel = TallRows::Panel;

  bool start(const CompliantProblem& problem, const CompliantSolution& solution);
  void stand_at(const VectorXd& u);  // without a correction
  PanelColumn calc_rates(const Panel& panel) const;
  void add_push(const Panel& panel, const PanelColumn& gamma);
  void add_panel(const Panel& panel, const PanelColumn& z);  // to H and gᵀ γ
  double calc_scale() const;                                 // what u is rounded to
  bool has_large_impulses() const;
  void build();                                                      // H and gᵀ γ
  bool solve_system();                                               // (1), from gᵀ γ − u as it stands
  void calc_push(double margin);                                     // gᵀ γ at (2), the panels of (3)
  Verdict judge(const CompliantProblem& problem, double tolerance);  // the rows of (3), and F there
  void change_sides();                                               // (3)
  double calc_step();                                                // (4): 1, or how far to go instead
  double calc_slope(double t) const;                                 // F·d at before + t d
  void move_back(double t);
  void write(const CompliantProblem& problem, CompliantSolution& solution) const;

  TallRows rows_;
  MatrixXd H_, factor_;
  VectorXd u_, base_, correction_;       // (2)
  bool corrected_ = false;               // correction_ is not zero
  VectorXd before_, direction_;          // u before the system, and d
  VectorXd pushed_, step_, F_, speeds_;  // pushed: gᵀ γ
  std::vector<std::size_t> doubtful_;    // panels of (3)
  std::vector<Place> changes_;           // rows of (3)
  double largest_ = 0.0;                 // impulse, in units of its row's size
  double stiffest_ = 0.0;                // L |g|²
  int systems_ = 0;
  bool only_bilateral_ = true;
};

}  // namespace tribo::compliant
