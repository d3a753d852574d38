#include "sim/position_solver.hpp"

#include "tribo/core/assert.hpp"

#include <exception>

namespace tribo {

namespace {

SolveOptions make_position_options() {
  SolveOptions options;
  options.tolerance = 1e-6;  // of the certificate
  options.relax = true;
  return options;
}

}  // namespace

PositionSolver::PositionSolver() : pipeline_(Frictionless{}, make_position_options()) {}

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
    const ContactProblem& part = islands_.whole() ? problem : island.problem;
    if (const Checked valid = validate(part); !valid) return valid;
    try {
      const ContactAnswer& answer = pipeline_.solve_island(part, nothing_);
      if (!is_solved(answer.status)) return fail(answer.report.detail, "moves", "move the bodies apart at the start");
      Index at = 0;
      for (const Index block : island.blocks) {
        dq.segment(layout.start(block), layout.size(block)) = answer.v_next.segment(at, layout.size(block));
        at += layout.size(block);
      }
    } catch (const std::exception& error) {  // none may leave a step
      return fail(error.what(), "moves", "move the bodies apart at the start");
    }
  }
  return ok();
}

}  // namespace tribo
