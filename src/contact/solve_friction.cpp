// solve(LocalFriction), solve(GlobalFriction): the true cone from matrices. The attempts are those of route_cone.cpp, with the
// polygons solved on W itself.
#include "tribo/certify/classify.hpp"
#include "tribo/formulation/cone.hpp"

#include <algorithm>
#include <array>

#include "contact/attempt_loop.hpp"
#include "contact/cone_steps.hpp"
#include "contact/polygon_start.hpp"

namespace tribo {
namespace {

constexpr std::array kFrictionAttempts = {
    AttemptRow{.name = "cone", .solver = "cone"},
    AttemptRow{.name = "cone", .solver = "cone", .largest_mu = kModerateMu},
    AttemptRow{.name = "cone from a polygon", .solver = "cone", .sides = 8},
    AttemptRow{.name = "cone from a polygon", .solver = "cone", .sides = 32},
};

template <typename Problem>
class FrictionRoute {
 public:
  FrictionRoute(const Problem& problem, const SolveOptions& options) : options_(options) {
    require(formulation_.update(problem));
    immovable_ = find_immovable(formulation_.problem());
  }

  bool is_immovable() const { return immovable_ >= 0; }  // a contact approaches that no impulse moves

  // False: the row has nothing to say of this problem.
  bool prepare(const AttemptRow& row) {
    problem_at_hand_ = &formulation_.problem();
    warm_ = {};
    if (row.sides > 0) return immovable_ < 0 && find_polygon_start(*problem_at_hand_, row.sides, warm_);
    if (row.largest_mu == std::numeric_limits<double>::infinity()) return true;
    if (immovable_ >= 0 || problem_at_hand_->mu.size() == 0 || problem_at_hand_->mu.maxCoeff() <= row.largest_mu)
      return false;
    moderate_ = *problem_at_hand_;
    moderate_.mu = problem_at_hand_->mu.cwiseMin(row.largest_mu);
    problem_at_hand_ = &moderate_;
    return true;
  }

  SolveReport run(const AttemptRow& row, FrictionSolution& out, std::string& note) {
    shares_ = kShares;
    claimed_ = false;
    if (immovable_ >= 0) {
      found_ = {};
      found_.r.setZero(problem_at_hand_->q.size());
      formulation_.lift(found_, out);
      SolveReport report;
      report.index = immovable_;
      report.detail = "a contact approaches that no impulse can move";
      return report;
    }
    const SolveReport report = run_share(out);
    note = row.sides > 0 ? std::to_string(row.sides) + " corners" : problem_at_hand_ == &moderate_ ? "mu <= 10" : "";
    if (*report.stages != '\0') note += (note.empty() ? "" : ", ") + std::string(report.stages);
    return report;
  }

  // The solver's residual and the certificate differ in their scales: where the first passes and the second does not, the solver goes
  // on from there.
  bool refine(FrictionSolution& out, SolveReport& report) {
    if (!claimed_ || shares_.empty()) return false;
    warm_.r = found_.r;
    warm_.states = found_.states;
    const SolveReport again = run_share(out);
    report.pivots += again.pivots;
    report.sweeps += again.sweeps;
    report.iterations += again.iterations;
    return true;
  }

 private:
  static constexpr double kShares[] = {0.3, 1e-2, 1e-4};

  SolveReport run_share(FrictionSolution& out) {
    constexpr double kLoosest = 1e-4;
    ConeSettings settings;
    settings.method = cone_method(options_.solver);
    settings.tolerance = std::clamp(shares_.front() * options_.tolerance, 1e-15, kLoosest);
    settings.polish = 1e-3 * settings.tolerance;  // cheap digits: Newton's method is near when it is good enough
    if (shares_.size() < std::size(kShares)) settings.max_outer = 50;  // it is near; more is not worth it
    shares_ = shares_.subspan(1);
    const SolveReport report = ConeSolver(settings).solve(*problem_at_hand_, warm_, found_);
    claimed_ = report.status == Status::kSolved;
    formulation_.lift(found_, out);
    return report;
  }

  const SolveOptions& options_;
  ConeFormulation formulation_;
  Index immovable_ = -1;
  const ConeProblem* problem_at_hand_ = nullptr;
  ConeProblem moderate_;
  ConeWarmStart warm_;
  ConeSolution found_;
  bool claimed_ = false;
  std::span<const double> shares_;
};

template <typename Problem>
FrictionAnswer solve_matrices(const Problem& problem, const SolveOptions& options) {
  require_tolerance(options.tolerance);
  require(validate(problem));
  require(check_solver(problem, options.solver));
  FrictionRoute<Problem> route(problem, options);
  FrictionAnswer answer;
  FrictionSolution candidate;
  AttemptLoop<FrictionAnswer, FrictionSolution> loop(answer, answer.solution, candidate, options.tolerance);
  const bool automatic = options.solver == "auto";
  const char* solver = automatic ? "cone" : require_solver(options.solver).name.data();
  const AttemptRow named{.name = solver, .solver = solver};
  for (const AttemptRow& row : automatic ? std::span<const AttemptRow>(kFrictionAttempts) : std::span(&named, 1)) {
    if (!route.prepare(row)) continue;
    if (loop(
            row.name, solver, [&](FrictionSolution& s, std::string& note) { return route.run(row, s, note); },
            [&](FrictionSolution& s, SolveReport& report) {
              Certificate certificate = certify(problem, s);
              while (!certificate.passes(options.tolerance) && route.refine(s, report))
                certificate = certify(problem, s);
              return certificate;
            },
            NoRefutation{}))
      break;
    if (route.is_immovable()) break;
  }
  answer.states = classify(problem, answer.solution, options.tolerance);
  return answer;
}

}  // namespace

FrictionAnswer solve(const LocalFriction& problem, const SolveOptions& options) {
  return solve_matrices(problem, options);
}
FrictionAnswer solve(const GlobalFriction& problem, const SolveOptions& options) {
  return solve_matrices(problem, options);
}

}  // namespace tribo
