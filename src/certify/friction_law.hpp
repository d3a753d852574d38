// Does the tangential force obey the model? One function per law; each adds its residuals to the certificate.
//
// Scales as in spec B.7: along a tangent row of norm ρ an impulse f is compared with us/ρ and a slip with ρ
// us.
#pragma once

#include "tribo/problem/model.hpp"
#include "tribo/problem/slip_prediction.hpp"

#include <span>
#include <vector>

#include "certify/contact_terms.hpp"

namespace tribo {

// Numbers that somebody else keeps, one per contact; none: absent.
using Numbers = std::span<const double>;

// An answer's tangential part: impulses and slips row by row. Absent rows have size 0.
struct Tangential {
  Numbers f_s, f_t;
  Numbers slip_s, slip_t;  // S v⁺, T v⁺ (S a, T a)
  // Against turning, for CoulombCone alone.
  Numbers f_spin, f_roll_s, f_roll_t;
  Numbers rate_spin, rate_roll_s, rate_roll_t;
};

// No tangential force at all.
void check_frictionless(const ContactTerms& terms, const Tangential& tangential, CertificateWriter& certificate);

// S v⁺ = T v⁺ = 0; at a released contact f_s = f_t = 0 instead. Work against a slip that has to vanish says nothing
// more, so there is no "dissipation" here.
void check_no_slip(const ContactTerms& terms, const Tangential& tangential, CertificateWriter& certificate);

// f = −c · slip of before or after: `implied` is that force. c = h mu_v, at acceleration level mu_v, for impacts the
// contact's own impact_damping. There are no impacts at acceleration level: no force obeys the law there.
double viscous_coefficient(const ContactProblem& problem, const Viscous& model, Index contact);
void check_viscous(const ContactTerms& terms, const Viscous& model, const Tangential& tangential,
                   const Tangential& implied, CertificateWriter& certificate);

// f − clip(f − shift, −bound, bound): zero exactly when |f| ≤ bound, and f = ∓bound where shift ≷ 0.
inline double bounded_violation(double force, double shift, double bound) {
  const double low = force + bound, high = force - bound;  // the branches
  return shift >= low ? low : (shift <= high ? high : shift);
}

// f = clip(f − slip/ρ², −bound, bound).
void check_box(const ContactTerms& terms, const Tangential& tangential, CertificateWriter& certificate);

// Coulomb's law with a polygon; see friction_pyramid.cpp. `polygon` is memory that may be kept.
struct Polygon {
  VectorXd cosine, sine;    // of every direction
  VectorXd along;           // the slip of one contact in every direction
  double sine_width = 0.0;  // sine of the angle between neighbours
  SlipPrediction slips;     // aligned polygons: forces and slips are seen from the turned axes
  std::vector<double> turn;
  Index sides() const { return cosine.size(); }
};
void check_pyramid(const ContactTerms& terms, const CoulombPyramid& model, Numbers f_n, const Tangential& tangential,
                   Polygon& polygon, CertificateWriter& certificate);

// Coulomb's law with the true cone, elliptic where turning meets friction too, and that friction does not add energy;
// see friction_elliptic.cpp.
void check_cone(const ContactTerms& terms, Numbers f_n, const Tangential& tangential, CertificateWriter& certificate);

// Rows of dry friction, in every model: f_d = clip(f_d − rate/ρ², −bound, bound) with the rates D v⁺, and f_d D v⁺ ≤ 0.
void check_dry_friction(const ContactTerms& terms, Numbers f_d, Numbers rate, CertificateWriter& certificate);

// Friction must not add energy: f_s S v⁺ + f_t T v⁺ ≤ 0 at every contact.
void check_dissipation(const ContactTerms& terms, const Tangential& tangential, CertificateWriter& certificate);

}  // namespace tribo
