// Contacts that part need not stick (spec B.1). The no-slip model holds the tangents of every listed contact, so a body
// that leaves a surface is braked along it. Two ways to choose the contacts to release, both without a proof:
//     predicted   before the solve: gap > eps or N_i u0 > tol (find_separating)
//     solved      after a solve: w_i > 1e-9 ρ_i us and f_n,i = 0; then solve again, at most three times           (1)
// ρ_i = |N_i|_{M⁻¹}, us = max(|v|_M, |u0|_M, |v⁺|_M) as in spec B.3: rounding does not release a redundant contact.
// A release removes equality rows and adds none: it makes no problem infeasible.
#include "tribo/core/assert.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "contact/contact_steps.hpp"

namespace tribo {
namespace {

constexpr int kPasses = 3;
constexpr double kOpen = 1e-9;  // relative; of (1)

// ρ and u0 of (1); they do not change from pass to pass.
struct Scales {
  BlockCholesky factor;
  VectorXd row_norm;
  double speed = 0.0;

  explicit Scales(const ContactProblem& problem) : row_norm(problem.size()) {
    auto factored = BlockCholesky::factor(problem.mass);
    TRIBO_REQUIRE(factored.has_value(), "the mass matrix must be positive definite");
    factor = std::move(factored).value();
    VectorXd row(problem.dof());
    for (Index i = 0; i < problem.size(); ++i) {
      row.setZero();
      problem.N.add_scaled(i, 1.0, row);
      factor.whiten_force(row);
      row_norm(i) = row.norm();
    }
    VectorXd u0 = problem.f;
    factor.solve(u0);
    speed = std::max(mass_norm(problem.v), mass_norm(problem.v + problem.h * u0));
  }
  double mass_norm(VectorXd velocity) const {
    factor.whiten_velocity(velocity);
    return velocity.norm();
  }
};

// (1), over the contacts that are not released yet.
IndexList find_open(const ContactProblem& problem, const ContactAnswer& answer, const Scales& scales) {
  const double us = std::max(scales.speed, scales.mass_norm(answer.v_next));
  IndexList open;
  for (Index i = 0; i < problem.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double rho = scales.row_norm(i);
    const bool parts = answer.contacts[at].velocity(2) > kOpen * rho * us;
    const bool carries = std::abs(answer.solution.f_n(i)) * rho > kOpen * us;
    if (parts && !carries && !problem.contacts[at].released) open.push_back(i);
  }
  return open;
}

void release(const IndexList& contacts, ContactProblem& problem) {
  for (const Index i : contacts) problem.contacts[static_cast<std::size_t>(i)].released = true;
}

std::string note(const IndexList& contacts) {
  return "released " + std::to_string(contacts.size()) + (contacts.size() == 1 ? " contact" : " contacts");
}

// The answer before stands, with what was tried after it; `next` holds the history of both.
void keep(ContactAnswer& answer, const ContactAnswer& next) {
  answer.stages = next.stages;
  answer.stages.push_back("kept the answer before the last release");
  answer.report.iterations = next.report.iterations;
  answer.report.pivots = next.report.pivots;
  answer.report.sweeps = next.report.sweeps;
  answer.report.refactored = next.report.refactored;
}

ContactAnswer solve_predicted(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options) {
  IndexList parting = find_separating(problem);
  std::erase_if(parting, [&](Index i) { return problem.contacts[static_cast<std::size_t>(i)].released; });
  if (parting.empty()) return solve_relaxed(problem, model, options);
  ContactProblem freed = problem;
  release(parting, freed);
  ContactAnswer answer = solve_relaxed(freed, model, options);
  answer.stages.insert(answer.stages.begin(), note(parting));
  answer.released = std::move(parting);
  return answer;
}

ContactAnswer solve_repeatedly(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options) {
  ContactAnswer answer = solve_relaxed(problem, model, options);
  const Scales scales(problem);
  ContactProblem freed = problem;
  for (int pass = 0; pass < kPasses && is_solved(answer.status); ++pass) {
    const IndexList open = find_open(freed, answer, scales);
    if (open.empty()) break;
    release(open, freed);
    ContactAnswer next = solve_relaxed(freed, model, options);
    answer.stages.push_back(note(open));
    add_history(answer, next);
    if (!is_solved(next.status)) {
      keep(answer, next);
      break;
    }
    next.released = std::move(answer.released);
    next.released.insert(next.released.end(), open.begin(), open.end());
    answer = std::move(next);
  }
  std::sort(answer.released.begin(), answer.released.end());
  return answer;
}

}  // namespace

ContactAnswer solve_released(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options) {
  if (!std::holds_alternative<NoSlip>(model) || options.release == Release::kNever) {
    return solve_relaxed(problem, model, options);
  }
  return options.release == Release::kPredicted ? solve_predicted(problem, model, options)
                                                : solve_repeatedly(problem, model, options);
}

}  // namespace tribo
