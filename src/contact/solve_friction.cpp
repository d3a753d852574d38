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

constexpr std::array kPolygons = {8, 32};  // corners
constexpr std::array kFrictionAttempts = {
    AttemptRow{.name = "cone", .solver = "cone"},
    AttemptRow{.name = "cone from polygons", .solver = "cone", .paths = static_cast<int>(kPolygons.size())},
};

template <typename Problem>
class FrictionRoute {
 public:
  FrictionRoute(const Problem& problem, const SolveOptions& options) : problem_(problem), options_(options) {
    require(formulation_.update(problem));
    immovable_ = find_immovable(formulation_.problem());
  }

  bool is_immovable() const { return immovable_ >= 0; }  // a contact approaches that no impulse moves

  SolveReport run(const AttemptRow& row, int path, FrictionSolution& out, std::string& note) {
    warm_ = {};
    begin();
    if (immovable_ >= 0) {
      found_ = {};
      found_.r.setZero(formulation_.problem().q.size());
      formulation_.lift(found_, out);
      SolveReport report;
      report.index = immovable_;
      report.detail = "a contact approaches that no impulse can move";
      return report;
    }
    return row.paths > 1 ? run_from_polygon(kPolygons[static_cast<std::size_t>(path)], out, note) : run_share(out);
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

  // The certificate of `out`, where the solver says solved from as near as that takes.
  Certificate certify_refined(FrictionSolution& out, SolveReport& report) {
    Certificate certificate = certify(problem_, out);
    while (!certificate.passes(options_.tolerance) && refine(out, report)) certificate = certify(problem_, out);
    return certificate;
  }

 private:
  static constexpr double kShares[] = {0.3, 1e-2, 1e-4};

  void begin() {
    shares_ = kShares;
    claimed_ = false;
  }

  SolveReport run_from_polygon(int corners, FrictionSolution& out, std::string& note) {
    note = std::to_string(corners) + " corners";
    if (find_polygon_start(formulation_.problem(), corners, warm_)) return run_share(out);
    out = {};
    return {.detail = "the polygon has no answer to start from"};
  }

  SolveReport run_share(FrictionSolution& out) {
    constexpr double kLoosest = 1e-4;
    ConeSettings settings;
    settings.method = cone_method(options_.solver);
    settings.tolerance = std::clamp(shares_.front() * options_.tolerance, 1e-15, kLoosest);
    settings.polish = 1e-3 * settings.tolerance;  // cheap digits: Newton's method is near when it is good enough
    if (shares_.size() < std::size(kShares)) settings.max_outer = 50;  // it is near; more is not worth it
    shares_ = shares_.subspan(1);
    const SolveReport report = ConeSolver(settings).solve(formulation_.problem(), warm_, found_);
    claimed_ = report.status == Status::kSolved;
    formulation_.lift(found_, out);
    return report;
  }

  const Problem& problem_;
  const SolveOptions& options_;
  ConeFormulation formulation_;
  Index immovable_ = -1;
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
  bool done = false;
  for (const AttemptRow& row : automatic ? std::span<const AttemptRow>(kFrictionAttempts) : std::span(&named, 1)) {
    for (int path = 0; path < row.paths && !done; ++path) {
      done = loop(
          row.name, solver, [&](FrictionSolution& s, std::string& note) { return route.run(row, path, s, note); },
          [&](FrictionSolution& s, SolveReport& report) { return route.certify_refined(s, report); }, NoRefutation{});
      done = done || route.is_immovable();
    }
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
