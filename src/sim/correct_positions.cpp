// Positions alone, after the step:  minimize ½ dqᵀ M dq  such that  N dq ≥ −(gap + allowed) where that is negative, no other contact
// gets deeper than allowed, and J dq = −g. Velocities stay what they are, so no kinetic energy comes from it.
#include "tribo/multibody/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "sim/implementation.hpp"

namespace tribo {

namespace {

constexpr double kShare = 0.5;      // of an overlap, per step: several contacts may ask for the same
constexpr double kMostMove = 1e-2;  // m per step

}  // namespace

void Simulation::Implementation::correct_positions() {
  double loop_error = 0.0;
  const bool loops = !model.description().equalities.empty();
  if (loops) {
    calc_positions(model, state, data);
    calc_velocities(model, state, data);
    EqualityRows rows;
    calc_equalities(model, state, data, rows);
    for (const double g : rows.error) loop_error = std::max(loop_error, std::abs(g));
  }
  report.loop_error = loop_error;
  // The overlap before the step: a contact that the step itself closes does not overlap.
  double deepest = 0.0;
  for (const ContactRecord& record : records) deepest = std::max(deepest, -record.gap);
  const bool apart = !(deepest > options.allowed_overlap);
  if (apart && !(loop_error > options.loop_tolerance)) return;

  calc_dynamics(model, state, data);
  if (!apart) collide();
  ContactProblem moves;
  AssemblyOptions plain = assembly;
  plain.h = 1.0;
  plain.implicit = plain.dry_friction = plain.turning = false;
  plain.loop_share = 1.0;
  plain.limit_share = kShare;
  plain.reach_speed = 1e-2;
  assembler.begin(state, data, control, applied, plain, moves);
  if (!apart) {
    const std::vector<Geom>& geoms = model.description().geoms;
    for (const FoundContact& contact : found) {
      ContactPoint point;
      point.body_a = geoms[contact.shape_a].body;
      point.body_b = geoms[contact.shape_b].body;
      point.point = contact.point;
      point.frame.col(2) = contact.normal;
      point.frame.col(0) = contact.normal.unitOrthogonal();
      point.frame.col(1) = contact.normal.cross(point.frame.col(0));
      point.gap = contact.gap;
      const double room = contact.gap + options.allowed_overlap;
      assembler.add(data, point, Contact{}, room < 0.0 ? std::max(kShare * room, -kMostMove) : room, moves);
    }
  }
  assembler.end(moves);
  moves.v.setZero();
  moves.f.setZero();
  for (Index i = moves.bilateral() - 6 * static_cast<Index>(state.kinematic.size()); i < moves.bilateral(); ++i)
    moves.b_J(i) = 0.0;  // kinematic bodies are where they are
  SolveOptions solve_options;
  solve_options.relax = true;
  solve_options.tolerance = 1e-6;
  const ContactAnswer answer = tribo::solve(moves, Frictionless{}, solve_options);
  if (!is_solved(answer.status)) {
    report.fallback = true;
    report.detail = "positions could not be corrected: " + std::string(answer.report.detail);
    return;
  }
  const VectorXd dq = answer.v_next.head(model.nv());
  report.correction = dq.size() > 0 ? dq.cwiseAbs().maxCoeff() : 0.0;
  integrate(model, dq, 1.0, state.q);
  if (!loops) return;
  calc_positions(model, state, data);
  calc_velocities(model, state, data);
  EqualityRows rows;
  calc_equalities(model, state, data, rows);
  report.loop_error = 0.0;
  for (const double g : rows.error) report.loop_error = std::max(report.loop_error, std::abs(g));
}

}  // namespace tribo
