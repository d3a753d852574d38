// Does the tangential force obey the model? One function per law; each adds its residuals to the certificate.
//
// Scales as in spec B.7: along a tangent row of norm ρ an impulse f is compared with us/ρ and a slip with ρ
// us.
#pragma once

#include "tribo/certify/certificate.hpp"
#include "tribo/problem/model.hpp"

#include "certify/contact_terms.hpp"

namespace tribo {

// An answer's tangential part: impulses and slips row by row. Absent rows have size 0.
struct Tangential {
  VectorXd f_s, f_t;
  VectorXd slip_s, slip_t;  // S v⁺, T v⁺ (S a, T a)
  // Against turning, for CoulombCone alone; the rates of turning are recomputed there.
  VectorXd f_spin, f_roll_s, f_roll_t;
};

// No tangential force at all.
void check_frictionless(const ContactTerms& terms, const Tangential& tangential, Certificate& certificate);

// S v⁺ = T v⁺ = 0; at a released contact f_s = f_t = 0 instead. Work against a slip that has to vanish says nothing
// more, so there is no "dissipation" here.
void check_no_slip(const ContactTerms& terms, const Tangential& tangential, Certificate& certificate);

// f = −c · slip of before or after: `implied` is that force. c = h mu_v, at acceleration level mu_v, for impacts the
// contact's own impact_damping. There are no impacts at acceleration level: no force obeys the law there.
double viscous_coefficient(const ContactProblem& problem, const Viscous& model, Index contact);
void check_viscous(const ContactTerms& terms, const Viscous& model, const Tangential& tangential,
                   const Tangential& implied, Certificate& certificate);

// f = clip(f − slip/ρ², −bound, bound).
void check_box(const ContactTerms& terms, const Tangential& tangential, Certificate& certificate);

// Coulomb's law with a polygon; see friction_pyramid.cpp.
void check_pyramid(const ContactTerms& terms, const CoulombPyramid& model, const VectorXd& f_n,
                   const Tangential& tangential, Certificate& certificate);

// Coulomb's law with the true cone, elliptic where turning meets friction too, and that friction does not add energy;
// see friction_elliptic.cpp.
void check_cone(const ContactTerms& terms, const VectorXd& f_n, const VectorXd& velocity, const Tangential& tangential,
                Certificate& certificate);

// Friction must not add energy: f_s S v⁺ + f_t T v⁺ ≤ 0 at every contact.
void check_dissipation(const ContactTerms& terms, const Tangential& tangential, Certificate& certificate);

}  // namespace tribo
