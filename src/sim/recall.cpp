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

void RecallStage::follow_normals(const ContactStart& memory, const MotionMemory& motion, const StartValues& start,
                                 StepRows& rows) {
  ContactProblem& problem = rows.problem;
  if (motion.last_leads.empty()) return;
  for (Index i = 0; i < problem.size(); ++i) {
    if (!(start.impulses.f_n(i) > 0.0) || rows.laws[static_cast<std::size_t>(i)].bounces) continue;
    const double speed = problem.N.dot(i, problem.v);
    if (speed == 0.0) continue;
    const ContactStart::AtContact* last = memory.find(problem.contacts[static_cast<std::size_t>(i)].key);
    if (last == nullptr) continue;
    const Index block = std::max(problem.N.block(i, 0), problem.N.block(i, 1));
    const StepRule rule = rows.times.of(block);
    const double share = (1.0 - rule.lead) / (1.0 - motion.last_leads[static_cast<std::size_t>(block)] + rule.lead);
    const double turn = share * (speed - last->speed), gap = rows.gap(i);
    if (!(std::abs(turn) <= rows.laws[static_cast<std::size_t>(i)].most_turn)) continue;
    // What only comes near has no normal to follow (Swing.TheOtherEndOfARodDoesNotPassAPlate).
    if (gap > std::max(setup_.options.touching, std::abs(turn) * rule.look())) continue;
    followed_.push_back(i);
    problem.b_N(i) += turn;
    if (gap <= setup_.options.touching) problem.b_N(i) += std::max(gap / rule.look(), -std::abs(turn));
  }
}

void RecallStage::run(const ContactStart& memory, const MotionMemory& motion, StepRows& rows, StartValues& out) {
  ContactProblem& problem = rows.problem;
  followed_.clear();
  if (memory.empty()) return set_no_load(problem, out);
  memory.align(problem, out);
  out.states.clear();  // judged by the impulses
  if (setup_.integrator != Integrator::kEuler) follow_normals(memory, motion, out, rows);
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

bool RecallStage::ease(StepRows& rows) const {
  if (setup_.integrator == Integrator::kEuler) return false;
  ContactProblem& problem = rows.problem;
  bool any = false;
  for (const Index i : followed_) {
    if (!(problem.b_N(i) < 0.0)) continue;
    problem.b_N(i) = 0.0;
    any = true;
  }
  for (Index i = 0; i < problem.bilateral(); ++i) {
    const double turn = rows.times.of(problem.J, i).rest() * problem.a_J(i);
    if (turn == 0.0) continue;
    problem.b_J(i) -= turn;
    any = true;
  }
  return any;
}

}  // namespace tribo
