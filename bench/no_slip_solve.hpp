// From a ContactProblem to every impulse and v⁺, workspaces kept between calls: what `bench no-slip` times and judges.
// As in solve(), one body in few contacts takes the short way (contact/one_body.hpp) unless there is a start to begin
// from.
#pragma once

#include "tribo/contact/one_body.hpp"
#include "tribo/core/assert.hpp"
#include "tribo/formulation/normal.hpp"
#include "tribo/problem/contact_problem.hpp"
#include "tribo/problem/model.hpp"
#include "tribo/problem/solution.hpp"
#include "tribo/solve/pivot/dual_active_set.hpp"
#include "tribo/solve/pivot/principal_pivoting.hpp"
#include "tribo/solve/report.hpp"

#include <array>
#include <string>

namespace tribo {

enum class NormalRule { kDualActiveSet, kPrincipalPivoting };
inline constexpr std::array<NormalRule, 2> kNormalRules = {NormalRule::kDualActiveSet, NormalRule::kPrincipalPivoting};
// The solver's name on the command line.
inline std::string to_string(NormalRule rule) { return rule == NormalRule::kDualActiveSet ? "dual-active-set" : "ppm"; }

class NormalSolve {
 public:
  explicit NormalSolve(NormalRule rule) : rule_(rule) {}

  // The problem must be valid, the model must fit it, and its equality rows must agree.
  SolveReport run(const ContactProblem& problem, const ContactModel& model) { return run(problem, model, cold_); }
  SolveReport run(const ContactProblem& problem, const ContactModel& model, const WarmStart& warm) {
    SolveReport report;
    short_ = rule_ == NormalRule::kDualActiveSet && warm.empty() && one_body_.solve(problem, model, solution_, report);
    if (short_) {
      answer_.z = solution_.f_n;
      return report;
    }
    TRIBO_REQUIRE(formulation_.update(problem, model).has_value(), "the model does not fit the problem");
    TRIBO_REQUIRE(formulation_.consistent(), "the equality rows contradict one another");
    report = rule_ == NormalRule::kDualActiveSet ? dual_.solve(formulation_.problem(), warm, answer_)
                                                 : ppm_.solve(formulation_.problem(), warm, answer_);
    formulation_.lift(answer_.z, solution_);
    return report;
  }

  // Of the last run().
  const LcpSolution& answer() const { return answer_; }  // w: not that of the short way
  const ContactSolution& solution() const { return solution_; }
  Index active() const { return (solution_.f_n.array() > 0.0).count(); }
  Index bound() const {  // m − rank E
    return solution_.v_next.size() - (short_ ? one_body_.equality_rank() : formulation_.equality_rank());
  }

 private:
  NormalRule rule_;
  bool short_ = false;
  OneBody one_body_;
  NormalFormulation formulation_;
  DualActiveSetSolver dual_;
  PrincipalPivotingSolver ppm_;
  LcpSolution answer_;
  ContactSolution solution_;
  WarmStart cold_;
};

}  // namespace tribo
