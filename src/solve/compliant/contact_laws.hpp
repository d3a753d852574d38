// The laws of one step, unit by unit: a bilateral row, a unilateral row, or a contact with one or two tangents. A row has the
// rate z = g·u + c, the impulse γ and the compliance R; y = −z/R is the impulse that the row alone would ask for.
//     bilateral    γ = y
//     unilateral   γ = max(0, y)
//     disc         normal as unilateral, |γ_t| ≤ r with r given: γ_t = P_r(y_t)                          spec C.5
//     coulomb      the same with r = mu γ_n                                                              spec C.5
//     cone         γ = P(y), the projection on |γ_t| ≤ mu γ_n                                            spec C3
// Projections are in the norm of R: then σ = z + R γ, the slip beyond the compliance, is opposite to γ_t also where the two
// tangents differ in stiffness. Where they are equal, R_r = R_s, all is in closed form.
//
// Linearised at y, a law is again a set of rows with a compliance each (at most three), so that one linear solver serves all:
//     γ = fixed + Σ_k f_k α_k,    α_k = −(m_k·z)/ρ_k                                                               (1)
//     stick         the rows themselves, ρ = R
//     disc, slides  m = f = e ⟂ t,  ρ = e·R e + θ  with σ_t = −θ γ_t;   fixed = r (t − κ e)    (t: the direction of γ_t)
//     cone, slides  d = (1, mu t) and e, made orthogonal in E = R + θ e eᵀ;  ρ = m·E m
//     coulomb       the normal row acts along (1, mu (t − κ e)), κ = e·R t / (e·R e + θ), and e:  f ≠ m
// Source    spec C.4, C.5. Differs: tangents of different stiffness, which the spec leaves out.
// Promise   γ = law(y) to rounding; (1) is its derivative wherever it has one, and one of the one-sided ones elsewhere.
// Cost      O(1) per unit; projections with R_r ≠ R_s iterate, up to 60 times.
#pragma once

#include "tribo/linalg/types.hpp"

namespace tribo::compliant {

enum class Friction { kDisc, kCoulomb, kCone };
enum class UnitKind { kBilateral, kUnilateral, kContact };

struct Unit {
  UnitKind kind = UnitKind::kUnilateral;
  Index first = 0;   // of its rows: the normal, then the tangents that act
  int tangents = 0;  // 0, 1 or 2
  double mu = 0.0;
  double radius = 0.0;  // of the disc, N·s; written by whoever freezes it
  int size() const { return 1 + tangents; }
};

struct LawRow {
  double measure[3] = {0.0, 0.0, 0.0};  // m
  double force[3] = {0.0, 0.0, 0.0};    // f
  double inverse_compliance = 0.0;      // 1/ρ
  int plain = -1;                       // >= 0: this row of the unit as it is
  int measured = -1;                    // >= 0: m is this row of the unit, with its compliance; f may be another
};

struct Linearised {
  int count = 0;
  LawRow row[3];
  double fixed[3] = {0.0, 0.0, 0.0};
};

// y, R, gamma, loads: of the rows of the unit. `loads`: the impulses of the last system, or zeros.
void apply_law(const Unit& unit, Friction friction, const double* y, const double* R, double* gamma);
void linearise(const Unit& unit, Friction friction, const double* y, const double* loads, const double* R,
               Linearised& law);

// How far (γ, σ) is from the law. Slips below `noise` have no direction.
struct Violation {
  double impulse = 0.0;  // N·s: γ_n pulls, γ_t leaves its disc or is not opposite to the slip
  double rate = 0.0;     // m/s: what σ of the normal row misses
};
Violation calc_violation(const Unit& unit, Friction friction, const double* gamma, const double* sigma, double noise);

// γ_t = P_r(y_t) of two numbers, |y_t| > r > 0; returns θ.
double project_on_circle(const double* y, const double* R, double radius, double* gamma);

}  // namespace tribo::compliant
