// The laws of a step, linearised at y, as one set of compliant rows and their solution (contact_laws.hpp (1), row_factor.hpp):
//     (u, γ, σ),  u = gᵀ γ,  γ = fixed + Σ f α,  σ = g u + c + R γ                                                   (1)
// Rows that are in the system as they are have σ = 0 by construction. This is the one place where linear systems are solved: what
// serves many bodies better than dense rows has its door here.
#pragma once

#include <vector>

#include "solve/compliant/contact_laws.hpp"
#include "solve/compliant/row_factor.hpp"
#include "solve/compliant/step_rows.hpp"

namespace tribo::compliant {

struct StepPoint {
  VectorXd u, gamma, sigma;
};

// The larger of momentum and impulses, and what rounding leaves of z = g·u + c beside it.
double calc_scale(const StepRows& rows, const VectorXd& impulses);
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
  void write(const StepRows& rows, StepPoint& point) const;

  IndexList plain_;             // rows as they are, the first rows of the system
  std::vector<double> root_;    // √(1/R) of them
  std::vector<Mixed> mixed_;    // the others
  std::vector<double> scaled_;  // y of row_factor.hpp
  VectorXd fixed_, shift_, rates_;
  bool has_fixed_ = false;
  RowFactor factor_;
};

}  // namespace tribo::compliant
