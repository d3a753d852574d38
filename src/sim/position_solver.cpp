#include "sim/position_solver.hpp"

#include "tribo/contact/solve.hpp"

#include <string>

namespace tribo {

namespace {

constexpr double kPositionTolerance = 1e-6;  // of the certificate

}  // namespace

Checked PositionSolver::solve_island(const ContactProblem& problem) {
  const ContactModel model = Frictionless{};
  if (formulation_.update(problem, model).has_value() && formulation_.consistent()) {
    solver_.reserve(formulation_.problem());
    const SolveReport report = solver_.solve(formulation_.problem(), nothing_, normals_);
    formulation_.lift(normals_.z, solution_);
    if (is_solved(report.status) && certifier_.island(problem, model, solution_).passes(kPositionTolerance))
      return ok();
  }
  if (const Checked valid = validate(problem); !valid) return valid;
  SolveOptions options;
  options.relax = true;
  options.islands = false;
  options.tolerance = kPositionTolerance;
  ContactAnswer answer = tribo::solve(problem, model, options);
  if (!is_solved(answer.status)) return fail(answer.report.detail, "moves", "move the bodies apart at the start");
  solution_ = std::move(answer.solution);
  return ok();
}

Checked PositionSolver::solve(const ContactProblem& problem, const std::vector<std::uint8_t>& asks, VectorXd& dq) {
  islands_.split(problem);
  moves_.assign(static_cast<std::size_t>(islands_.islands()), 0);
  const IslandMap& map = islands_.map();
  const std::size_t n = map.of_contact.size();
  for (std::size_t i = 0; i < asks.size(); ++i) {
    if (asks[i] != 0) moves_[i < n ? map.of_contact[i] : map.of_bilateral[i - n]] = 1;
  }
  dq.setZero(problem.dof());
  const BlockLayout& layout = problem.mass.layout();
  for (Index k = 0; k < islands_.islands(); ++k) {
    if (moves_[k] == 0) continue;
    const Island& island = islands_[k];
    if (const Checked done = solve_island(islands_.whole() ? problem : island.problem); !done) return done;
    Index at = 0;
    for (const Index block : island.blocks) {
      dq.segment(layout.start(block), layout.size(block)) = solution_.v_next.segment(at, layout.size(block));
      at += layout.size(block);
    }
  }
  return ok();
}

}  // namespace tribo
