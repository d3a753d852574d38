// Certificate of a contact answer (spec A.2, A.4, B.7): impulses and v⁺ against problem and model.
//     momentum    p = M (v⁺ − v) − h f − Nᵀ f_n − Sᵀ f_s − Tᵀ f_t − Jᵀ f_j − Dᵀ f_d,    |p|_{M⁻¹} over us
//                 CoulombCone: and the couples along spin, roll_s, roll_t, which no other model has
//     bilateral   J v⁺ + b_J,    each row over |row|_{M⁻¹} us
//     normal      scaled min-map of f_n and w = N v⁺ + b_N; CoulombCone: + compliance f_n
//     friction    by the model, friction_law.hpp
//     dry friction  f_d − clip(f_d − D v⁺/ρ², −bound, bound), each row over us/ρ; where there are rows D
// At acceleration level read a, forces, a_N, a_J. us: contact_terms.hpp. Islands (problem/islands.hpp) are judged one
// by one, each on its own scale us, and the worst counts: a fast body excuses nothing in what it does not touch.
#include "tribo/certify/certify.hpp"
#include "tribo/certify/contact_certifier.hpp"
#include "tribo/problem/islands.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "certify/contact_states.hpp"
#include "certify/friction_law.hpp"
#include "certify/scaled_pair.hpp"

namespace tribo {

namespace {

template <typename Model>
bool is(const ContactModel& model) {
  return std::holds_alternative<Model>(model);
}

// The tangential part of an answer may be left out where the model leaves no choice.
bool tangential_fits(const VectorXd& f, const BlockRows& rows, const ContactModel& model) {
  if (f.size() == rows.rows()) return true;
  if (rows.rows() == 0) return f.isZero(0.0);
  return f.size() == 0 && (is<Frictionless>(model) || is<Viscous>(model));
}

bool asks_for(const ContactProblem& problem, double Contact::*coefficient) {
  return std::any_of(problem.contacts.begin(), problem.contacts.end(),
                     [&](const Contact& contact) { return contact.*coefficient > 0.0; });
}

// Couples may be left out where they have to vanish: in other models, and where no contact has the coefficient.
bool couples_fit(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution) {
  const auto fits = [&](const VectorXd& couple, const BlockRows& rows, double Contact::*coefficient) {
    if (couple.size() == rows.rows()) return true;
    if (rows.rows() == 0) return couple.isZero(0.0);
    return couple.size() == 0 && !(is<CoulombCone>(model) && asks_for(problem, coefficient));
  };
  return fits(solution.f_spin, problem.spin, &Contact::mu_spin) &&
         fits(solution.f_roll_s, problem.roll_s, &Contact::mu_roll) &&
         fits(solution.f_roll_t, problem.roll_t, &Contact::mu_roll);
}

bool has_couples(const ContactSolution& solution) {
  return !solution.f_spin.isZero(0.0) || !solution.f_roll_s.isZero(0.0) || !solution.f_roll_t.isZero(0.0);
}

bool solution_fits(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution) {
  return solution.v_next.size() == problem.dof() && solution.f_n.size() == problem.size() &&
         solution.f_j.size() == problem.J.rows() && solution.f_d.size() == problem.dry() &&
         tangential_fits(solution.f_s, problem.S, model) && tangential_fits(solution.f_t, problem.T, model) &&
         couples_fit(problem, model, solution);
}

Numbers numbers(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
Eigen::Map<const VectorXd> vector(Numbers x) { return {x.data(), static_cast<Index>(x.size())}; }

// −c · slip with the slip the model names (spec A.4, B.8): of v⁺ for the implicit form and for impacts.
void calc_viscous_forces(const ContactProblem& problem, const Viscous& model, const VectorXd& v_next, VectorXd& f_s,
                         VectorXd& f_t) {
  const bool after = problem.level == Level::kVelocity && (model.implicit || model.impact);
  const VectorXd& velocity = after ? v_next : problem.v;
  accurate_rows(problem.S, velocity, f_s);
  accurate_rows(problem.T, velocity, f_t);
  for (Index i = 0; i < problem.size(); ++i) {
    const double c = viscous_coefficient(problem, model, i);
    if (f_s.size() > 0) f_s(i) *= -c;
    if (f_t.size() > 0) f_t(i) *= -c;
  }
}

const char* reason_to_refuse(const ContactProblem& problem, const ContactModel& model,
                             const ContactSolution& solution) {
  if (!shapes_fit(problem) || !solution_fits(problem, model, solution)) return "size";
  if (!all_finite(solution.v_next, solution.f_n, solution.f_s, solution.f_t, solution.f_j, solution.f_d) ||
      !all_finite(solution.f_spin, solution.f_roll_s, solution.f_roll_t)) {
    return "finite";
  }
  if (!is<CoulombCone>(model) && has_couples(solution)) return "couples";
  const CoulombPyramid* pyramid = std::get_if<CoulombPyramid>(&model);
  if (pyramid != nullptr && (pyramid->sides < 4 || pyramid->sides % 2 != 0)) return "model";
  return nullptr;
}

}  // namespace

struct ContactCertifier::Workspace {
  IslandSplitter splitter;
  ContactTerms terms;
  Certificate certificate;
  // Velocities along the rows after the step; offsets included for N.
  VectorXd w, slip_s, slip_t, rate_spin, rate_roll_s, rate_roll_t, rate_d;
  VectorXd viscous_s, viscous_t, zeros_s, zeros_t;  // forces where the answer leaves them out
  MomentumSums sums;
  VectorXd defect, heaviest, largest_defect, squared;
  VectorXd fallback;  // per island: what impulses are compared with whose normal row moves nothing
  Polygon polygon;
  // The answer that was looked at last; its numbers belong to the caller.
  bool looked = false;
  ContactModel last_model;
  Numbers last_f_n;
  Tangential last_forces;

