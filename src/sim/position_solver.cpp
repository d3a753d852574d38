#include "sim/position_solver.hpp"

#include <exception>

namespace tribo {

namespace {

// Each row is as it asks to be, or within the allowed overlap: with room for the rounding of b_N.
bool keeps_contacts(const ContactProblem& problem, const VectorXd& dq, double allowed) {
  constexpr double kKept = 1e-14;  // m, rad
  for (Index i = 0; i < problem.size(); ++i) {
    const double moved = problem.N.dot(i, dq);
    if (moved + problem.b_N(i) < -kKept && problem.contacts[i].gap + moved < -allowed) return false;
  }
  return true;
}

SolveOptions make_position_options() {
  SolveOptions options;
  options.tolerance = 1e-6;  // of the certificate
  options.relax = true;
  return options;
}

}  // namespace

PositionSolver::PositionSolver(double allowed_overlap)
    : pipeline_(Frictionless{}, make_position_options()), allowed_(allowed_overlap) {}

void PositionSolver::solve(const ContactProblem& problem, const std::vector<std::uint8_t>& asks, VectorXd& dq) {
  islands_.split(problem);
  moves_.assign(static_cast<std::size_t>(islands_.islands()), 0);
  failed_ = moves_;
  why_.clear();
  const IslandMap& map = islands_.map();
  const std::size_t n = map.of_contact.size();
  for (std::size_t i = 0; i < asks.size(); ++i) {
    if (asks[i] != 0) moves_[i < n ? map.of_contact[i] : map.of_bilateral[i - n]] = 1;
  }
  dq.setZero(problem.dof());
  closable_ = problem.b_J;
  const BlockLayout& layout = problem.mass.layout();
  for (Index k = 0; k < islands_.islands(); ++k) {
    if (moves_[k] == 0) continue;
    const bool whole = islands_.whole();
    const ContactProblem& part = whole ? problem : islands_[k].problem;
    if (!solve_part(part)) {
      failed_[k] = 1;
      continue;
    }
    for (Index i = 0; i < part.bilateral(); ++i) closable_(whole ? i : islands_[k].bilateral[i]) = looped_.b_J(i);
    if (whole) {
      dq = move_;
      continue;
    }
    Index at = 0;
    for (const Index block : islands_[k].blocks) {
      dq.segment(layout.start(block), layout.size(block)) = move_.segment(at, layout.size(block));
      at += layout.size(block);
    }
  }
}

// Into move_ and looped_. False: no certified answer, why_ says why.
bool PositionSolver::solve_part(const ContactProblem& part) {
  const auto give_up = [&](const std::string& why) {
    if (why_.empty()) why_ = why;
    return false;
  };
  if (const Checked valid = validate(part); !valid) return give_up(valid.error().where + ": " + valid.error().what);
  const bool looped = part.bilateral() > 0;
  if (looped) {
    looped_ = part;
    if (!loops_.solve(looped_, move_)) return give_up("the mass matrix is not positive definite");
    if (keeps_contacts(part, move_, allowed_)) return true;
  }
  try {
    const ContactAnswer& answer = pipeline_.solve_island(looped ? looped_ : part, nothing_);
    if (!is_solved(answer.status)) return give_up(answer.report.detail);
    move_ = answer.v_next;
  } catch (const std::exception& error) {  // none may leave a step
    return give_up(error.what());
  }
  return true;
}

}  // namespace tribo
