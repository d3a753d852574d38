// Certificate of a compliant answer: forces and v1 against problem and model (spec/first-order-solver §1, B.2, C.4, C.5).
//     momentum     p = M (v1 − v) − h f − Σ Gᵀ π,   |p|_{M⁻¹} over max(us, ρ_i |π_i|) of the island
//     bilateral    e over its scale (compliant_terms.hpp); VelocityProduct::kPaper: with the force that is fed forward
//     unilateral   |min(e, (ρ² + R) π)| over the scale of e
//     normal       the same for contacts; kConvexCone: with e_n − mu |e_t| for e_n
//     friction     ω |π_t − P(π_t − e_t/ω)|, P the projection on the disc of radius mu π_n, ω = ρ² + R: zero exactly when
//                  |π_t| ≤ mu π_n, and either e_t = 0 or π_t is on the edge and opposed to e_t; over the scale of e and 1e-6 ω |π_t|
//     cone         |π_t| − mu π_n over us/ρ
//     idle rows    |π| of rows with K = B = 0 over us/ρ
// kConvexCone: min ½ πᵀ(W + R)π + … over cones has the conditions K ∋ π ⟂ e ∈ K*, which are those of Coulomb's law with the
// normal speed e_n − mu |e_t|. kLeastNorm and kWeighted are programs of their own: compliant_program.hpp.
#include "tribo/certify/compliant.hpp"

#include "tribo/certify/classify.hpp"
#include "tribo/problem/compliant_name.hpp"

#include <algorithm>
#include <cmath>

#include "certify/compliant_program.hpp"
#include "certify/compliant_program_terms.hpp"
#include "certify/compliant_terms.hpp"
#include "certify/measure.hpp"

namespace tribo {
namespace {

bool rows_have_sizes(const CompliantProblem& problem, const CompliantRows& rows) {
  const Index m = rows.rows();
  return (m == 0 || rows.G.layout() == problem.mass.layout()) && rows.K.size() == m && rows.B.size() == m &&
         rows.phi.size() == m && (rows.drift.size() == 0 || rows.drift.size() == m);
}

bool problem_has_sizes(const CompliantProblem& problem) {
  const Index n = problem.contacts(), dof = problem.dof();
  for (const CompliantRows* rows : {&problem.bilateral, &problem.unilateral, &problem.normal, &problem.r, &problem.s}) {
    if (!rows_have_sizes(problem, *rows)) return false;
  }
  const auto tangents = [&](const CompliantRows& rows) { return rows.rows() == 0 || rows.rows() == n; };
  return problem.v.size() == dof && problem.f.size() == dof && problem.mu.size() == n && tangents(problem.r) &&
         tangents(problem.s) && problem.s.rows() <= problem.r.rows() &&
         (problem.rate_scale.size() == 0 || problem.rate_scale.size() == n);
}

bool answer_has_sizes(const CompliantProblem& problem, const CompliantSolution& solution) {
  return solution.v1.size() == problem.dof() && solution.lambda_b.size() == problem.bilateral.rows() &&
         solution.lambda_u.size() == problem.unilateral.rows() && solution.lambda_n.size() == problem.contacts() &&
         solution.lambda_r.size() == problem.r.rows() && solution.lambda_s.size() == problem.s.rows() &&
         (solution.states.empty() || static_cast<Index>(solution.states.size()) == problem.contacts());
}

void check_momentum(const CompliantTerms& terms, Certificate& certificate) {
  const CompliantProblem& problem = *terms.problem;
  const CompliantSolution& solution = *terms.solution;
  MomentumSums sums;
  sums.reset(problem.dof());
  add_mass_product(sums, problem.mass, 1.0, solution.v1);
  add_mass_product(sums, problem.mass, -1.0, problem.v);
  add_scaled_vector(sums, -problem.h, problem.f);
  add_rows_transposed(sums, problem.bilateral.G, -problem.h, solution.lambda_b);
  add_rows_transposed(sums, problem.unilateral.G, -problem.h, solution.lambda_u);
  add_rows_transposed(sums, problem.normal.G, -problem.h, solution.lambda_n);
  add_rows_transposed(sums, problem.r.G, -problem.h, solution.lambda_r);
  add_rows_transposed(sums, problem.s.G, -problem.h, solution.lambda_s);
  VectorXd defect = sums.value();
  const BlockLayout& layout = problem.mass.layout();
  VectorXd largest_defect = VectorXd::Zero(layout.blocks()), heaviest = largest_defect, squared = largest_defect;
  for (Index b = 0; b < layout.blocks(); ++b) {
    if (layout.size(b) == 0) continue;
    const Index k = terms.island[static_cast<std::size_t>(b)];
    largest_defect(k) = std::max(largest_defect(k), largest(defect.segment(layout.start(b), layout.size(b))));
    heaviest(k) = std::max(heaviest(k), problem.mass.block(b).diagonal().maxCoeff());
  }
  terms.factor.whiten_force(defect);
  for (Index b = 0; b < layout.blocks(); ++b) {
    squared(terms.island[static_cast<std::size_t>(b)]) += defect.segment(layout.start(b), layout.size(b)).squaredNorm();
  }
  Worst worst;
  for (Index k = 0; k < layout.blocks(); ++k) {
    const double scale = terms.speed(k) + kSpeedShare * terms.impulses(k);
    worst.consider(largest_defect(k), std::sqrt(heaviest(k)) * scale, ratio(std::sqrt(squared(k)), scale));
  }
  certificate.add(worst.residual("momentum", "N·s"));
}

constexpr double kOwnDigits = 1e-6;  // of an impulse of its own: 14 digits at the usual tolerance

// The rows of one contact. Tangents that do not act are left out.
struct ContactRows {
  CompliantRowState normal, r, s;  // as they are; without tangents: zeros, which do not act
  Index tangents = 0;              // that act
  Eigen::Vector2d pi = Eigen::Vector2d::Zero(), e = pi;
  double weight = 0.0, scale = 0.0, norm = 0.0;  // the largest of the tangents

