#include "certify/friction_law.hpp"

#include <algorithm>

namespace tribo {

namespace {

// Calls visit(row, force, slip, norm) for every tangent row of the problem.
template <typename Visit>
void for_each_row(const ContactTerms& terms, const Tangential& tangential, Visit visit) {
  for (Index i = 0; i < terms.norm_S.size(); ++i) {
    visit(i, tangential.f_s[i], tangential.slip_s[i], terms.norm_S(i));
  }
  for (Index i = 0; i < terms.norm_T.size(); ++i) {
    visit(i, tangential.f_t[i], tangential.slip_t[i], terms.norm_T(i));
  }
}

}  // namespace

void check_frictionless(const ContactTerms& terms, const Tangential& tangential, CertificateWriter& certificate) {
  Worst law;
  for_each_row(terms, tangential, [&](Index i, double force, double, double norm) {
    law.consider(force, ratio(terms.speed_at(i), norm), ratio(force * norm, terms.speed_at(i)));
  });
  certificate.add("friction law", terms.impulse_unit(), law);
}

void check_no_slip(const ContactTerms& terms, const Tangential& tangential, CertificateWriter& certificate) {
  Worst slip, law;
  bool released = false;
  for_each_row(terms, tangential, [&](Index i, double force, double velocity, double norm) {
    if (terms.problem->contacts[static_cast<std::size_t>(i)].released) {
      released = true;
      law.consider(force, ratio(terms.speed_at(i), norm), ratio(force * norm, terms.speed_at(i)));
    } else {
      slip.consider(velocity, norm * terms.speed_at(i));
    }
  });
  certificate.add("tangential velocity", terms.velocity_unit(), slip);
  if (released) certificate.add("friction law", terms.impulse_unit(), law);
}

double viscous_coefficient(const ContactProblem& problem, const Viscous& model, Index contact) {
  const Contact& at = problem.contacts[static_cast<std::size_t>(contact)];
  if (model.impact) return at.impact_damping;
  return problem.level == Level::kAcceleration ? at.mu_v : problem.h * at.mu_v;
}

void check_viscous(const ContactTerms& terms, const Viscous& model, const Tangential& tangential,
                   const Tangential& implied, CertificateWriter& certificate) {
  Worst law;
  if (model.impact && terms.acceleration()) law.consider(kInfinity, 1.0);
  const auto compare = [&](Numbers force, Numbers expected, const VectorXd& norms) {
    for (Index i = 0; i < norms.size(); ++i) {
      // Rounding of the slip (ρ us) times c, or rounding of the force itself (us/ρ): whichever is larger
      // counts.
      const double c = viscous_coefficient(*terms.problem, model, i);
      const double scale = terms.speed_at(i) * (c * norms(i) + (norms(i) > 0.0 ? 1.0 / norms(i) : 0.0));
      law.consider(force[i] - expected[i], scale);
    }
  };
  compare(tangential.f_s, implied.f_s, terms.norm_S);
  compare(tangential.f_t, implied.f_t, terms.norm_T);
  certificate.add("friction law", terms.impulse_unit(), law);
}

void check_box(const ContactTerms& terms, const Tangential& tangential, CertificateWriter& certificate) {
  Worst law;
  for_each_row(terms, tangential, [&](Index i, double force, double slip, double norm) {
    const double bound = terms.problem->contacts[static_cast<std::size_t>(i)].friction_bound;
    if (!(norm > 0.0)) {  // a row that moves nothing: only the bound is left to obey
      law.consider(std::max(std::abs(force) - bound, 0.0), bound);
      return;
    }
    law.consider(bounded_violation(force, slip / (norm * norm), bound), terms.speed_at(i) / norm);
  });
  certificate.add("friction law", terms.impulse_unit(), law);
}

void check_dry_friction(const ContactTerms& terms, Numbers f_d, Numbers rate, CertificateWriter& certificate) {
  Worst law, work;
  for (Index i = 0; i < terms.norm_D.size(); ++i) {
    const double bound = terms.problem->bound(i), norm = terms.norm_D(i), us = terms.speed_at_dry(i);
    if (!(norm > 0.0)) {  // a row that moves nothing: only the bound is left to obey
      law.consider(std::max(std::abs(f_d[i]) - bound, 0.0), bound);
      continue;
    }
    law.consider(bounded_violation(f_d[i], rate[i] / (norm * norm), bound), us / norm);
    work.consider(std::max(f_d[i] * rate[i], 0.0), us * std::max(us, std::abs(f_d[i]) * norm));
  }
  certificate.add("dry friction", terms.impulse_unit(), law);
  certificate.add("dry friction work", terms.work_unit(), work);
}

void check_dissipation(const ContactTerms& terms, const Tangential& tangential, CertificateWriter& certificate) {
  const bool spatial = terms.norm_T.size() > 0;
  Worst work;
  for (Index i = 0; i < terms.norm_S.size(); ++i) {
    AccurateSum sum;
    sum.add_product(tangential.f_s[i], tangential.slip_s[i]);
    double impulse = std::abs(tangential.f_s[i]) * terms.norm_S(i);
    if (spatial) {
      sum.add_product(tangential.f_t[i], tangential.slip_t[i]);
      impulse += std::abs(tangential.f_t[i]) * terms.norm_T(i);
    }
    // A large force (a jam) times the rounding of a slip is no gain of energy: the scale grows with the
    // force.
    const double us = terms.speed_at(i);
    work.consider(std::max(sum.value(), 0.0), us * std::max(us, impulse));
  }
  certificate.add("dissipation", terms.work_unit(), work);
}

}  // namespace tribo