  // What certificate and states have in common. Null: done; else why nothing can be said of the answer.
  const char* look(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution, bool one);

  void momentum(const ContactSolution& solution, const Tangential& tangential, CertificateWriter& writer);
  void bilateral(const VectorXd& velocity, CertificateWriter& writer);
  void normal(bool eased, const VectorXd& f_n, CertificateWriter& writer);
  Tangential tangential(const ContactModel& model, const ContactSolution& solution);
  void friction(const ContactModel& model, const ContactSolution& solution, const Tangential& tangential,
                CertificateWriter& writer);
  void dry_friction(const ContactSolution& solution, CertificateWriter& writer);
  void judge(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution, bool one);
};

using Workspace = ContactCertifier::Workspace;

void Workspace::momentum(const ContactSolution& solution, const Tangential& tangential, CertificateWriter& writer) {
  const ContactProblem& problem = *terms.problem;
  sums.reset(problem.dof());
  add_mass_product(sums, problem.mass, 1.0, solution.v_next);
  if (!terms.acceleration()) add_mass_product(sums, problem.mass, -1.0, problem.v);
  add_scaled_vector(sums, terms.acceleration() ? -1.0 : -problem.h, problem.f);
  add_rows_transposed(sums, problem.N, -1.0, solution.f_n);
  add_rows_transposed(sums, problem.J, -1.0, solution.f_j);
  add_rows_transposed(sums, problem.D, -1.0, solution.f_d);
  add_rows_transposed(sums, problem.S, -1.0, vector(tangential.f_s));
  add_rows_transposed(sums, problem.T, -1.0, vector(tangential.f_t));
  if (!tangential.f_spin.empty()) add_rows_transposed(sums, problem.spin, -1.0, vector(tangential.f_spin));
  if (!tangential.f_roll_s.empty()) add_rows_transposed(sums, problem.roll_s, -1.0, vector(tangential.f_roll_s));
  if (!tangential.f_roll_t.empty()) add_rows_transposed(sums, problem.roll_t, -1.0, vector(tangential.f_roll_t));
  defect = sums.high + sums.low;

  const Index islands = terms.islands == nullptr ? 1 : terms.islands->islands;
  heaviest.setZero(islands);
  largest_defect.setZero(islands);
  const BlockLayout& layout = problem.mass.layout();
  for (Index b = 0; b < layout.blocks(); ++b) {
    if (layout.size(b) == 0) continue;
    const Index k = terms.island_of_block(b);
    heaviest(k) = std::max(heaviest(k), problem.mass.block(b).diagonal().maxCoeff());
    largest_defect(k) = std::max(largest_defect(k), largest(defect.segment(layout.start(b), layout.size(b))));
  }
  terms.factor.whiten_force(defect);
  squared.setZero(islands);
  if (terms.islands == nullptr) {
    squared(0) = defect.squaredNorm();
  } else {
    for (Index b = 0; b < layout.blocks(); ++b) {
      squared(terms.island_of_block(b)) += defect.segment(layout.start(b), layout.size(b)).squaredNorm();
    }
  }
  Worst worst;
  for (Index k = 0; k < islands; ++k) {
    const double us = terms.islands == nullptr ? terms.speed : terms.island_speed(k);
    worst.consider(largest_defect(k), std::sqrt(heaviest(k)) * us, ratio(std::sqrt(squared(k)), us));
  }
  writer.add("momentum", terms.impulse_unit(), worst);
}

void Workspace::bilateral(const VectorXd& velocity, CertificateWriter& writer) {
  Worst worst;
  for (Index i = 0; i < terms.problem->J.rows(); ++i) {
    worst.consider(accurate_row(terms.problem->J, i, velocity, terms.offset_J()(i)),
                   terms.norm_J(i) * terms.speed_at_bilateral(i));
  }
  writer.add("bilateral", terms.velocity_unit(), worst);
}

void Workspace::normal(bool eased, const VectorXd& f_n, CertificateWriter& writer) {
  Worst worst;
  for (Index i = 0; i < f_n.size(); ++i) {
    const double compliance = eased ? terms.problem->contacts[static_cast<std::size_t>(i)].compliance : 0.0;
    const double scale = fallback(terms.island_of_contact(i));
    worst.consider(
        min_map(scaled_pair(f_n(i), w(i) + compliance * f_n(i), terms.norm_N(i), terms.speed_at(i), scale, compliance)),
        1.0);
  }
  writer.add("normal", "1", worst);
}

// What the answer leaves out, the model says.
Tangential Workspace::tangential(const ContactModel& model, const ContactSolution& solution) {
  const ContactProblem& problem = *terms.problem;
  Tangential result;
  if (const Viscous* viscous = std::get_if<Viscous>(&model)) {
    calc_viscous_forces(problem, *viscous, solution.v_next, viscous_s, viscous_t);
    result.f_s = numbers(viscous_s);
    result.f_t = numbers(viscous_t);
  } else {
    zeros_s.setZero(problem.S.rows());
    zeros_t.setZero(problem.T.rows());
    result.f_s = numbers(zeros_s);
    result.f_t = numbers(zeros_t);
  }
  if (solution.f_s.size() == problem.S.rows()) result.f_s = numbers(solution.f_s);
  if (solution.f_t.size() == problem.T.rows()) result.f_t = numbers(solution.f_t);
  accurate_rows({&problem.N, &problem.S, &problem.T}, solution.v_next, &terms.offset_N(), {&w, &slip_s, &slip_t});
  result.slip_s = numbers(slip_s);
  result.slip_t = numbers(slip_t);
  if (!is<CoulombCone>(model)) return result;
  result.f_spin = numbers(solution.f_spin);
  result.f_roll_s = numbers(solution.f_roll_s);
  result.f_roll_t = numbers(solution.f_roll_t);
  accurate_rows({&problem.spin, &problem.roll_s, &problem.roll_t}, solution.v_next, nullptr,
                {&rate_spin, &rate_roll_s, &rate_roll_t});
  result.rate_spin = numbers(rate_spin);
  result.rate_roll_s = numbers(rate_roll_s);
  result.rate_roll_t = numbers(rate_roll_t);
  return result;
}

void Workspace::friction(const ContactModel& model, const ContactSolution& solution, const Tangential& tangential,
                         CertificateWriter& writer) {
  if (is<Frictionless>(model)) check_frictionless(terms, tangential, writer);
  if (is<NoSlip>(model)) check_no_slip(terms, tangential, writer);
  if (const Viscous* viscous = std::get_if<Viscous>(&model)) {
    Tangential implied;
    implied.f_s = numbers(viscous_s);
    implied.f_t = numbers(viscous_t);
    check_viscous(terms, *viscous, tangential, implied, writer);
  }
  if (const CoulombPyramid* pyramid = std::get_if<CoulombPyramid>(&model)) {
    check_pyramid(terms, *pyramid, numbers(solution.f_n), tangential, polygon, writer);
    check_dissipation(terms, tangential, writer);
  }
  if (is<CoulombCone>(model)) check_cone(terms, numbers(solution.f_n), tangential, writer);
  if (is<FrictionBox>(model)) {
    check_box(terms, tangential, writer);
    check_dissipation(terms, tangential, writer);
  }
}

const char* Workspace::look(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution,
                            bool one) {
  looked = false;
  if (const char* reason = reason_to_refuse(problem, model, solution)) return reason;
  if (!one) splitter.find(problem);
  one = one || splitter.whole();
  if (!calc_terms(problem, one ? nullptr : &splitter.map(), terms)) return "mass";
  terms.include(solution.v_next);
  fallback.setOnes(one ? 1 : terms.islands->islands);
  for (Index i = 0; i < problem.size(); ++i) {
    double& largest_offset = fallback(terms.island_of_contact(i));
    largest_offset = std::max(largest_offset, std::abs(terms.offset_N()(i)));
  }
  last_model = model;
  last_f_n = numbers(solution.f_n);
  last_forces = tangential(model, solution);
  if (problem.dry() > 0) accurate_rows(problem.D, solution.v_next, rate_d);
  looked = true;
  return nullptr;
}

void Workspace::dry_friction(const ContactSolution& solution, CertificateWriter& writer) {
  if (terms.problem->dry() == 0) return;
  check_dry_friction(terms, numbers(solution.f_d), numbers(rate_d), writer);
}

void Workspace::judge(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution,
                      bool one) {
  CertificateWriter writer(certificate);
  if (const char* reason = look(problem, model, solution, one)) return writer.refuse(reason);
  momentum(solution, last_forces, writer);
  bilateral(solution.v_next, writer);
  normal(is<CoulombCone>(model), solution.f_n, writer);
  friction(model, solution, last_forces, writer);
  dry_friction(solution, writer);
}

ContactCertifier::ContactCertifier() : workspace_(std::make_unique<Workspace>()) {}
ContactCertifier::~ContactCertifier() = default;
ContactCertifier::ContactCertifier(ContactCertifier&&) noexcept = default;
ContactCertifier& ContactCertifier::operator=(ContactCertifier&&) noexcept = default;

const Certificate& ContactCertifier::operator()(const ContactProblem& problem, const ContactModel& model,
                                                const ContactSolution& solution) {
  workspace_->judge(problem, model, solution, false);
  return workspace_->certificate;
}

const Certificate& ContactCertifier::island(const ContactProblem& problem, const ContactModel& model,
                                            const ContactSolution& solution) {
  workspace_->judge(problem, model, solution, true);
  return workspace_->certificate;
}

void ContactCertifier::classify(double tolerance, std::vector<ContactState>& states) const {
  const Workspace& last = *workspace_;
  states.clear();
  if (last.looked)
    calc_states(last.terms, last.last_model, last.last_f_n, last.last_forces, last.fallback, tolerance, states);
}

void ContactCertifier::classify_dry(double tolerance, std::vector<ContactState>& states) const {
  const Workspace& last = *workspace_;
  states.clear();
  if (last.looked && last.terms.problem->dry() > 0)
    calc_dry_states(last.terms, numbers(last.rate_d), tolerance, states);
}

void ContactCertifier::classify(const ContactProblem& problem, const ContactModel& model,
                                const ContactSolution& solution, double tolerance, std::vector<ContactState>& states) {
  (void)workspace_->look(problem, model, solution, false);
  classify(tolerance, states);
}

Certificate certify(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution) {
  ContactCertifier certifier;
  return certifier(problem, model, solution);
}

}  // namespace tribo
