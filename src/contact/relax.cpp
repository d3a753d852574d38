// Contradictory normal rows, eased on the support of their proof (spec A.5). With a verified y_n ≥ 0, y_e and
//     Nᵀ y_n + Eᵀ y_e = 0,   violation = −(y_n·b_N + y_e·b_E) > 0
// the problem becomes free of this contradiction when b_N grows by violation / Σ y_n on the support of y_n, and by a
// millionth of that so that rounding does not bring it back. Every pass removes one contradiction.
#include "contact/contact_steps.hpp"

namespace tribo {

void add_history(const AnswerBase& earlier, AnswerBase& answer) {
  answer.history.insert(answer.history.begin(), earlier.history.begin(), earlier.history.end());
  answer.report.iterations += earlier.report.iterations;
  answer.report.pivots += earlier.report.pivots;
  answer.report.sweeps += earlier.report.sweeps;
  answer.report.refactored += earlier.report.refactored;
  answer.seconds += earlier.seconds;
}

void add_note(const char* name, std::string note, AnswerBase& answer) {
  Attempt& row = answer.history.emplace_back();
  row.name = name;
  row.note = std::move(note);
  row.status = answer.status;
}

ContactAnswer& solve_relaxed(const ContactProblem& problem, const ContactTask& task) {
  ContactAnswer& answer = task.solve(problem);
  if (!task.options.relax || answer.status != Status::kInfeasible) return answer;
  const Index passes = 10 + 2 * problem.size();
  constexpr double kMargin = 1e-6;
  ContactProblem eased = problem;
  const bool accelerations = problem.level == Level::kAcceleration;
  VectorXd& offset = accelerations ? eased.a_N : eased.b_N;
  const VectorXd& b_J = accelerations ? problem.a_J : problem.b_J;
  VectorXd change;
  for (Index pass = 0; pass < passes && answer.status == Status::kInfeasible; ++pass) {
    const VectorXd y = answer.solution.y_n, y_e = answer.solution.y_e;
    if (y.size() != problem.size() || !(y.sum() > 0.0)) break;
    const double violation = -(y.dot(offset) + y_e.head(problem.bilateral()).dot(b_J));
    const double step = (1.0 + kMargin) * violation / y.sum();
    for (Index i = 0; i < y.size(); ++i) offset(i) += y(i) > 0.0 ? step : 0.0;
    add_note("eased b_N", "", answer);
    const AnswerBase earlier = answer;
    task.solve(eased);  // into the same answer
    add_history(earlier, answer);
    change = offset - (accelerations ? problem.a_N : problem.b_N);
  }
  answer.eased = change;
  if (answer.eased.size() > 0 && is_solved(answer.status)) {
    answer.status = answer.report.status = Status::kSolvedReduced;
    answer.report.detail = "b_N was eased where the rows contradict one another";
  }
  return answer;
}

}  // namespace tribo
