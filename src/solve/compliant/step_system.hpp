// The laws of a step, linearised at y, as one set of compliant rows and their solution (contact_laws.hpp (1), row_factor.hpp):
//     (u, γ, σ),  u = gᵀ γ,  γ = fixed + Σ f α,  σ = g u + c + R γ                                                   (1)
// Rows that are in the system as they are have σ = 0 by construction. This is the one place where linear systems are solved.
//
// Stiff rows may press against one another with impulses far above any momentum, and u = gᵀ γ would keep the rounding of those.
// There the residuals of both equations of a row,
//     m·(g u + c) + ρ α,    u − gᵀ (fixed + Σ f α)                                                                  (2)
// are taken in extended precision and solved for corrections of u and α, which are kept in that precision until they end.
// Systems of many bodies (body_factor.hpp) are always corrected so.
// Promise   u to rounding of the speeds (calc_scale), where the system is not singular in double precision.
// Cost      that of RowFactor or BodyFactor; (2) another product with all rows per correction. Nothing is allocated after
//           reserve() by columns, and by units where rows join the same bodies as the last time.
// Ends      true · false: a number is not finite, or (Coulomb's law alone) the system is singular
#pragma once

#include <vector>

#include "solve/compliant/body_factor.hpp"
#include "solve/compliant/contact_laws.hpp"
#include "solve/compliant/row_factor.hpp"
#include "solve/compliant/step_rows.hpp"

namespace tribo::compliant {

struct StepPoint {
  VectorXd u, gamma, sigma;
  bool refined = false;  // by (2)
};

// |Cᵀ v| of the speeds at hand. What u is rounded to: that or the impulses, which count less after (2). And what rounding
// leaves of z = g·u + c.
double calc_speed(const StepRows& rows, const StepPoint& point);
double calc_scale(const StepRows& rows, const StepPoint& point);
double calc_noise(const StepRows& rows, Index i, double scale);

class StepSystem {
 public:
  void reserve(const StepRows& rows);  // for all rows of all units at once
  // y: of all rows; loads: the impulses of the last system. False: not finite, or singular (Coulomb's law alone).
  [[nodiscard]] bool solve(const StepRows& rows, Friction friction, const VectorXd& y, const VectorXd& loads,
                           StepPoint& point);

 private:
  struct Mixed {  // a row made of several, or one whose force acts along others
    Index first = 0;
    int size = 1;
    double root = 0.0;  // √(1/ρ)
    LawRow law;
  };

  void collect(const StepRows& rows, Friction friction, const VectorXd& y, const VectorXd& loads);
  void fill(const StepRows& rows, bool two_sided);
  void gather(const double* values, bool force, double* out) const;  // √(1/ρ) times the system's rows of them
  bool solve_rows(const StepRows& rows, bool two_sided, double* u);  // from rates_, into scaled_
  bool solve_collected(const StepRows& rows, bool two_sided, StepPoint& point);
  bool solve_again(double* u);                          // from rate_
  bool refine(const StepRows& rows, StepPoint& point);  // (2)
  void write(const StepRows& rows, StepPoint& point) const;

  IndexList plain_;             // rows as they are, the first rows of the system
  std::vector<double> root_;    // √(1/R) of them
  std::vector<Mixed> mixed_;    // the others
  std::vector<double> scaled_;  // y of row_factor.hpp, then α
  std::vector<long double> precise_, precise_u_, pushed_, sums_;
  VectorXd fixed_, fixed_push_, shift_, rates_;
  bool has_fixed_ = false;
  std::vector<double> rate_;
  RowFactor factor_;
  BodyFactor bodies_;
  bool by_bodies_ = false, exchange_ = false;
};

}  // namespace tribo::compliant
