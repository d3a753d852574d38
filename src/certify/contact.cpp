// Certificate of a contact answer (spec A.2, A.4, B.7): impulses and v⁺ against problem and model.
//     momentum    p = M (v⁺ − v) − h f − Nᵀ f_n − Sᵀ f_s − Tᵀ f_t − Jᵀ f_j,    |p|_{M⁻¹} over us
//                 CoulombCone: and the couples along spin, roll_s, roll_t, which no other model has
//     bilateral   J v⁺ + b_J,    each row over |row|_{M⁻¹} us
//     normal      scaled min-map of f_n and w = N v⁺ + b_N; CoulombCone: + compliance f_n
//     friction    by the model, friction_law.hpp
// At acceleration level read a, forces, a_N, a_J. us: contact_terms.hpp. Islands (problem/islands.hpp) are judged one
// by one, each on its own scale us, and the worst counts: a fast body excuses nothing in what it does not touch.
#include "tribo/certify/certify.hpp"
#include "tribo/problem/islands.hpp"

#include <algorithm>
#include <variant>

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
         solution.f_j.size() == problem.J.rows() && tangential_fits(solution.f_s, problem.S, model) &&
         tangential_fits(solution.f_t, problem.T, model) && couples_fit(problem, model, solution);
}

VectorXd slips(const BlockRows& rows, const VectorXd& velocity) {
  VectorXd result(rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) result(i) = accurate_row(rows, i, velocity);
  return result;
}

// −c · slip with the slip the model names (spec A.4, B.8): of v⁺ for the implicit form and for impacts.
Tangential viscous_forces(const ContactProblem& problem, const Viscous& model, const VectorXd& v_next) {
  const bool after = problem.level == Level::kVelocity && (model.implicit || model.impact);
  const VectorXd& velocity = after ? v_next : problem.v;
  Tangential implied;
  implied.f_s = slips(problem.S, velocity);
  implied.f_t = slips(problem.T, velocity);
  for (Index i = 0; i < problem.size(); ++i) {
    const double c = viscous_coefficient(problem, model, i);
    if (implied.f_s.size() > 0) implied.f_s(i) *= -c;
    if (implied.f_t.size() > 0) implied.f_t(i) *= -c;
  }
  return implied;
}

Residual momentum(const ContactTerms& terms, const ContactSolution& solution, const Tangential& tangential) {
  const ContactProblem& problem = terms.problem;
  MomentumSums sums(static_cast<std::size_t>(problem.dof()));
  add_mass_product(sums, problem.mass, 1.0, solution.v_next);
  if (!terms.acceleration()) add_mass_product(sums, problem.mass, -1.0, problem.v);
  const double step = terms.acceleration() ? 1.0 : problem.h;
  for (Index i = 0; i < problem.dof(); ++i) sums[static_cast<std::size_t>(i)].add_product(-step, problem.f(i));
  add_rows_transposed(sums, problem.N, -1.0, solution.f_n);
  add_rows_transposed(sums, problem.J, -1.0, solution.f_j);
  add_rows_transposed(sums, problem.S, -1.0, tangential.f_s);
  add_rows_transposed(sums, problem.T, -1.0, tangential.f_t);
  if (tangential.f_spin.size() > 0) add_rows_transposed(sums, problem.spin, -1.0, tangential.f_spin);
  if (tangential.f_roll_s.size() > 0) add_rows_transposed(sums, problem.roll_s, -1.0, tangential.f_roll_s);
  if (tangential.f_roll_t.size() > 0) add_rows_transposed(sums, problem.roll_t, -1.0, tangential.f_roll_t);
  const VectorXd defect = values(sums);
  double heaviest = 0.0;
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    if (problem.mass.block(b).size() > 0) heaviest = std::max(heaviest, problem.mass.block(b).diagonal().maxCoeff());
  }
  return {"momentum", terms.impulse_unit(), largest(defect), std::sqrt(heaviest) * terms.speed,
          ratio(terms.inverse_mass_norm(defect), terms.speed)};
}

Residual bilateral(const ContactTerms& terms, const VectorXd& velocity) {
  Worst worst;
  for (Index i = 0; i < terms.problem.J.rows(); ++i) {
    worst.consider(accurate_row(terms.problem.J, i, velocity, terms.offset_J(i)), terms.norm_J(i) * terms.speed);
  }
  return worst.residual("bilateral", terms.velocity_unit());
}

