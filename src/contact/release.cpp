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
  const VectorXd& v_next = answer.solution.v_next;
  const double us = std::max(scales.speed, scales.mass_norm(v_next));
  const VectorXd& offset = problem.level == Level::kAcceleration ? problem.a_N : problem.b_N;
  IndexList open;
  for (Index i = 0; i < problem.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double rho = scales.row_norm(i);
    const bool parts = problem.N.dot(i, v_next) + offset(i) > kOpen * rho * us;
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

ContactAnswer& solve_predicted(const ContactProblem& problem, const ContactTask& task) {
  IndexList parting = find_separating(problem);
  std::erase_if(parting, [&](Index i) { return problem.contacts[static_cast<std::size_t>(i)].released; });
  if (parting.empty()) return solve_relaxed(problem, task);
  ContactProblem freed = problem;
  release(parting, freed);
  ContactAnswer& answer = solve_relaxed(freed, task);
  add_note("release", note(parting), answer);
  std::rotate(answer.history.begin(), answer.history.end() - 1, answer.history.end());
  answer.released = std::move(parting);
  return answer;
}

ContactAnswer& solve_repeatedly(const ContactProblem& problem, const ContactTask& task) {
  ContactAnswer& answer = solve_relaxed(problem, task);
  const Scales scales(problem);
  ContactProblem freed = problem;
  IndexList released;
  for (int pass = 0; pass < kPasses && is_solved(answer.status); ++pass) {
    const IndexList open = find_open(freed, answer, scales);
    if (open.empty()) break;
    release(open, freed);
    add_note("release", note(open), answer);
    ContactAnswer earlier = answer;
    solve_relaxed(freed, task);       // into the same answer
    if (!is_solved(answer.status)) {  // the answer before stands, with what was attempted after it
      add_history(answer, earlier);
      std::rotate(earlier.history.begin(), earlier.history.begin() + std::ssize(answer.history), earlier.history.end());
      add_note("release", "kept the answer before the last release", earlier);
      answer = std::move(earlier);
      break;
    }
    add_history(earlier, answer);
    released.insert(released.end(), open.begin(), open.end());
  }
  std::sort(released.begin(), released.end());
  answer.released = std::move(released);
  return answer;
}

}  // namespace

ContactAnswer& solve_released(const ContactProblem& problem, const ContactTask& task) {
  if (!std::holds_alternative<NoSlip>(task.model) || task.options.release == Release::kNever)
    return solve_relaxed(problem, task);
  return task.options.release == Release::kPredicted ? solve_predicted(problem, task) : solve_repeatedly(problem, task);
}

}  // namespace tribo
