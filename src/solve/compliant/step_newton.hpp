// Newton's method on the laws of a step (contact_laws.hpp): find u = gᵀ γ with γ = law(y), y = −z/R, z = g u + c.
//     F(u) = u − gᵀ law(y)                                                                                          (1)
// Each step linearises the laws at y and solves the resulting rows for the forces (row_factor.hpp), which gives (u, γ, σ),
// σ = z + R γ, with full accuracy: rows that are in the system have σ = 0 and y = γ. Points between two such are
// interpolated in (u, γ, σ), never by −z/R of a stiff row.
//
// Convex laws (discs, cone, no friction): F is the gradient of ½|u|² + potentials (spec B3, C3); the step is shortened where
// the derivative along it, which does not fall, is positive at its end. Coulomb's law (spec C.5): systems are not symmetric, the
// step is halved until |F|, the norm of M⁻¹, falls.
//
// Ends when (γ, σ) fulfil the laws: impulses to tolerance × the speed of what the row touches, in units of its size, rates to R
// times that, or to rounding; also when two points one after the other do to 1e-10 and rounding allows no more. A gradient test
// alone would never be met by stiff rows (spec C.7 iii).
#pragma once

#include <optional>
#include <vector>

#include "solve/compliant/contact_laws.hpp"
#include "solve/compliant/step_rows.hpp"
#include "solve/compliant/step_system.hpp"

namespace tribo::compliant {

class StepNewton {
 public:
  enum class End { kSolved, kIterationLimit, kBreakdown };

  // Without a start: u = 0, γ = 0. Otherwise u and γ: rows that carry load count as loaded, contacts that stick as sticking.
  void start(const StepRows& rows);
  void start(const StepRows& rows, Friction friction, const VectorXd& u, const VectorXd& impulses,
             const std::vector<ContactState>& states);  // states: of the problem's contacts
  // Where it stands, to come back to; a mark is the caller's own, and kept by what is called in between.
  void keep() { kept_ = at_; }
  void restore() { move_to(kept_); }
  void mark() { marked_ = at_; }
  void return_to_mark() { move_to(marked_); }

  // From where it stands. The radii of the discs are in the units. Shortened steps creep along the valleys of the cone:
  // `full_steps` of every 25 are not shortened.
  [[nodiscard]] End solve_convex(const StepRows& rows, Friction friction, double tolerance, int max_iterations,
                                 int full_steps = 0);
  [[nodiscard]] End solve_coulomb(const StepRows& rows, double tolerance, int max_iterations);
  // Is the point that was reached one of Coulomb's law?
  bool fulfils_coulomb(const StepRows& rows, double tolerance);

  const VectorXd& u() const { return at_.u; }
  const VectorXd& impulses() const { return at_.gamma; }
  const VectorXd& slips() const { return at_.sigma; }
  int systems() const { return systems_; }  // since reset_systems()
  void reset_systems() { systems_ = 0; }

 private:
  void reserve(const StepRows& rows);
  void move_to(const StepPoint& place) {
    at_ = place;
    fresh_ = true;
  }
  bool solve_linearised(const StepRows& rows, Friction friction);  // from at_, into next_
  bool fulfils(const StepRows& rows, Friction friction, const StepPoint& point, double tolerance);
  bool is_end(const StepRows& rows, Friction friction, double tolerance, std::optional<bool>& near);
  double calc_F(const StepRows& rows, Friction friction, double t);  // F_ at at_ + t (next_ − at_); returns |F|
  void calc_y(const StepRows& rows, double t);
  void move(double t);
  double search_line(const StepRows& rows, Friction friction);

  StepPoint at_, next_, kept_, marked_;
  bool fresh_ = true;  // at_ is a guess, not a point worth defending
  VectorXd y_, law_, F_, direction_, speeds_;
  StepSystem system_;
  int systems_ = 0;
};

}  // namespace tribo::compliant
