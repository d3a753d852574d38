// Impacts that follow from impacts. A ball that is hit within a step may reach its neighbour within the same step. The row that
// keeps them apart then acts as one without restitution, and a cradle would swallow its own motion. So, where that happens, the
// step is taken impact by impact:
//     first   the step itself, without what may be hit by and by
//     then    v⁺ → v⁺⁺ without forces: contacts that close within the step at more than bounce_speed bounce, until none does
//     last    what closes more slowly meets without bouncing
// Each of them is a contact problem with its own certificate. What the forces of this step alone close does not bounce (a body
// that is pressed against another rests), and the dry friction of joints has had its share in the first. Bouncing in several
// points under friction may give more energy than it takes (Newton's law of impact does not know better); then less restitution
// is tried, in the end none. Where bodies are moved by hand energy may come from there, and all is given.
#include <algorithm>

#include "sim/implementation.hpp"
#include <Eigen/Cholesky>

namespace tribo {

namespace {
constexpr int kMostImpacts = 100;
constexpr double kFar = 1e4;                 // m/s: an offset that no motion reaches
constexpr double kRounding = 1e-12;          // of an energy
constexpr double kLeastShare = 0.05;         // of the restitution, before none is left
constexpr std::uint64_t kLimitFeatures = 2;  // of joints; the rest is dry friction (JointRow::kind + 1)
}  // namespace

// Whether the step must be taken impact by impact: a contact that would bounce was held back (it carries an impulse, and was
// apart and not closing before), or bouncing under friction gave more than it took.
bool Simulation::Implementation::needs_impacts(const ContactSolution& solution) const {
  if (solution.f_n.size() != problem.size() || solution.v_next.size() != problem.dof()) return false;
  bool bounces = false;
  for (Index i = 0; i < problem.size(); ++i) {
    if (!(restitution[i] > 0.0)) continue;
    if (problem.b_N(i) > 0.0 && solution.f_n(i) > 0.0) return true;
    bounces = bounces || problem.b_N(i) < 0.0;
  }
  if (!bounces || is_driven()) return false;
  VectorXd free = problem.f * problem.h;
  for (Index b = 0; b < problem.mass.blocks(); ++b) {
    auto part = free.segment(problem.mass.layout().start(b), problem.mass.layout().size(b));
    part = problem.mass.block(b).llt().solve(part).eval();
  }
  free += problem.v;
  return calc_kinetic(solution.v_next) > calc_kinetic(free) * (1.0 + kRounding);
}

bool Simulation::Implementation::is_driven() const {
  return std::any_of(state.kinematic.begin(), state.kinematic.end(), [](const KinematicState& motion) {
    return !motion.velocity.isZero(0.0) || !motion.angular_velocity.isZero(0.0);
  });
}

double Simulation::Implementation::calc_kinetic(const VectorXd& v) const {
  return 0.5 * v.dot(problem.mass.multiply(v));
}

// Bounces are those of v; false: there are none.
bool Simulation::Implementation::set_bounces(const VectorXd& offsets, double share) {
  bool any = false;
  for (Index i = 0; i < problem.size(); ++i) {
    const double e = restitution[i], gap = std::max(0.0, records[i].gap);
    problem.b_N(i) = offsets(i);
    if (!(e > 0.0)) continue;
    const double closing = -problem.N.dot(i, problem.v), approach = closing - pressed(i);
    const bool hits = approach > bounce_speed && gap <= h * closing;
    any = any || hits;
    problem.b_N(i) = hits ? -share * e * approach : gap > options.touching ? kFar : 0.0;
  }
  return any;
}

const ContactSolution& Simulation::Implementation::solve_impacts() {
  VectorXd offsets = problem.b_N;
  for (Index i = 0; i < problem.size(); ++i) {
    if (restitution[i] > 0.0) offsets(i) = std::max(0.0, records[i].gap) / h;
  }
  const ContactSolution nothing;
  const auto add = [&](const ContactSolution& part) {
    impacts.v_next = part.v_next;
    for (VectorXd ContactSolution::*f :
         {&ContactSolution::f_n, &ContactSolution::f_s, &ContactSolution::f_t, &ContactSolution::f_spin,
          &ContactSolution::f_roll_s, &ContactSolution::f_roll_t, &ContactSolution::f_j}) {
      if ((impacts.*f).size() == (part.*f).size()) impacts.*f += part.*f;
    }
  };
  const auto usable = [&](const ContactSolution& part) {
    return part.v_next.size() == problem.dof() && part.v_next.allFinite();
  };
  // The forces, and what stands in the way without bouncing: also what touches and was not hit.
  pressed.resize(problem.size());
  for (Index i = 0; i < problem.size(); ++i) {
    pressed(i) = -problem.N.dot(i, problem.v);
    const bool bounces = restitution[i] > 0.0 && (records[i].gap > options.touching || pressed(i) > bounce_speed);
    problem.b_N(i) = bounces ? kFar : offsets(i);
  }
  impacts = solver.solve(problem, nothing, of_rest, report);
  problem.f.setZero();
  const bool by_hand = is_driven();
  for (Index i = 0; i < problem.size() && usable(impacts); ++i) {
    pressed(i) = std::max(0.0, -problem.N.dot(i, impacts.v_next) - std::max(0.0, pressed(i)));
    if (records[i].joint >= 0 && records[i].feature > kLimitFeatures) offsets(i) = 0.0;
  }
  for (int k = 0; k < kMostImpacts && usable(impacts); ++k) {
    problem.v = impacts.v_next;
    const double before = calc_kinetic(problem.v);
    if (!set_bounces(offsets, 1.0)) break;
    for (double share = 1.0; share >= 0.0; share = share > kLeastShare ? 0.5 * share : share > 0.0 ? 0.0 : -1.0) {
      (void)set_bounces(offsets, share);
      const ContactSolution& part = solver.solve(problem, nothing, of_rest, report);
      if (!usable(part)) return impacts;
      if (share > 0.0 && !by_hand && calc_kinetic(part.v_next) > before * (1.0 + kRounding)) continue;
      add(part);
      break;
    }
  }
  if (!usable(impacts)) return impacts;
  problem.v = impacts.v_next;
  problem.b_N = offsets;
  const ContactSolution& last = solver.solve(problem, nothing, of_rest, report);
  if (usable(last)) add(last);
  return impacts;
}

}  // namespace tribo