Residual normal(const ContactTerms& terms, bool eased, const VectorXd& f_n, const VectorXd& velocity) {
  const double fallback = std::max(1.0, largest(terms.offset_N));
  Worst worst;
  for (Index i = 0; i < terms.problem.size(); ++i) {
    const double compliance = eased ? terms.problem.contacts[static_cast<std::size_t>(i)].compliance : 0.0;
    const double w = accurate_row(terms.problem.N, i, velocity, terms.offset_N(i)) + compliance * f_n(i);
    worst.consider(min_map(scaled_pair(f_n(i), w, terms.norm_N(i), terms.speed, fallback, compliance)), 1.0);
  }
  return worst.residual("normal", "1");
}

void check_friction(const ContactTerms& terms, const ContactModel& model, const ContactSolution& solution,
                    const Tangential& tangential, Certificate& certificate) {
  if (is<Frictionless>(model)) check_frictionless(terms, tangential, certificate);
  if (is<NoSlip>(model)) check_no_slip(terms, tangential, certificate);
  if (const Viscous* viscous = std::get_if<Viscous>(&model)) {
    check_viscous(terms, *viscous, tangential, viscous_forces(terms.problem, *viscous, solution.v_next), certificate);
  }
  if (const CoulombPyramid* pyramid = std::get_if<CoulombPyramid>(&model)) {
    check_pyramid(terms, *pyramid, solution.f_n, tangential, certificate);
    check_dissipation(terms, tangential, certificate);
  }
  if (is<CoulombCone>(model)) check_cone(terms, solution.f_n, solution.v_next, tangential, certificate);
  if (is<FrictionBox>(model)) {
    check_box(terms, tangential, certificate);
    check_dissipation(terms, tangential, certificate);
  }
}

Certificate certify_island(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution) {
  std::optional<ContactTerms> found = calc_terms(problem);
  if (!found) return refused("mass");
  ContactTerms& terms = *found;
  terms.include(solution.v_next);

  Tangential tangential;
  if (const Viscous* viscous = std::get_if<Viscous>(&model)) {
    tangential = viscous_forces(problem, *viscous, solution.v_next);
  } else {
    tangential.f_s.setZero(problem.S.rows());
    tangential.f_t.setZero(problem.T.rows());
  }
  if (solution.f_s.size() == problem.S.rows()) tangential.f_s = solution.f_s;
  if (solution.f_t.size() == problem.T.rows()) tangential.f_t = solution.f_t;
  if (is<CoulombCone>(model)) {
    tangential.f_spin = solution.f_spin;
    tangential.f_roll_s = solution.f_roll_s;
    tangential.f_roll_t = solution.f_roll_t;
  }
  tangential.slip_s = slips(problem.S, solution.v_next);
  tangential.slip_t = slips(problem.T, solution.v_next);

  Certificate certificate;
  certificate.add(momentum(terms, solution, tangential));
  certificate.add(bilateral(terms, solution.v_next));
  certificate.add(normal(terms, is<CoulombCone>(model), solution.f_n, solution.v_next));
  check_friction(terms, model, solution, tangential, certificate);
  return certificate;
}

// Residuals of the same name: the worst one is kept.
void keep_worst(const Certificate& part, Certificate& whole) {
  for (const Residual& residual : part.residuals) {
    const auto same = [&](const Residual& other) { return other.name == residual.name; };
    const auto found = std::find_if(whole.residuals.begin(), whole.residuals.end(), same);
    if (found == whole.residuals.end()) {
      whole.add(residual);
    } else if (!(residual.relative <= found->relative)) {
      *found = residual;
      whole.worst = std::max(whole.worst, residual.relative);
    }
  }
}

}  // namespace

Certificate certify(const ContactProblem& problem, const ContactModel& model, const ContactSolution& solution) {
  if (!shapes_fit(problem) || !solution_fits(problem, model, solution)) return refused("size");
  if (!all_finite(solution.v_next, solution.f_n, solution.f_s, solution.f_t, solution.f_j) ||
      !all_finite(solution.f_spin, solution.f_roll_s, solution.f_roll_t)) {
    return refused("finite");
  }
  if (!is<CoulombCone>(model) && has_couples(solution)) return refused("couples");
  const CoulombPyramid* pyramid = std::get_if<CoulombPyramid>(&model);
  if (pyramid != nullptr && (pyramid->sides < 4 || pyramid->sides % 2 != 0)) return refused("model");
  const IslandMap map = find_islands(problem);
  if (map.islands <= 1) return certify_island(problem, model, solution);
  Certificate certificate;
  for (const Island& island : split_islands(problem, map)) {
    keep_worst(certify_island(island.problem, model, cut_island(problem, island, solution)), certificate);
  }
  return certificate;
}

}  // namespace tribo
