#include "sim/remember.hpp"

namespace tribo {

namespace {

// Kelvin and Voigt: of what the step has changed, the damper's part is gone when it ends. A contact without load is without tension.
Vector3d calc_held(const Contact& law, const RowLaw& row, const ContactSolution& solution, Index i) {
  if (!(law.tangential_compliance > 0.0) || !(solution.f_n(i) > 0.0)) return Vector3d::Zero();
  const double f_s = solution.f_s.size() > 0 ? solution.f_s(i) : 0.0,
               f_t = solution.f_t.size() > 0 ? solution.f_t(i) : 0.0;
  const double s = law.held_s + row.spring_share * (f_s - law.held_s);
  const double t = law.held_t + row.spring_share * (f_t - law.held_t);
  return s * law.frame.col(0) + t * law.frame.col(1);
}

}  // namespace

void remember(const StepRows& rows, const StepAnswer& answer, ContactStart& out) {
  const ContactProblem& problem = rows.problem;
  out.assign(problem, answer.solution, answer.states, answer.at_rest);
  for (ContactStart::AtContact& at : out.contacts()) {
    const auto place = static_cast<std::size_t>(at.place);
    at.speed = place < static_cast<std::size_t>(rows.limits())
                   ? rows.joint_rows[place].velocity
                   : rows.contacts[place - static_cast<std::size_t>(rows.limits())].velocity(2);
    at.held = calc_held(problem.contacts[place], rows.laws[place], answer.solution, at.place);
  }
}

}  // namespace tribo
