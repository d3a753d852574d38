// solve(ContactProblem, …): what has no contact with one another is solved apart, put together, certified as a whole.
//
// Status of the whole: the worst of the islands in the order of severity(). A proof that one island has no answer is a
// proof that the whole has none, so it counts more than a failure elsewhere; of several proofs the first one is given.
// Every island is judged on its own scale, by the chain and again by the certificate of the whole.
#include "tribo/problem/islands.hpp"

#include <algorithm>

#include "contact/chain.hpp"
#include "contact/contact_steps.hpp"

namespace tribo {
namespace {

int severity(Status status) {
  switch (status) {
    case Status::kSolved:
      return 0;
    case Status::kSolvedReduced:
      return 1;
    case Status::kIterationLimit:
      return 2;
    case Status::kRay:
      return 3;
    case Status::kBreakdown:
      return 4;
    case Status::kInterrupted:
      return 5;
    case Status::kInfeasible:
      return 6;
    case Status::kInconsistentEqualities:
      return 7;
  }
  return 4;
}

bool is_proved(Status status) { return status == Status::kInfeasible || status == Status::kInconsistentEqualities; }

// What the islands were eased and released by, on the whole.
void merge_changes(const ContactProblem& problem, const std::vector<Island>& islands,
                   const std::vector<ContactAnswer>& parts, ContactAnswer& whole) {
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const IndexList& contacts = islands[k].contacts;
    for (const Index i : parts[k].released) whole.released.push_back(contacts[static_cast<std::size_t>(i)]);
    if (parts[k].eased.size() == 0) continue;
    if (whole.eased.size() == 0) whole.eased = VectorXd::Zero(problem.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) whole.eased(contacts[i]) = parts[k].eased(static_cast<Index>(i));
  }
  std::sort(whole.released.begin(), whole.released.end());
}

ContactProblem changed(const ContactProblem& problem, const ContactAnswer& answer) {
  ContactProblem result = problem;
  VectorXd& offset = problem.level == Level::kAcceleration ? result.a_N : result.b_N;
  if (answer.eased.size() > 0) offset += answer.eased;
  for (const Index i : answer.released) result.contacts[static_cast<std::size_t>(i)].released = true;
  return result;
}

// Report of the island that decides, counts and stages of all.
void merge_reports(const std::vector<Island>& islands, const std::vector<ContactAnswer>& parts, std::size_t worst,
                   ContactAnswer& whole) {
  whole.status = parts[worst].status;
  whole.report = SolveReport{};
  std::vector<std::string> solvers;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const SolveReport& report = parts[k].report;
    whole.report.iterations += report.iterations;
    whole.report.pivots += report.pivots;
    whole.report.sweeps += report.sweeps;
    whole.report.refactored += report.refactored;
    whole.report.fallback = whole.report.fallback || report.fallback;
    for (const std::string& stage : parts[k].stages) {
      whole.stages.push_back("island " + std::to_string(k) + ": " + stage);
    }
    if (std::find(solvers.begin(), solvers.end(), parts[k].solver) == solvers.end()) solvers.push_back(parts[k].solver);
  }
  whole.report.status = whole.status;
  whole.report.detail = parts[worst].report.detail;
  const Index row = parts[worst].report.index;
  const IndexList& contacts = islands[worst].contacts;
  if (row >= 0 && row < static_cast<Index>(contacts.size())) {
    whole.report.index = contacts[static_cast<std::size_t>(row)];
  }
  whole.solver = parts[worst].solver;
  if (!is_solved(whole.status)) return;
  whole.solver.clear();
  for (const std::string& name : solvers) whole.solver += (whole.solver.empty() ? "" : ", ") + name;
}

ContactAnswer solve_apart(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options,
                          const IslandMap& map) {
  const std::vector<Island> islands = split_islands(problem, map);
  std::vector<ContactAnswer> parts;
  parts.reserve(islands.size());
  std::size_t worst = 0;
  for (const Island& island : islands) {
    parts.push_back(solve_released(island.problem, model, options));
    if (severity(parts.back().status) > severity(parts[worst].status)) worst = parts.size() - 1;
  }

  ContactAnswer whole;
  whole.islands = map.islands;
  merge_reports(islands, parts, worst, whole);
  merge_changes(problem, islands, parts, whole);
  std::vector<ContactSolution> solutions;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    solutions.push_back(std::move(parts[k].solution));
    if (k == worst) continue;
    solutions.back().y_n.resize(0);  // one proof is enough, and a rejected one must not spoil it
    solutions.back().y_e.resize(0);
  }
  whole.solution = merge_islands(problem, model, islands, solutions);

  const bool as_given = whole.eased.size() == 0 && whole.released.empty();
  const ContactProblem other = as_given ? ContactProblem{} : changed(problem, whole);
  const ContactProblem& answered = as_given ? problem : other;
  fill_contacts(answered, model, options.tolerance, whole);
  whole.certificate = certify(answered, model, whole.solution);
  whole.infeasibility = parts[worst].infeasibility;
  if (is_proved(whole.status)) {
    whole.infeasibility = certify_infeasible(answered, model, whole.solution);
    if (whole.infeasibility.verdict != Verdict::kInfeasible) {
      whole.status = whole.report.status = Status::kBreakdown;
      whole.report.detail = "the proof of an island does not hold for the whole";
    }
  } else if (is_solved(whole.status) && !whole.certificate.passes(options.tolerance)) {
    whole.status = whole.report.status = Status::kBreakdown;
    whole.report.detail = "the answers of the islands do not pass the certificate of the whole";
  }
  return whole;
}

void require(const Checked& checked) {
  if (!checked) throw ContractError(checked.error().text());
}

}  // namespace

ContactAnswer solve(const ContactProblem& problem, const ContactModel& model, const SolveOptions& options) {
  require_tolerance(options.tolerance);
  require(validate(problem));
  if (options.strict) require(check_acceleration_level(problem));
  require(check_solver(problem, model, options.solver));
  if (options.islands) {
    const IslandMap map = find_islands(problem);
    if (map.islands > 1) return solve_apart(problem, model, options, map);
  }
  return solve_released(problem, model, options);
}

}  // namespace tribo
