// The chain for the true Coulomb cone, common to contact problems and matrices: the solver, then from better starts.
#pragma once

#include "tribo/contact/solve.hpp"
#include "tribo/problem/cone_problem.hpp"
#include "tribo/solve/cone/cone_solver.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "contact/chain.hpp"

namespace tribo {

// An answer in the caller's terms and the states that belong to it.
template <typename Solution>
struct WithStates {
  Solution solution;
  std::vector<ContactState> states;
};

// The first contact that approaches and that no impulse moves along its normal: u_N = q_N < 0 whatever happens. -1: none.
Index find_immovable(const ConeProblem& problem);

// Contacts that stick under a moderate coefficient stick under any larger one, with smaller internal forces. False: none of
// the coefficients is larger.
bool moderate_friction(const ConeProblem& problem, ConeProblem& moderate);

ConeMethod cone_method(const std::string& solver);  // "auto": kAuto

// The methods on one problem. Lift(ConeSolution, Solution&), Certify(Solution) -> Certificate: in the caller's own terms.
template <typename Answer, typename Solution, typename Lift, typename Certify>
class ConeChain {
 public:
  ConeChain(const SolveOptions& options, Answer& answer, Lift lift, Certify certify_answer)
      : options_(options), answer_(answer), lift_(std::move(lift)), certify_(std::move(certify_answer)) {}

  // One stage; true: it certifies. The solver's residual and the caller's certificate differ in detail: where the first passes
  // and the second does not, the solver goes on from there.
  bool operator()(const std::string& stage, const ConeProblem& problem, const ConeWarmStart& start) {
    ConeWarmStart warm = start;
    for (const double part : {0.3, 1e-2, 1e-4}) {
      ConeSettings settings;
      settings.method = cone_method(options_.solver);
      settings.tolerance = std::clamp(part * options_.tolerance, 1e-15, kLoosest);
      settings.polish = 1e-3 * settings.tolerance;  // cheap digits: Newton's method is near when it is good enough
      if (part < 0.1) settings.max_outer = 50;      // it is near; what rounding does not allow is not worth more
      ConeSolution found;
      Status claimed = Status::kBreakdown;
      const char* used = "";
      const bool done = attempt(
          stage, options_.tolerance, answer_, kept_,
          [&](WithStates<Solution>& s) {
            const SolveReport report = ConeSolver(settings).solve(problem, warm, found);
            claimed = report.status;
            used = report.stages;
            lift_(found, s.solution);
            s.states = found.states;
            return report;
          },
          [&](const WithStates<Solution>& s) { return certify_(s.solution); },
          [](const WithStates<Solution>&) { return InfeasibilityCertificate(); });
      if (answer_.solver == stage) answer_.solver = options_.solver == "auto" ? "cone" : options_.solver;
      if (*used != '\0') answer_.stages.back() += std::string(" (") + used + ")";
      if (done || claimed != Status::kSolved) return done;
      warm.r = found.r;
      warm.states = found.states;
    }
    return false;
  }

  // An answer found elsewhere; true: it certifies here too.
  bool offer(const std::string& stage, const SolveReport& report, const WithStates<Solution>& known) {
    if (!certify_(known.solution).passes(options_.tolerance)) return false;
    return attempt(
        stage, options_.tolerance, answer_, kept_,
        [&](WithStates<Solution>& s) {
          s = known;
          return report;
        },
        [&](const WithStates<Solution>& s) { return certify_(s.solution); },
        [](const WithStates<Solution>&) { return InfeasibilityCertificate(); });
  }

  // True: a contact approaches and nothing can stop it. The answer then has no impulses and names the contact.
  bool refuse_immovable(const ConeProblem& problem) {
    const Index contact = find_immovable(problem);
    if (contact < 0) return false;
    attempt(
        "cone", options_.tolerance, answer_, kept_,
        [&](WithStates<Solution>& s) {
          ConeSolution none;
          none.r.setZero(problem.q.size());
          lift_(none, s.solution);
          s.states.assign(static_cast<std::size_t>(problem.contacts()), ContactState::kOpen);
          SolveReport report;
          report.index = contact;
          report.detail = "a contact approaches that no impulse can move";
          return report;
        },
        [&](const WithStates<Solution>& s) { return certify_(s.solution); },
        [](const WithStates<Solution>&) { return InfeasibilityCertificate(); });
    return true;
  }

  // The best answer so far, into the answer; `contacts` of its blocks are contacts.
  void finish(Index contacts) {
    answer_.solution = std::move(kept_.solution);
    answer_.states = std::move(kept_.states);
    if (static_cast<Index>(answer_.states.size()) > contacts) answer_.states.resize(static_cast<std::size_t>(contacts));
  }

 private:
  static constexpr double kLoosest = 1e-4;

  const SolveOptions& options_;
  Answer& answer_;
  WithStates<Solution> kept_;
  Lift lift_;
  Certify certify_;
};

// CoulombCone of solve_as_given().
void solve_cone(const ContactProblem& problem, const SolveOptions& options, ContactAnswer& answer);

}  // namespace tribo