  ContactRows(const CompliantTerms& terms, Index i) {
    const CompliantProblem& problem = *terms.problem;
    const CompliantSolution& solution = *terms.solution;
    const double S = problem.rate_scale.size() > 0 ? problem.rate_scale(i) : 1.0;
    normal = calc_row_state(terms, problem.normal, i, solution.lambda_n(i), S);
    if (problem.r.rows() > 0) add_tangent(r = calc_row_state(terms, problem.r, i, solution.lambda_r(i)));
    if (problem.s.rows() > 0) add_tangent(s = calc_row_state(terms, problem.s, i, solution.lambda_s(i)));
  }

 private:
  void add_tangent(const CompliantRowState& row) {
    if (!row.acts) return;
    pi(tangents) = row.pi;
    e(tangents++) = row.e;
    weight = std::max(weight, row.weight());
    scale = std::max(scale, row.scale);
    norm = std::max(norm, row.norm);
  }
};

// Rows of every kind, and what those that do not act carry all the same.
class RowChecks {
 public:
  explicit RowChecks(const CompliantTerms& terms) : terms_(terms), problem_(*terms.problem) {}

  void bilateral() {
    const VectorXd fed = calc_fed_forward(terms_);
    for (Index i = 0; i < problem_.bilateral.rows(); ++i) {
      const CompliantRowState row =
          calc_row_state(terms_, problem_.bilateral, i, terms_.solution->lambda_b(i), 1.0, true, fed(i));
      if (acts(row)) bilateral_.consider(row.e, row.scale);
    }
  }

  void unilateral() {
    for (Index i = 0; i < problem_.unilateral.rows(); ++i) {
      const CompliantRowState row = calc_row_state(terms_, problem_.unilateral, i, terms_.solution->lambda_u(i), 1.0);
      if (acts(row)) unilateral_.consider(complementarity_gap(row, row.e), row.scale);
    }
  }

  void contacts(bool convex) {
    for (Index i = 0; i < problem_.contacts(); ++i) contact(i, convex);
  }

  void add_to(Certificate& certificate) const {
    if (problem_.bilateral.rows() > 0) certificate.add(bilateral_.residual("bilateral", "m/s"));
    if (problem_.unilateral.rows() > 0) certificate.add(unilateral_.residual("unilateral", "m/s"));
    if (problem_.contacts() > 0) certificate.add(normal_.residual("normal", "m/s"));
    if (problem_.r.rows() > 0) {
      certificate.add(friction_.residual("friction", "m/s"));
      certificate.add(cone_.residual("cone", "N·s"));
    }
    certificate.add(idle_.residual("idle rows", "N·s"));
  }

 private:
  bool acts(const CompliantRowState& row) {
    if (!row.acts) idle_.consider(row.pi, ratio(row.us, row.norm), ratio(row.pi * row.norm, row.us));
    return row.acts;
  }

  void contact(Index i, bool convex) {
    const ContactRows rows(terms_, i);
    if (problem_.r.rows() > 0) (void)acts(rows.r);
    if (problem_.s.rows() > 0) (void)acts(rows.s);
    const double mu = problem_.mu(i), radius = mu * std::max(rows.normal.pi, 0.0);
    if (acts(rows.normal)) {
      const double slip = convex ? mu * rows.e.norm() : 0.0;
      // Rounding of the slip is multiplied by mu, which counts at its own size.
      normal_.consider(complementarity_gap(rows.normal, rows.normal.e - slip),
                       rows.normal.scale + (convex ? 1e-6 * mu * rows.scale : 0.0));
    }
    if (rows.tangents == 0) return;
    Eigen::Vector2d target = rows.pi - rows.e / rows.weight;
    const double length = target.norm();
    if (length > radius) target *= radius / length;
    // A force that is large beside all momentum is known to its own rounding.
    friction_.consider(rows.weight * (rows.pi - target).norm(), rows.scale + kOwnDigits * rows.weight * rows.pi.norm());
    const double beyond = std::max(rows.pi.norm() - radius, 0.0), us = rows.normal.us;
    cone_.consider(beyond, ratio(us, rows.norm), ratio(beyond * rows.norm, std::max(us, rows.norm * rows.pi.norm())));
  }

