#include "sim/recall.hpp"

#include <algorithm>

namespace tribo {

namespace {

// No load anywhere. Solvers take it as a start of its own, unlike an empty one.
void set_no_load(const ContactProblem& problem, StartValues& out) {
  const Index n = problem.size(), turning = problem.spin.rows();
  out.clear();
  for (VectorXd* f : {&out.impulses.f_n, &out.impulses.f_s, &out.impulses.f_t}) f->setZero(n);
  for (VectorXd* f : {&out.impulses.f_spin, &out.impulses.f_roll_s, &out.impulses.f_roll_t}) f->setZero(turning);
  out.impulses.f_j.setZero(problem.bilateral());
  out.impulses.f_d.setZero(problem.dry());
  out.at_rest.assign(static_cast<std::size_t>(n + problem.dry()), 0);
}

}  // namespace

void RecallStage::run(const ContactStart& memory, StepRows& rows, StartValues& out) const {
  ContactProblem& problem = rows.problem;
  if (memory.empty()) return set_no_load(problem, out);
  memory.align(problem, out);
  out.states.clear();  // judged by the impulses
  if (setup_.options.compliant) {
    for (Contact& contact : problem.contacts) {
      const ContactStart::AtContact* last = contact.tangential_compliance > 0.0 ? memory.find(contact.key) : nullptr;
      if (last == nullptr) continue;
      contact.held_s = contact.frame.col(0).dot(last->held);
      contact.held_t = contact.frame.col(1).dot(last->held);
    }
  }
  if (std::holds_alternative<FrictionBox>(setup_.options.model)) {
    for (Index i = rows.limits(); i < problem.size(); ++i) {  // what the normal impulse of the last step allows
      Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
      contact.friction_bound = contact.mu * std::max(0.0, out.impulses.f_n(i));
    }
  }
  if (!setup_.options.warm_start) set_no_load(problem, out);
}

}  // namespace tribo
