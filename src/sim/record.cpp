#include "sim/record.hpp"

namespace tribo {

void record(const StepAnswer& answer, StepRows& rows) {
  const ContactSolution& solution = answer.solution;
  const ContactProblem& problem = rows.problem;
  const Index n = problem.size(), limits = rows.limits();
  const auto at = [](const VectorXd& f, Index i) { return i < f.size() ? f(i) : 0.0; };
  const auto state_of = [](const std::vector<ContactState>& states, Index i, ContactState unknown) {
    return i < std::ssize(states) ? states[static_cast<std::size_t>(i)] : unknown;
  };
  for (Index i = 0; i < limits; ++i) {
    JointRowRecord& limit = rows.joint_rows[static_cast<std::size_t>(i)];
    limit.impulse = at(solution.f_n, i);
    limit.velocity = problem.N.dot(i, solution.v_next);
    limit.state = state_of(answer.states, i, ContactState::kOpen);
  }
  for (Index i = 0; i < problem.dry(); ++i) {
    JointRowRecord& row = rows.joint_rows[static_cast<std::size_t>(limits + i)];
    row.impulse = at(solution.f_d, i);
    row.velocity = problem.D.dot(i, solution.v_next);
    row.state = state_of(answer.dry_states, i, ContactState::kStick);
  }
  for (Index i = limits; i < n; ++i) {
    ContactRecord& contact = rows.contacts[static_cast<std::size_t>(i - limits)];
    contact.impulse = Vector3d(at(solution.f_s, i), at(solution.f_t, i), at(solution.f_n, i));
    contact.couple = Vector3d(at(solution.f_roll_s, i), at(solution.f_roll_t, i), at(solution.f_spin, i));
    contact.velocity = Vector3d(problem.S.dot(i, solution.v_next), problem.T.dot(i, solution.v_next),
                                problem.N.dot(i, solution.v_next));
    contact.state = state_of(answer.states, i, ContactState::kOpen);
  }
}

}  // namespace tribo