  const CompliantTerms& terms_;
  const CompliantProblem& problem_;
  Worst bilateral_, unilateral_, normal_, friction_, cone_, idle_;
};

// Loaded: ω π > ε times the scale of e; slips: |e_t| > ε times that of the certificate's friction.
ContactState judge_contact(const CompliantTerms& terms, Index i, double tolerance) {
  const ContactRows rows(terms, i);
  if (!rows.normal.acts || !(rows.normal.weight() * rows.normal.pi > tolerance * rows.normal.scale))
    return ContactState::kOpen;
  const double slow = tolerance * (rows.scale + kOwnDigits * rows.weight * rows.pi.norm());
  const bool holds = rows.tangents > 0 && terms.problem->mu(i) > 0.0;
  return holds && !(rows.e.norm() > slow) ? ContactState::kStick : ContactState::kSlide;
}

// kWeighted: by the place of a force in its cone, as certify_program() finds it.
ContactState judge_force(const CompliantProblem& problem, const CompliantSolution& solution, double near, Index i) {
  const double load = solution.lambda_n(i);
  const double friction =
      std::hypot(problem.r.rows() > 0 ? solution.lambda_r(i) : 0.0, problem.s.rows() > 0 ? solution.lambda_s(i) : 0.0);
  if (!(load > near)) return ContactState::kOpen;
  const auto acts = [&](const CompliantRows& rows) {
    return rows.rows() > 0 && calc_row(rows, i, problem.h, problem.product).acts;
  };
  const bool holds = problem.mu(i) > 0.0 && (acts(problem.r) || acts(problem.s));
  return holds && problem.mu(i) * load - friction > near ? ContactState::kStick : ContactState::kSlide;
}

const char* compliant_refusal(const CompliantProblem& problem, const Compliant& model,
                              const CompliantSolution& solution) {
  if (!problem_has_sizes(problem) || !answer_has_sizes(problem, solution)) return "size";
  if (!all_finite(solution.v1, solution.lambda_b, solution.lambda_u, solution.lambda_n, solution.lambda_r,
                  solution.lambda_s)) {
    return "finite";
  }
  return check_model(problem, model) ? nullptr : "model";
}

}  // namespace

Certificate certify(const CompliantProblem& problem, const Compliant& model, const CompliantSolution& solution) {
  if (const char* reason = compliant_refusal(problem, model, solution)) return refused(reason);
  const bool least_norm = model.unilateral == UnilateralLaw::kLeastNorm && problem.unilateral.rows() > 0;
  const bool weighted = model.friction == FrictionLaw::kWeighted && problem.contacts() > 0;
  if (least_norm || weighted) return certify_program(problem, model, solution);
  CompliantTerms terms;
  if (!calc_terms(problem, solution, terms)) return refused("mass matrix");
  Certificate certificate;
  check_momentum(terms, certificate);
  RowChecks checks(terms);
  checks.bilateral();
  checks.unilateral();
  checks.contacts(model.friction == FrictionLaw::kConvexCone);
  checks.add_to(certificate);
  return certificate;
}

std::vector<ContactState> classify(const CompliantProblem& problem, const Compliant& model,
                                   const CompliantSolution& solution, double tolerance) {
  std::vector<ContactState> states;
  if (compliant_refusal(problem, model, solution) != nullptr) return states;
  states.reserve(static_cast<std::size_t>(problem.contacts()));
  if (model.friction == FrictionLaw::kWeighted) {
    double most = 0.0;
    for (const VectorXd* forces : {&solution.lambda_u, &solution.lambda_n, &solution.lambda_r, &solution.lambda_s})
      most = std::max(most, largest(*forces));
    for (Index i = 0; i < problem.contacts(); ++i)
      states.push_back(judge_force(problem, solution, static_cast<double>(kOnIt) * most, i));
    return states;
  }
  CompliantTerms terms;
  if (!calc_terms(problem, solution, terms)) return states;
  for (Index i = 0; i < problem.contacts(); ++i) states.push_back(judge_contact(terms, i, tolerance));
  return states;
}

Certificate certify(const FoundationProblem& problem, const CompliantSolution& solution) {
  return certify(to_rows(problem), Compliant{}, solution);
}

}  // namespace tribo
